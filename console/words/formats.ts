// Numbers, times and ages as people read them. Pure, but for the zone of the signed-in person.
import { durationUnits, formatOf, none, timeIn } from '../../contract/formats.ts'
import type { Words } from './words.ts'

export { ageText, durationUnits, none, numberText } from '../../contract/formats.ts'

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

/** An amount as its currency is written, with up to four decimals where a price has them. */
export const moneyText = (amount: number, currency: string, locale?: string): string => {
  const digits = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  return formatOf(locale, { style: 'currency', currency, maximumFractionDigits: Math.max(digits, 4) }, currency).format(amount)
}

/** A sum of money, to the decimals of its currency. */
export const costText = (amount: number | null | undefined, currency: string | null | undefined, locale?: string): string =>
  amount === null || amount === undefined || !currency
    ? none
    : formatOf(locale, { style: 'currency', currency }, `cost ${currency}`).format(amount)

/** `YYYY-MM-DD HH:mm:ss` of a moment, in the person's zone unless another is named. */
export const timeText = (epoch: number | null | undefined, timeZone = zone): string => timeIn(epoch, timeZone)

/** Epoch ms of a wall time `YYYY-MM-DD HH:mm:ss` in a zone; of two equal ones in autumn the first. NaN if it is none. */
export const wallToEpoch = (text: string, timeZone = zone): number => {
  const utc = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(utc)) return Number.NaN
  const offset = (epoch: number) => Date.parse(`${timeText(epoch, timeZone).replace(' ', 'T')}Z`) - Math.floor(epoch / 1000) * 1000
  const first = utc - offset(utc - 86_400_000)
  return timeText(first, timeZone) === text.replace('T', ' ') ? first : utc - offset(first)
}

const relative = new Map<string, Intl.RelativeTimeFormat>()
/** How long ago: `now`, `12s ago`, `1d ago` in the language's own short form. A day is 24 hours, not yesterday. */
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
/** `YYYY-MM-DD` of a moment in the person's zone. It is asked for every second, and changes with no minute between. */
export const dayText = (epoch: number): string => {
  const minute = Math.floor(epoch / 60_000)
  if (day.minute !== minute || day.zone !== zone) day = { minute, zone, text: timeText(epoch).slice(0, 10) }
  return day.text
}

/** `HH:mm:ss` of a wall time on this day, else `YYYY-MM-DD HH:mm`. */
export const shortTimeText = (wall: string, today: string): string => (wall.startsWith(today) ? wall.slice(11) : wall.slice(0, 16))

/** The name of a zone after a time, unless it is the reader's own. */
export const zoneText = (name: string | undefined, own = zone): string => (name === undefined || name === own ? '' : ` (${name})`)

const powers = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** Shortened count: 1,234,567 → 1.2 M (specification, section 9). What rounds to 1,000 of one unit is 1 of the next. */
export const shortText = (value: number, locale?: string): string => {
  if (!Number.isFinite(value)) return none
  const size = Math.abs(value)
  // A tenth is the finest that is shown, and no fraction at all without a unit.
  const found = powers.findIndex((_, at) => (at ? Math.round((size / 1000 ** at) * 10) / 10 : Math.round(size)) < 1000)
  const power = found < 0 ? powers.length - 1 : found
  const text = (value / 1000 ** power).toLocaleString(locale, { maximumFractionDigits: power ? 1 : 0 })
  return power ? `${text} ${powers[power]}` : text
}

/**
 * Epoch ms of a moment as it may come: 10 digits are seconds and 13 digits milliseconds since 1970 (specification, section 9),
 * anything else is a wall time `YYYY-MM-DD HH:mm:ss` in a zone. NaN if it is none.
 */
export const epochOf = (value: string | number, timeZone = zone): number => {
  const text = String(value).trim()
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  return /^\d{13}$/.test(text) ? Number(text) : wallToEpoch(text, timeZone)
}

/** Minutes east of UTC: the person's TimeZoneVal, else the browser's own offset now. */
export const zoneOffset = (user?: { TimeZoneVal?: number | null }): number => user?.TimeZoneVal ?? -new Date().getTimezoneOffset()

/** For a window of the day, `HH:mm` or `HH:mm:ss`: a start that is not earlier than the end means the end of the next day. */
export const isOvernight = (start: string, end: string): boolean => `${start}:00`.slice(0, 8) >= `${end}:00`.slice(0, 8)

/** What to say beside such a window; nothing when it lies within one day, or is not whole yet. */
export const timeHint = (start: string | null, end: string | null, t: Words): string | undefined =>
  start && end && isOvernight(start, end) ? t('time.overnight', { start, end }) : undefined
