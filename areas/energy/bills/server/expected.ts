// Expected amounts of an invoice from meters and prices: the statements of the months that it covers.
import { dayMs, dayNumber } from '../../../../contract/days.ts'
import { offsets, startOfKey } from '../../../../server/telemetry/zone.ts'
import { tiered } from '../../tariffs/prices.ts'
import { missing, type QuarterHours, quarterMs } from '../../tariffs/quarterHours.ts'
import { type IsHoliday, type LineKind, type PriceVersion, reactiveOf, statementOf } from '../../tariffs/server/service.ts'
import type { Side } from '../comparison.ts'

const kinds: Readonly<Record<LineKind, number>> = { energy: 1, demand: 2, powerFactor: 3, charge: 4, tax: 5 }

type Period = { StartDate: string; EndDate: string }
/** Midnights of the company's zone. */
const midnights = (zone: string, days: readonly number[]) => {
  const spans = offsets(zone, days[0]! * dayMs, days.at(-1)! * dayMs)
  return days.map((day) => startOfKey('day', spans, day))
}

/** Quarter-hours that are needed to price a period: with tiers, those since the year began. */
export const spanOf = ({ StartDate, EndDate }: Period, versions: readonly PriceVersion[], zone: string) => {
  const first = versions.some(({ type }) => type === tiered) ? `${StartDate.slice(0, 4)}-01-01` : StartDate
  const [start, end] = midnights(zone, [dayNumber(first), dayNumber(EndDate) + 1])
  return { start: start!, end: end! }
}

/** The days of a period, a month at a time. */
const monthsOf = ({ StartDate, EndDate }: Period) => {
  const found: { from: number; to: number }[] = []
  const last = dayNumber(EndDate)
  for (let from = dayNumber(StartDate); from <= last; ) {
    const date = new Date(from * dayMs)
    const to = Math.min(last, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / dayMs - 1)
    found.push({ from, to })
    from = to + 1
  }
  return found
}

type Given = Period & {
  versions: readonly PriceVersion[]
  zone: string
  isHoliday: IsHoliday
  quarters: QuarterHours
  reactive?: QuarterHours | undefined
}
export const expectedOf = ({ StartDate, EndDate, versions, zone, isHoliday, quarters, reactive }: Given) => {
  const sum = (from: number, to: number) => quarters.value.subarray(from, to).reduce((total, value) => total + value, 0n)
  const at = (time: number) => Math.max(0, Math.round((time - quarters.start) / quarterMs))
  const sides: Side[] = []
  let [energy, gaps, unpriced] = [0n, 0n, 0n]
  for (const days of monthsOf({ StartDate, EndDate })) {
    const date = new Date(days.from * dayMs)
    const beginnings = [Date.UTC(date.getUTCFullYear(), 0, 1), Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)]
    const [year, month, start, end] = midnights(zone, [...beginnings.map((time) => time / dayMs), days.from, days.to + 1]).map(at)
    const cut = (of: QuarterHours): QuarterHours => ({
      start: of.start + start! * quarterMs,
      ...{ value: of.value.slice(start, end), quality: of.quality.slice(start, end), unknown: of.unknown.slice(start, end) },
    })
    const part = cut(quarters)
    const before = { month: sum(month!, start!), year: sum(year!, start!) }
    const statement = statementOf({
      versions,
      zone,
      isHoliday,
      quarters: part,
      before,
      days,
      reactive: reactiveOf(part, reactive && cut(reactive)),
    })
    for (const { kind, level, name, quantity, cost } of statement.lines) sides.push({ kind: kinds[kind], level, name, quantity, cost })
    unpriced += statement.unpriced
    part.value.forEach((value, i) => {
      energy += value
      if (part.quality[i] === missing) gaps += value
    })
  }
  return { sides, energy, missing: gaps, unpriced }
}
