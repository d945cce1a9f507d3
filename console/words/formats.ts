// Displayed numbers, times and ages. Pure except for the time zone of the signed-in person.
import { durationUnits, formatOf, none, timeIn } from '../../contract/formats.ts'
import type { Words } from './words.ts'

export { ageText, durationUnits, none, numberText, shareText } from '../../contract/formats.ts'

let zone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
export const userZone = () => zone
export const setUserZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    zone = name
  } catch {
    zone = browserZone
  }
}

/** An amount in the format of its currency, with up to four decimals for prices. */
export const moneyText = (amount: number, currency: string, locale?: string): string => {
  const digits = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  return formatOf(locale, { style: 'currency', currency, maximumFractionDigits: Math.max(digits, 4) }, currency).format(amount)
}

/** A cost, with the decimals of its currency. */
export const costText = (amount: number | null | undefined, currency: string | null | undefined, locale?: string): string =>
  amount === null || amount === undefined || !currency
    ? none
    : formatOf(locale, { style: 'currency', currency }, `cost ${currency}`).format(amount)

/** `YYYY-MM-DD HH:mm:ss` of a time, by default in the person's zone. */
export const timeText = (epoch: number | null | undefined, timeZone = zone): string => timeIn(epoch, timeZone)

/** Epoch ms of a wall time `YYYY-MM-DD HH:mm:ss` in a zone; for an ambiguous time in autumn the first one. NaN if invalid. */
export const wallToEpoch = (text: string, timeZone = zone): number => {
  const utc = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(utc)) return Number.NaN
  const offset = (epoch: number) => Date.parse(`${timeText(epoch, timeZone).replace(' ', 'T')}Z`) - Math.floor(epoch / 1000) * 1000
  const first = utc - offset(utc - 86_400_000)
  return timeText(first, timeZone) === text.replace('T', ' ') ? first : utc - offset(first)
}

const relative = new Map<string, Intl.RelativeTimeFormat>()
/** Age: `now`, `12s ago`, `1d ago` in the language's short form. A day is 24 hours. */
export const agoText = (ms: number, locale = 'en'): string => {
  const [unit, size] = durationUnits.find(([, size]) => ms >= size) ?? ['second', 1000]
  const count = Math.max(0, Math.floor(ms / size))
  const numeric = count ? 'always' : 'auto'
  const key = `${locale} ${numeric}`
  const format = relative.get(key) ?? new Intl.RelativeTimeFormat(locale, { style: 'narrow', numeric })
  relative.set(key, format)
  return format.format(-count, unit)
}

let day = { minute: Number.NaN, zone, text: '' }
/** `YYYY-MM-DD` of a time in the person's zone. Cached per minute: it is called every second. */
export const dayText = (epoch: number): string => {
  const minute = Math.floor(epoch / 60_000)
  if (day.minute !== minute || day.zone !== zone) day = { minute, zone, text: timeText(epoch).slice(0, 10) }
  return day.text
}

/** `HH:mm:ss` of a wall time on this day, else `YYYY-MM-DD HH:mm`. */
export const shortTimeText = (wall: string, today: string): string => (wall.startsWith(today) ? wall.slice(11) : wall.slice(0, 16))

/** The name of a zone after a time, unless it is the reader's zone. */
export const zoneText = (name: string | undefined, own = zone): string => (name === undefined || name === own ? '' : ` (${name})`)

const powers = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** Shortened count: 1,234,567 → 1.2 M (specification, section 9). A value that rounds to 1,000 of one unit becomes 1 of the next. */
export const shortText = (value: number, locale?: string): string => {
  if (!Number.isFinite(value)) return none
  const size = Math.abs(value)
  // At most one decimal, and none without a unit.
  const found = powers.findIndex((_, at) => (at ? Math.round((size / 1000 ** at) * 10) / 10 : Math.round(size)) < 1000)
  const power = found < 0 ? powers.length - 1 : found
  const text = (value / 1000 ** power).toLocaleString(locale, { maximumFractionDigits: power ? 1 : 0 })
  return power ? `${text} ${powers[power]}` : text
}

/**
 * Epoch ms of a time: 10 digits are seconds and 13 digits milliseconds since 1970 (specification, section 9),
 * anything else is a wall time `YYYY-MM-DD HH:mm:ss` in a zone. NaN if invalid.
 */
export const epochOf = (value: string | number, timeZone = zone): number => {
  const text = String(value).trim()
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  return /^\d{13}$/.test(text) ? Number(text) : wallToEpoch(text, timeZone)
}

/** Minutes east of UTC: the person's TimeZoneVal, otherwise the browser's present offset. */
export const zoneOffset = (user?: { TimeZoneVal?: number | null }): number => user?.TimeZoneVal ?? -new Date().getTimezoneOffset()

/** For a daily window, `HH:mm` or `HH:mm:ss`: if the start is not before the end, the window ends on the next day. */
export const isOvernight = (start: string, end: string): boolean => `${start}:00`.slice(0, 8) >= `${end}:00`.slice(0, 8)

/** A note for such a window; undefined if it is within one day or incomplete. */
export const timeHint = (start: string | null, end: string | null, t: Words): string | undefined =>
  start && end && isOvernight(start, end) ? t('time.overnight', { start, end }) : undefined
