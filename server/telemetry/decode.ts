import type { Rejection } from '../../contract/telemetry.ts'
import type { PointMeta, PointRegistry, Stored } from './sample.ts'
import { scan } from './scan.ts'

/** One reading, or a whole message, that is not stored: why, what exactly, and as much of it as replay needs. */
export type Refusal = {
  reason: Rejection
  detail: string
  payload: string
  /** Stands for so many readings; 1 where it is missing. */
  count?: number
}
/** Characters of a refused message that are kept. */
export const keptPayload = 4096
/** Of one message and reason, so many refusals are rows with their payload. One more row counts the others. */
export const rowsOfReason = 20

/** One object from here to the screen: `n` is 0 until the store has given it a number. */
export type Reading = Stored & { live: boolean }

export type Decoded = {
  /** As the message names itself, where that could be read; at most 64 characters. */
  MsgId?: string
  samples: Reading[]
  /** Readings of points with IsStore 1: shown, judged, not stored. */
  liveOnly: Reading[]
  refusals: Refusal[]
  /** Refused readings, also those that are no row. */
  refused: number
  /** Ids of points that are not known here. */
  unknown: number[]
  /** Number of values of foreign senders without a point. The sender's page lists their keys. */
  unmatched?: number
}
export const nothingDecoded = (): Decoded => ({ samples: [], liveOnly: [], refusals: [], refused: 0, unknown: [] })

/** The MsgId of a message, if readable. */
export const nameOf = (payload: Buffer): string | undefined => /"MsgId"\s*:\s*"([^"\\]{1,64})"/.exec(payload.toString())?.[1]

/** A message of which nothing is taken. It counts as one reading. */
export const refuseWhole = (reason: Rejection, detail: string, payload: Buffer): Decoded => {
  const MsgId = nameOf(payload)
  const refusals = [{ reason, detail, payload: payload.toString().slice(0, keptPayload) }]
  return { ...nothingDecoded(), refusals, refused: 1, ...(MsgId === undefined ? {} : { MsgId }) }
}

/** Nothing was measured before 2000-01-01, epoch ms. */
const oldest = Date.UTC(2000, 0, 1)
/** Clocks that run ahead are believed for a day, ms. */
export const ahead = 86_400_000
const maxText = 200

const envelope = new Set(['MsgId', 'Ts', 'Ver', 'Data'])
const inData = { data: new Set(['Items']), history: new Set(['Items', 'Backfill', 'Batch', 'Last']) }
const inItem = new Set(['D', 'T', 'V', 'Q'])

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const stranger = (fields: Fields, known: ReadonlySet<string>) => Object.keys(fields).find((key) => !known.has(key))
/** Short and safe to print: nested values are not followed. */
const excerpt = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxText) : typeof value === 'object' && value ? {} : value)

/** A point id as it is written: digits without sign or leading zero; anything else is no point. */
const idOf = (key: string) => {
  const id = Number(key)
  return Number.isSafeInteger(id) && id > 0 && String(id) === key ? id : 0
}

/**
 * Takes a message of `up/data` or `up/history` apart (contract/gateway-protocol.ts): every reading becomes a sample or a
 * refusal, each on its own; a message that cannot be read is one refusal. Hand-written, as it runs for every value of every
 * plant. Never throws.
 */
export const decode = (sn: string, kind: 'data' | 'history', payload: Buffer, registry: PointRegistry, now: number): Decoded =>
  (kind === 'data' ? scan(sn, payload, registry, oldest, now + ahead) : undefined) ?? decodeParsed(sn, kind, payload, registry, now)

/** The long way, which every message may take: JSON.parse, then every field by itself. */
export const decodeParsed = (sn: string, kind: 'data' | 'history', payload: Buffer, registry: PointRegistry, now: number): Decoded => {
  const out = nothingDecoded()
  const whole = (reason: Rejection, detail: string) => {
    out.refusals.push({ reason, detail: detail.slice(0, maxText), payload: payload.toString().slice(0, keptPayload) })
    out.refused = 1
    return out
  }
  let message: unknown
  try {
    message = JSON.parse(payload.toString())
  } catch (error) {
    return whole('malformed', (error as Error).message)
  }
  if (!isFields(message)) return whole('malformed', 'not an object')
  const { MsgId, Ts, Data } = message
  if (typeof MsgId === 'string' && MsgId.length > 0 && MsgId.length <= 64) out.MsgId = MsgId
  else return whole('malformed', 'MsgId')
  const unknown = stranger(message, envelope)
  if (unknown !== undefined) return whole('unknownField', unknown)
  if (!Number.isSafeInteger(Ts)) return whole('malformed', 'Ts')
  if (!isFields(Data)) return whole('malformed', 'Data')
  const unknownData = stranger(Data, inData[kind])
  if (unknownData !== undefined) return whole('unknownField', `Data.${unknownData}`)
  if (kind === 'history' && Data.Backfill !== 1) return whole('malformed', 'Data.Backfill')
  if (!Array.isArray(Data.Items)) return whole('malformed', 'Data.Items')
  const refuse = refuser(out)
  for (const item of Data.Items as unknown[]) decodeItem(sn, kind === 'data', item, registry, now, out, refuse)
  return out
}

type Rows = { count: number; rest?: Refusal & { count: number } }
type Refuse = (reason: Rejection, detail: string, payload: () => string) => void

/** Details are written for the first refusals of a message only, so that junk stays cheap. */
export const refuser = (out: Decoded): Refuse => {
  const rows = new Map<Rejection, Rows>()
  return (reason, detail, payload) => {
    out.refused++
    const of: Rows = rows.get(reason) ?? { count: 0 }
    rows.set(reason, of)
    if (of.count++ < rowsOfReason) return void out.refusals.push({ reason, detail: detail.slice(0, maxText), payload: payload() })
    if (of.rest) return void of.rest.count++
    of.rest = { reason, detail: '', payload: '', count: 1 }
    out.refusals.push(of.rest)
  }
}

const decodeItem = (sn: string, live: boolean, item: unknown, registry: PointRegistry, now: number, out: Decoded, refuseAny: Refuse) => {
  if (!isFields(item)) return refuseAny('malformed', 'Item', () => JSON.stringify(excerpt(item)))
  const { D, T, V, Q } = item
  const refuse = (reason: Rejection, detail: string, key: string, value: unknown, quality?: unknown) =>
    refuseAny(reason, detail, () => payloadOf(key, value, quality))
  const payloadOf = (key: string, value: unknown, quality: unknown) => {
    const reading = `${JSON.stringify(key.slice(0, maxText))}:`
    const q = quality === undefined ? '' : `,"Q":{${reading}${JSON.stringify(excerpt(quality))}}`
    const v = value === undefined ? '' : `${reading}${JSON.stringify(excerpt(value))}`
    return `{"D":${JSON.stringify(excerpt(D))},"T":${JSON.stringify(excerpt(T))},"V":{${v}}${q}}`
  }
  const values = isFields(V) ? V : {}
  const keys = Object.keys(values)
  const qualities = isFields(Q) ? Q : undefined
  const wrong = itemFault(item, now)
  if (wrong) {
    for (const key of keys) refuse(wrong.reason, wrong.detail, key, values[key], qualities && own(qualities, key))
    if (keys.length === 0) refuse(wrong.reason, wrong.detail, '', undefined)
    return
  }
  for (const key of keys) {
    const value = values[key]
    const quality = qualities === undefined ? 0 : (own(qualities, key) ?? 0)
    const found = judge(sn, key, value, quality, registry)
    if ('reason' in found) {
      if (found.reason === 'unknownPoint') out.unknown.push(Number(key))
      refuse(found.reason, found.detail, key, value, quality)
      continue
    }
    const sample = {
      point: found.Id,
      time: T as number,
      value: (quality as number) >= 2 ? null : (value as number),
      quality: quality as number,
      n: 0,
      live,
    }
    if (found.IsStore === 1) out.liveOnly.push(sample)
    else out.samples.push(sample)
  }
  if (qualities)
    for (const key of Object.keys(qualities))
      if (!Object.hasOwn(values, key)) refuse('malformed', 'Q without V', key, undefined, qualities[key])
}

/** Has no prototype, so "constructor" is not a quality. */
const own = (fields: Fields, key: string) => (Object.hasOwn(fields, key) ? fields[key] : undefined)

/** What is wrong with all readings of an item at once. */
const itemFault = (item: Fields, now: number): { reason: Rejection; detail: string } | undefined => {
  const { D, T, V, Q } = item
  const unknown = stranger(item, inItem)
  if (unknown !== undefined) return { reason: 'unknownField', detail: unknown }
  if (!Number.isSafeInteger(D)) return { reason: 'malformed', detail: 'D' }
  if (!isFields(V)) return { reason: 'malformed', detail: 'V' }
  if (Q !== undefined && !isFields(Q)) return { reason: 'malformed', detail: 'Q' }
  if (!Number.isSafeInteger(T)) return { reason: 'malformed', detail: 'T' }
  if ((T as number) < oldest) return { reason: 'tooOld', detail: String(T) }
  if ((T as number) > now + ahead) return { reason: 'tooFarAhead', detail: String(T) }
}

const judge = (
  sn: string,
  key: string,
  value: unknown,
  quality: unknown,
  registry: PointRegistry,
): PointMeta | { reason: Rejection; detail: string } => {
  const id = idOf(key)
  const point = id ? registry.get(id) : undefined
  if (!point) return { reason: 'unknownPoint', detail: key }
  if (point.SN !== sn) return { reason: 'foreignPoint', detail: key }
  if (!Number.isInteger(quality) || (quality as number) < 0 || (quality as number) > 4) return { reason: 'malformed', detail: 'Q' }
  if (value === null) return (quality as number) >= 2 ? point : { reason: 'notANumber', detail: 'null' }
  if (typeof value !== 'number') return { reason: 'notANumber', detail: typeof value }
  return Number.isFinite(value) ? point : { reason: 'notANumber', detail: 'infinite' }
}

/** Why a reading whose value is a number is not taken. */
export const readingFault = (
  sn: string,
  point: PointMeta | undefined,
  time: number,
  value: number,
  now: number,
): { reason: Rejection; detail: string } | undefined => {
  if (!point) return { reason: 'unknownPoint', detail: '' }
  if (point.SN !== sn) return { reason: 'foreignPoint', detail: String(point.Id) }
  if (!Number.isFinite(value)) return { reason: 'notANumber', detail: 'infinite' }
  if (!Number.isSafeInteger(time) || time < oldest) return { reason: 'tooOld', detail: String(time) }
  if (time > now + ahead) return { reason: 'tooFarAhead', detail: String(time) }
}
