import { offsets } from '../telemetry/zone.ts'

const aheadMs = 300_000
const pattern = /^(20\d\d)([01]\d)([0-3]\d)([0-2]\d)([0-5]\d)([0-5]\d)(\d{3})?$/

/**
 * `yyyyMMddHHmmss` on a wall clock, as epoch ms; undefined for what is none. An hour that a clock shows twice is the later one, unless that
 * is still to come.
 */
export const wallTime = (text: string, zone: string, now: number): number | undefined => {
  const parts = pattern.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  const local = Date.UTC(year, month - 1, day, hour, minute, second, Number(parts[7] ?? 0))
  const date = new Date(local)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || date.getUTCHours() !== hour) return undefined
  const spans = offsets(zone, local, local)
  const found = spans.flatMap(({ from, offset }, i) => {
    const time = local - offset
    return time >= from && time < (spans[i + 1]?.from ?? Number.POSITIVE_INFINITY) ? [time] : []
  })
  // A time that a clock skips is what it would have shown.
  return found.findLast((time) => time <= now + aheadMs) ?? found[0] ?? local - spans.at(-1)!.offset
}

const two = (n: number) => String(n).padStart(2, '0')
/** The same the other way. */
export const wallText = (time: number, zone: string): string => {
  const { offset } = offsets(zone, time, time).findLast(({ from }) => from <= time)!
  const d = new Date(time + offset)
  return `${d.getUTCFullYear()}${[d.getUTCMonth() + 1, d.getUTCDate(), d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds()].map(two).join('')}`
}
