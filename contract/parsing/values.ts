// What counts as a number, a time and a name in messages of others.

const number = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?\s*$/
export const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'boolean') return value ? 1 : 0
  const is = typeof value === 'string' && value.length <= 40 && number.test(value) ? Number(value) : value
  return typeof is === 'number' && Number.isFinite(is) ? is : undefined
}

/** Of numbers; `text`: a date as text. Without a zone it is UTC. */
export const timeUnits = ['s', 'ms', 'us', 'ns', 'text'] as const
const perMs = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 }
const zoned = /(z|[+-]\d\d:?\d\d)$/i
/** Epoch ms. */
export const timeOf = (value: unknown, unit: (typeof timeUnits)[number]): number | undefined => {
  if (unit !== 'text') {
    const is = typeof value === 'boolean' ? undefined : numberOf(value)
    const ms = is === undefined ? Number.NaN : Math.round(is / perMs[unit])
    return Number.isSafeInteger(ms) ? ms : undefined
  }
  if (typeof value !== 'string' || value.length > 40) return undefined
  const text = value.trim().replace(' ', 'T')
  const ms = Date.parse(zoned.test(text) || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Characters of the name of a device or a point. */
export const longestName = 200
export const nameText = (value: unknown): string | undefined => {
  // One text may name each of 10,000 readings: what is too long is not even trimmed.
  if (typeof value === 'string' && value.length > 2 * longestName) return undefined
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : ''
  return text && text.length <= longestName && !/\p{Cc}|\p{Cs}/u.test(text) ? text : undefined
}

/** What is no number, shortly. An object may have a `toString` that is none. */
export const excerpt = (value: unknown, length = 60): string => {
  if (typeof value !== 'object' || value === null) return String(value).slice(0, length)
  return Array.isArray(value) ? '[…]' : '{…}'
}
