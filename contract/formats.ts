// Numbers, times and ages as people read them. Pure.

/** Placeholder for a missing value. */
export const none = '—'

const numberFormats = new Map<string, Intl.NumberFormat>()
/** Live screens write thousands of numbers a second; to make a format costs more than to use it. */
export const formatOf = (locale: string | undefined, options: Intl.NumberFormatOptions, key: string) => {
  const name = `${locale} ${key}`
  const format = numberFormats.get(name) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(name, format)
  return format
}

/** A value with the decimals its point asks for, or up to `most` where it needs more, as limits may. */
export const numberText = (value: number | null | undefined, digits = 2, locale?: string, most = digits): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? none
    : formatOf(locale, { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, most) }, `${digits} ${most}`).format(value)

/** A share as a percentage. What is not whole never reads as 100 %. */
export const shareText = (share: number | null | undefined, locale?: string, digits = 1): string => {
  if (share === null || share === undefined) return none
  return `${numberText(share < 1 ? Math.min(100 * share, 100 - 10 ** -digits) : 100 * share, digits, locale)} %`
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const clockOf = (timeZone: string) => {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
  clocks.set(timeZone, clock)
  return clock
}
const parts = (epoch: number, timeZone: string) =>
  Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(epoch)
      .map((p) => [p.type, p.value]),
  )

/** `YYYY-MM-DD HH:mm:ss` of a moment in a zone. */
export const timeIn = (epoch: number | null | undefined, timeZone: string): string => {
  if (epoch === null || epoch === undefined || !Number.isFinite(epoch)) return none
  const p = parts(epoch, timeZone)
  return `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second}`
}

/** Units of durations, largest first, in ms. */
export const durationUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long, in the largest unit that fits: `12s`, `3m`, `5h`, `2d` in the language's own short form. */
export const ageText = (ms: number, locale?: string): string => {
  const [unit, size] = durationUnits.find(([, size]) => ms >= size) ?? ['second', 1000]
  return formatOf(locale, { style: 'unit', unit, unitDisplay: 'narrow' }, unit).format(Math.max(0, Math.floor(ms / size)))
}
