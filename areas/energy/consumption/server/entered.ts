// Amounts and readings that people enter, by quarter-hours.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { emptyQuarters, type QuarterParts, quality } from '../../../../server/telemetry/meaning/quarters.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'

/** Amounts in whole thousandths; an amount's end is exclusive. */
export type Entry = { circuit: number; start: number; end: number; value: number; isReading: boolean; isCoarse: boolean }
export type Entered = QuarterParts & {
  /** 1 where the amount is of a day or a month: it belongs to no price level. */
  coarse: Uint8Array
}

/** Entries of circuits around a range: periods that touch it, and the readings before and after. */
export const entriesOf = async (db: Db, ids: readonly number[], start: number, end: number): Promise<Entry[]> => {
  if (!ids.length) return []
  const [from, to] = [new Date(start), new Date(end)]
  const local = sql`d."DataTime" at time zone e."TimeZoneKey"`
  return db.rows<Entry>(sql`
    with entries as (
      select d.*, case d."CycleType" when 1 then d."DataTime" + interval '1 hour'
        when 2 then (date_trunc('day', ${local}) + interval '1 day') at time zone e."TimeZoneKey"
        else (date_trunc('month', ${local}) + interval '1 month') at time zone e."TimeZoneKey" end as "End",
        case d."CycleType" when 1 then d."DataTime" when 2 then date_trunc('day', ${local}) at time zone e."TimeZoneKey"
        else date_trunc('month', ${local}) at time zone e."TimeZoneKey" end as "Start"
      from energy_info_data d join enterprise e on e."Id" = d."EnterpriseId" where d."EnergyInfoId" = any(${[...ids]}::bigint[]))
    select "EnergyInfoId" as circuit, (extract(epoch from case when "IsReading" = 1 then "DataTime" else "Start" end) * 1000)::float8 as start,
      (extract(epoch from "End") * 1000)::float8 as "end", round("Value" * 1000)::float8 as value, "IsReading" = 1 as "isReading", "CycleType" > 1 as "isCoarse"
    from entries x where "IsReading" = 0 and "End" > ${from}::timestamptz and "Start" < ${to}::timestamptz
      or "IsReading" = 1 and "DataTime" >= coalesce((select max(b."DataTime") from entries b where b."EnergyInfoId" = x."EnergyInfoId" and b."IsReading" = 1
          and b."DataTime" <= ${from}::timestamptz), '-infinity')
        and "DataTime" <= coalesce((select min(a."DataTime") from entries a where a."EnergyInfoId" = x."EnergyInfoId" and a."IsReading" = 1
          and a."DataTime" >= ${to}::timestamptz), 'infinity')
    order by 1, 2`)
}

type Span = { start: number; end: number; value: number; isCoarse: boolean }
/** Amounts between readings; a reading below the one before says nothing. */
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
  const taken = new Map<number, number>()
  const origin = range.start / quarter
  for (const { start, end, value, isCoarse } of spans) {
    const free: number[] = []
    let rest = value
    for (let q = first(start); q < first(end); q++) {
      const known = taken.get(q)
      if (known === undefined) free.push(q)
      else rest -= known
    }
    rest = Math.max(0, rest)
    for (const [i, q] of free.entries()) {
      const share = Math.floor((rest * (i + 1)) / free.length) - Math.floor((rest * i) / free.length)
      taken.set(q, share)
      const at = q - origin
      if (at < 0 || at >= range.count) continue
      answer.value[at] = share
      answer.quality[at] = quality.entered
      answer.unknown[at] = 0
      answer.coarse[at] = Number(isCoarse)
    }
  }
  return answer
}
