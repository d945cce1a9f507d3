// Parses messages other than readings. A refused message has a bounded cost: a gateway may repeatedly send 256 KiB of junk.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { maxMessageBytes, type Up, up } from '../../../../contract/gateway-protocol.ts'
import { nameOf } from '../../../../server/telemetry/decode.ts'

export type Spoken = Exclude<keyof Up, 'data' | 'history'>
const { data: _data, history: _history, ...spoken } = up
const checks: Record<string, Validator> = Object.fromEntries(
  Object.entries(spoken).map(([kind, schema]) => [kind, Compile(schema as TSchema)]),
)

/** Limits: bytes of a message and values in it. Heartbeats list devices and replies list errors, limited only by message size. */
const small = { bytes: 64 * 1024, values: 1000 }
const large = { bytes: maxMessageBytes, values: 25_000 }
export const messageLimits: Record<Spoken, typeof small> = {
  state: small,
  event: small,
  timesync: small,
  heartbeat: large,
  reply: large,
  trace: large,
}
/** Limits of a refusal: characters, and fields that it names. */
const [detailLength, namedFields] = [200, 20]
const deepest = 10

type Understood<K extends Spoken> = { message: Up[K] } | { reason: 'malformed' | 'unknownField'; detail: string; MsgId?: string }
type Part = { properties?: Record<string, Part>; additionalProperties?: unknown; items?: Part }

const isParent = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether `value` has at most this many values. Stops at the limit. */
const isWithin = (value: object, most: number): boolean => {
  const parents = [value]
  let values = 1
  for (let parent = parents.pop(); parent; parent = parents.pop())
    for (const name in parent) {
      if (++values > most) return false
      const child = (parent as Record<string, unknown>)[name]
      if (isParent(child)) parents.push(child)
    }
  return true
}

const cleanText = (text: string) => (/[\0\p{Cs}]/u.test(text) ? text.toWellFormed().replaceAll('\0', '') : text)
/** Makes texts valid for PostgreSQL: no NUL, no lone surrogates, limited depth. Works in place: a copy of many fields takes ten times as long. */
const clean = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (!isParent(value)) return value
  if (depth > deepest) return null
  const parent = value as Record<string, unknown>
  for (const name of Object.keys(parent)) {
    const [key, child] = [cleanText(name), clean(parent[name], depth + 1)]
    if (key !== name) delete parent[name]
    if (key !== name || child !== parent[name])
      Object.defineProperty(parent, key, { value: child, enumerable: true, configurable: true, writable: true })
  }
  return value
}

/** The first fields that a schema does not have. The validator would check all of them. */
const unknownFields = ({ properties, additionalProperties, items }: Part, value: unknown, found: string[] = []): string[] => {
  if (!isParent(value)) return found
  const known = (name: string) => (properties && Object.hasOwn(properties, name) ? properties[name] : undefined)
  for (const name in value) {
    if (found.length >= namedFields) break
    const part = Array.isArray(value) ? items : known(name)
    if (part) unknownFields(part, (value as Record<string, unknown>)[name], found)
    else if (additionalProperties === false && !Array.isArray(value)) found.push(name)
  }
  return found
}

export const understand = <K extends Spoken>(kind: K, payload: Buffer): Understood<K> => {
  const most = messageLimits[kind]
  const tooLong = (what: string) => ({ MsgId: nameOf(payload), reason: 'malformed' as const, detail: `more than ${what}` })
  if (payload.length > most.bytes) return tooLong(`${most.bytes} bytes`)
  let given: unknown
  try {
    given = JSON.parse(payload.toString('utf8'))
  } catch {
    return { reason: 'malformed', detail: 'not JSON' }
  }
  if (isParent(given) && !isWithin(given, most.values)) return tooLong(`${most.values} values`)
  const { MsgId: id } = (given ?? {}) as { MsgId?: unknown }
  const MsgId = typeof id === 'string' && id.length > 0 && id.length <= 64 ? cleanText(id) : undefined
  const unknown = unknownFields(spoken[kind] as Part, given)
  if (unknown.length) return { MsgId, reason: 'unknownField', detail: cleanText(unknown.join(', ')).slice(0, detailLength) }
  const message = clean(given)
  const check = checks[kind]!
  if (check.Check(message)) return { message: message as Up[K] }
  // The validator would check every field of a reply's data, which may contain anything.
  const { Data } = (message ?? {}) as { Data?: unknown }
  const judged = kind === 'reply' && isParent(Data) && !Array.isArray(Data) ? { ...(message as object), Data: {} } : message
  const faults = check.Errors(judged).map((f) => `${f.instancePath || 'message'} ${f.message}`)
  return { MsgId, reason: 'malformed', detail: faults.join('; ').slice(0, detailLength) }
}
