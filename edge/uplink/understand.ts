import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { type Down, down, type RowError } from '../../contract/gateway-protocol.ts'
import { entryOf } from '../../contract/prototypes.ts'

const checks = Object.fromEntries(Object.entries(down).map(([kind, schema]) => [kind, Compile(schema)]))

export type Understood<K extends keyof Down = keyof Down> = { kind: K; message: Down[K] }
/** The errors by field name, with the MsgId to answer if there is one. */
export type Misunderstood = { MsgId?: string; kind: string; problem: string; Detail?: RowError[] }

type Fault = TLocalizedValidationError

const words = ({ keyword, instancePath, params, message }: Fault) => {
  const at = instancePath.slice(1).replaceAll('/', '.') || 'message'
  const { additionalProperties } = params as { additionalProperties?: string[] }
  if (keyword === 'additionalProperties') return `unknown field ${additionalProperties?.map((f) => `${at}.${f}`).join(', ')}`
  return `${at} ${message}`
}

/** Faults in rows of the point table, as errors of those rows. */
const rowErrors = (faults: Fault[], message: unknown): RowError[] | undefined => {
  const rows = faults.map((fault) => ({ fault, at: /^\/Data\/Points\/(\d+)(?:\/(\w+))?/.exec(fault.instancePath) }))
  if (!rows.length || !rows.every((r) => r.at)) return undefined
  const points = (message as Down['config']).Data.Points
  return rows.slice(0, 200).map(({ fault, at }) => {
    const point = points[Number(at![1])]
    return {
      Row: Number.isInteger(point?.Row) ? point!.Row : Number(at![1]) + 1,
      ParaName: typeof point?.ParaName === 'string' ? point.ParaName.slice(0, 50) : '',
      Field: at![2] ?? '',
      Reason: words(fault),
    }
  })
}

/** Parses a message from the server, or returns why it cannot be executed. Unknown fields are refused by name (ruling 9). */
export const understand = (kind: string, payload: Buffer): Understood | Misunderstood => {
  let message: unknown
  try {
    message = JSON.parse(payload.toString('utf8'))
  } catch {
    return { kind, problem: 'not JSON' }
  }
  const id = (message as { MsgId?: unknown } | null)?.MsgId
  const MsgId = typeof id === 'string' && id.length > 0 && id.length <= 64 ? id : undefined
  const check = entryOf(checks, kind)
  if (!check) return { MsgId, kind, problem: `unknown message ${kind}` }
  if (check.Check(message)) return { kind: kind as keyof Down, message: message as Down[keyof Down] }
  // "schema is false" duplicates the named error of additionalProperties.
  const faults = check.Errors(message).filter((f: Fault) => f.keyword !== 'boolean')
  return { MsgId, kind, problem: faults.slice(0, 5).map(words).join('; ').slice(0, 400), Detail: rowErrors(faults, message) }
}
