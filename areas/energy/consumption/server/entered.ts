// Amounts and readings that people enter, by quarter-hours.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { emptyQuarters, type QuarterParts, quality } from '../../../../server/telemetry/meaning/quarters.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'

/** Amounts in whole thousandths; an amount's end is exclusive. */
export type Entry = { circuit: number; start: number; end: number; value: number; isReading: boolean; isCoarse: boolean }
export type Entered = QuarterParts & {
  /** 1 where the amount is of a day or a month: it belongs to no price level. */
  coarse: Uint8Array
}

/** What has entries, and they, with the columns of energy_info_data. */
export type EntryTables = { of: RawBuilder<unknown>; data: RawBuilder<unknown> }
const ofCircuits: EntryTables = { of: sql`energy_info`, data: sql`energy_info_data` }

/**
 * Entries around a range: those of the months that it touches, since what a day says leaves less for the other days of its month,
 * and the readings before and after.
 */
export const entriesOf = async (
  db: Db,
  ids: readonly number[],
  start: number,
  end: number,
  { of, data }: EntryTables = ofCircuits,
): Promise<Entry[]> => {
  if (!ids.length) return []
  const [from, to] = [sql`${new Date(start)}::timestamptz`, sql`${new Date(end)}::timestamptz`]
  const reading = (which: 'max' | 'min', id: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`
    coalesce((select ${sql.raw(which)}(b."DataTime") from ${data} b where b."EnergyInfoId" = ${id} and b."IsReading" = 1
      and b."DataTime" ${which === 'max' ? sql`<=` : sql`>=`} ${at}), ${at})`
  const begins = (unit: 'day' | 'month') => sql`date_trunc(${sql.lit(unit)}, d."DataTime" at time zone s.zone)`
  return db.rows<Entry>(sql`
    with near as (
      select c.id, z."TimeZoneKey" as zone, ${reading('max', sql`c.id`, from)} as before, ${reading('min', sql`c.id`, to)} as after
      from unnest(${[...ids]}::bigint[]) c (id) join ${of} i on i."Id" = c.id join enterprise z on z."Id" = i."EnterpriseId"),
    months as (
      select id, zone, date_trunc('month', before at time zone zone) at time zone zone as first,
        (date_trunc('month', after at time zone zone) + interval '1 month') at time zone zone as last from near),
    spans as (
      select m.*, ${reading('max', sql`m.id`, sql`m.first`)} as since, ${reading('min', sql`m.id`, sql`m.last`)} as until from months m)
    select d."EnergyInfoId" as circuit, (extract(epoch from case when d."IsReading" = 1 or d."CycleType" = 1 then d."DataTime"
          when d."CycleType" = 2 then ${begins('day')} at time zone s.zone else ${begins('month')} at time zone s.zone end) * 1000)::float8 as start,
      (extract(epoch from case d."CycleType" when 1 then d."DataTime" + interval '1 hour'
          when 2 then (${begins('day')} + interval '1 day') at time zone s.zone
          else (${begins('month')} + interval '1 month') at time zone s.zone end) * 1000)::float8 as "end",
      round(d."Value" * 1000)::float8 as value, d."IsReading" = 1 as "isReading", d."CycleType" > 1 as "isCoarse"
    from spans s join ${data} d on d."EnergyInfoId" = s.id and d."DataTime" >= s.since and d."DataTime" <= s.until
    where d."IsReading" = 1 or d."DataTime" >= s.first and d."DataTime" < s.last
    order by 1, 2`)
}

type Span = { start: number; end: number; value: number; isCoarse: boolean }
/** Amounts between readings. Ignores readings below the previous one. */
const betweenReadings = (entries: readonly Entry[]): Span[] => {
  const readings = entries.filter(({ isReading }) => isReading)
  return readings.slice(1).flatMap((one, i) => {
    const before = readings[i]!
    if (one.value < before.value || one.start <= before.start) return []
    return [{ start: before.start, end: one.start, value: one.value - before.value, isCoarse: one.start - before.start > 4 * quarter }]
  })
}

const first = (time: number) => Math.round(time / quarter)
/**
 * Quarter-hours of one circuit from its entries. What an hour says counts before what its day says, and that before its month: the rest of a
 * longer period is spread evenly over what the shorter ones leave, in whole thousandths that add up to it.
 */
export const enteredQuarters = (entries: readonly Entry[], range: { start: number; count: number }): Entered => {
  const answer = { ...emptyQuarters(range), coarse: new Uint8Array(range.count) }
  const spans = [...betweenReadings(entries), ...entries.filter(({ isReading }) => !isReading)].sort(
    (a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start,
  )
  if (!spans.length) return answer
  const origin = range.start / quarter
  const begin = spans.reduce((least, { start }) => Math.min(least, first(start)), Number.POSITIVE_INFINITY)
  const taken = new Float64Array(spans.reduce((most, { end }) => Math.max(most, first(end)), begin) - begin).fill(Number.NaN)
  for (const { start, end, value, isCoarse } of spans) {
    const [from, to] = [first(start) - begin, first(end) - begin]
    let [rest, free] = [value, 0]
    for (let q = from; q < to; q++)
      if (Number.isNaN(taken[q])) free++
      else rest -= taken[q]!
    rest = Math.max(0, rest)
    for (let q = from, i = 0; q < to; q++) {
      if (!Number.isNaN(taken[q])) continue
      const share = Math.floor((rest * (i + 1)) / free) - Math.floor((rest * i) / free)
      i++
      taken[q] = share
      const at = q + begin - origin
      if (at < 0 || at >= range.count) continue
      answer.value[at] = share
      answer.quality[at] = quality.entered
      answer.unknown[at] = 0
      answer.coarse[at] = Number(isCoarse)
    }
  }
  return answer
}
