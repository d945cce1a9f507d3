import { offsets } from '../../../../server/telemetry/zone.ts'
import { type DayTable, tableAt } from '../dayTables.ts'
import type { Charge, Tax } from '../prices.ts'
import { quarterMs, quartersOfDay } from '../quarterHours.ts'

/** Prices that hold from a day to a day, both included; days are numbers of local dates since 1970. */
export type PriceVersion = {
  id: number
  from: number
  /** Infinity: until further notice. */
  to: number
  type: number
  tables: readonly DayTable[]
  /** Up to so many thousandths of a unit (null: without end), millionths of the currency for a unit. */
  tiers: readonly { upTo: bigint | null; price: bigint }[]
  /** 1 month, 2 year. */
  tierPeriod: number
  /** Billionths of the currency for a kVA or kW and month; kVA in thousandths. */
  demand: { type: number; price: bigint; minutes: number; kva: bigint }
  pfStandard: number | null
  charges: readonly Charge[]
  taxes: readonly Tax[]
}
/** Whether a local date, as days since 1970, is a holiday or weekend. */
export type IsHoliday = (day: number) => boolean

/** Quarter-hours of one local day that follow each other on the wall clock: [from, to) of the range, beginning at quarter `first` of the day. */
export type Stretch = {
  from: number
  to: number
  first: number
  day: number
  /** Months since 1970. */
  month: number
  version: PriceVersion | null
  table: DayTable | null
}

const dayMs = 86_400_000

export const monthOf = (day: number) => {
  const date = new Date(day * dayMs)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}
export const versionAt = (versions: readonly PriceVersion[], day: number): PriceVersion | null =>
  versions.findLast(({ from, to }) => from <= day && day <= to) ?? null

const build = (versions: readonly PriceVersion[], zone: string, isHoliday: IsHoliday, start: number, count: number): Stretch[] => {
  const spans = offsets(zone, start, start + count * quarterMs)
  const found: Stretch[] = []
  let span = 0
  for (let from = 0; from < count; ) {
    const time = start + from * quarterMs
    while (spans[span + 1] && spans[span + 1]!.from <= time) span++
    const local = time + spans[span]!.offset
    const day = Math.floor(local / dayMs)
    const first = Math.floor((local - day * dayMs) / quarterMs)
    const change = spans[span + 1] ? Math.ceil((spans[span + 1]!.from - start) / quarterMs) : count
    const to = Math.min(count, from + quartersOfDay - first, change)
    const version = versionAt(versions, day)
    const month = monthOf(day)
    const table = version?.tables[tableAt(month % 12, isHoliday(day))] ?? null
    found.push({ from, to, first, day, month, version, table })
    from = to
  }
  return found
}

/** Stretches by tariff, calendar and range: a report asks for the same month for each of its circuits. */
const mostRanges = 64
const cache = new WeakMap<readonly PriceVersion[], WeakMap<IsHoliday, Map<string, Stretch[]>>>()

/** The days of a range with their prices. Answers for the same list of versions and the same calendar are cached. */
export const timeline = (versions: readonly PriceVersion[], zone: string, isHoliday: IsHoliday, start: number, count: number) => {
  const byCalendar = cache.get(versions) ?? new WeakMap<IsHoliday, Map<string, Stretch[]>>()
  cache.set(versions, byCalendar)
  const ranges = byCalendar.get(isHoliday) ?? new Map<string, Stretch[]>()
  byCalendar.set(isHoliday, ranges)
  const key = `${zone} ${start} ${count}`
  const known = ranges.get(key)
  if (known) return known
  const stretches = build(versions, zone, isHoliday, start, count)
  if (ranges.size >= mostRanges) ranges.delete(ranges.keys().next().value!)
  ranges.set(key, stretches)
  return stretches
}
