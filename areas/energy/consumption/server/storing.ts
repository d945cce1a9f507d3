// Stores derived days of circuits, and what is known of them.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import type { Segment } from '../../../../server/telemetry/meaning/quarters.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { Circuit, Metered } from './circuits.ts'
import { derive, monthAfter, monthOf, rowsOfDays, type Span, writeDays } from './days.ts'

export type DerivingNeeds = {
  database: Database
  telemetry: Pick<Telemetry, 'aside' | 'arrivals' | 'top' | 'first' | 'readingsSince'> & { latest: Pick<Telemetry['latest'], 'get'> }
  isOwner: () => boolean
  clock: () => number
  log: Pick<Logger, 'warn'>
}

/** A circuit with a meter, and the days from `from` to `until` that are derived, epoch ms. */
export type Derived = Circuit & Metered & { from: number; until: number }
/** Circuits whose days are derived together. */
const circuitsTogether = 40
/** Of a month beside a touched one, the days at their border: longer gaps are outages. */
const besideMs = 7 * day

export const toDay = (time: number) => Math.floor(time / day) * day
const dayText = (time: number) => new Date(time).toISOString().slice(0, 10)

export const createStoring = ({ database, telemetry, clock }: Pick<DerivingNeeds, 'database' | 'telemetry' | 'clock'>) => {
  const db = database.system
  /** The first day of which all readings are still there. */
  const keptFrom = (segments: readonly Segment[]) => {
    const since = Math.max(...segments.map(({ meaning }) => telemetry.readingsSince(meaning.id) ?? Number.NEGATIVE_INFINITY))
    return Number.isFinite(since) ? dayText(toDay(since) + day) : '-infinity'
  }
  const forget = async (circuits: readonly { id: number; segments: readonly Segment[] }[]) => {
    if (!circuits.length) return
    const [ids, from] = [circuits.map(({ id }) => id), circuits.map(({ segments }) => keptFrom(segments))]
    await db.rows(sql`
      with gone as (delete from energy_state where "EnergyInfoId" = any(${ids}::bigint[]))
      delete from energy_day d using unnest(${ids}::bigint[], ${from}::text[]) k(id, kept) where d."EnergyInfoId" = k.id and d."Day" >= k.kept::date`)
  }
  /** The first day that is stored: days whose readings retention took outlast other rules of their meter. */
  const firstKept = async (circuit: number) => {
    const [row] = await db.rows<{ Day: number | null }>(
      sql`select (extract(epoch from min("Day")) * 1000)::float8 as "Day" from energy_day where "EnergyInfoId" = ${circuit}`,
    )
    return row?.Day ?? Number.POSITIVE_INFINITY
  }
  const saveState = (circuits: readonly Derived[], arrived: number) =>
    db.rows(sql`
      insert into energy_state ("EnergyInfoId", "EnterpriseId", "DerivedFrom", "DerivedUntil", "Arrived", "Fingerprint")
      select i."Id", i."EnterpriseId", s.begins::date, s.until::date, ${arrived}, s.fingerprint
      from unnest(${circuits.map(({ Id }) => Id)}::bigint[], ${circuits.map(({ from }) => dayText(from))}::text[],
        ${circuits.map(({ until }) => dayText(until))}::text[], ${circuits.map(({ fingerprint }) => fingerprint)}::text[]) s(id, begins, until, fingerprint)
      join energy_info i on i."Id" = s.id
      on conflict ("EnergyInfoId") do update set "DerivedFrom" = excluded."DerivedFrom", "DerivedUntil" = excluded."DerivedUntil",
        "Arrived" = excluded."Arrived", "Fingerprint" = excluded."Fingerprint"`)

  /** Derives a span of whole days. Days whose readings retention took stay as they are. */
  const store = async (circuits: readonly Derived[], { start, end }: Span) => {
    for (let i = 0; i < circuits.length; i += circuitsTogether) {
      const some = new Map(circuits.slice(i, i + circuitsTogether).map((circuit) => [circuit.Id, circuit]))
      const rows: ReturnType<typeof rowsOfDays> = []
      await derive({ telemetry, now: clock() }, some, { start, end }, (id, parts) => {
        rows.push(...rowsOfDays(id, parts))
      })
      const kept = new Map([...some].map(([id, { segments }]) => [id, keptFrom(segments)]))
      for (const [EnterpriseId, own] of Map.groupBy(rows, ({ id }) => some.get(id)!.EnterpriseId))
        await writeDays(db, EnterpriseId, own, kept)
    }
  }

  /** Months affected by late readings, plus the adjacent days that gaps across the month boundary reach. */
  const takeLate = async (touched: ReadonlyMap<Derived, ReadonlySet<number>>) => {
    const spans = new Map<string, { span: Span; circuits: Derived[] }>()
    for (const [circuit, months] of touched)
      for (const month of months) {
        const start = Math.max(toDay(circuit.from), monthOf(month) - besideMs)
        const end = Math.min(circuit.until, monthAfter(month) + besideMs)
        const one = spans.get(`${start} ${end}`) ?? { span: { start, end }, circuits: [] }
        spans.set(`${start} ${end}`, one)
        one.circuits.push(circuit)
      }
    for (const { span, circuits } of spans.values()) if (span.end > span.start) await store(circuits, span)
  }
  return { firstKept, forget, saveState, store, takeLate }
}
