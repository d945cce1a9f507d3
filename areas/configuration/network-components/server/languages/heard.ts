// Shared by the languages of foreign senders.
import { numberOf, excerpt as short } from '../../../../../contract/parsing/values.ts'

/** A value as received. */
export type HeardValue = {
  device: string
  key: string
  time: number | null
  /** Null: it has no value at present. */
  value: unknown
  quality?: 0 | 1 | 2 | 3
  /** The sender marks it as back-fill. */
  isHistory?: true
}
export type Heard = {
  values: HeardValue[]
  /** Attributes: those without a point are not offered for adoption. */
  isQuiet?: boolean
  /** Values of types that no point has, such as tables. */
  skipped?: number
  /** Why the message, or a part of it, cannot be parsed. */
  fault?: string
}

/** Maximum values of one message. */
export const mostValues = 50_000
export const longestName = 200

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isName = (name: string) => name.length > 0 && name.length <= longestName && !/\p{Cc}|\p{Cs}/u.test(name)

/** Adds the values of an object by key; nested objects are not values. */
export const pushValues = (into: HeardValue[], values: Record<string, unknown>, device: string, time: number | null) => {
  for (const key of Object.keys(values)) {
    if (into.length >= mostValues) return
    const value = values[key]
    if (value !== null && isName(key)) into.push({ device, key, time, value })
  }
}

export const asNumber = numberOf
export const excerpt = (value: unknown) => short(value, 200)

/** Limits of a JSON message: bytes, and lists, objects and commas in it. Each takes memory and time, even if empty. */
export const [mostJsonBytes, mostParts] = [1024 * 1024, 30_000]
const [quote, backslash, comma, list, object] = [...'"\\,[{'].map((c) => c.charCodeAt(0))
/** The reason not to parse a message. */
export const jsonFault = (payload: Buffer): string | undefined => {
  if (payload.length > mostJsonBytes) return `more than ${mostJsonBytes} bytes`
  let parts = 0
  let quoted = false
  for (let i = 0; i < payload.length; i++) {
    const c = payload[i]
    if (quoted) {
      if (c === backslash) i++
      else if (c === quote) quoted = false
    } else if (c === quote) quoted = true
    else if ((c === comma || c === list || c === object) && ++parts > mostParts) return `more than ${mostParts} parts`
  }
}
export const parseJson = (payload: Buffer): { json: unknown } | { fault: string } => {
  const fault = jsonFault(payload)
  if (fault) return { fault }
  try {
    return { json: JSON.parse(payload.toString()) }
  } catch (error) {
    return { fault: (error as Error).message.slice(0, 200) }
  }
}
