// The cache of derived days, and quarter-hours of meters: from it as far as it goes, from readings beyond.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { ownTurn, pausing } from '../../../../server/jobs/ownTurn.ts'
import { emptyQuarters, meterQuarters, type QuarterParts } from '../../../../server/telemetry/meaning/quarters.ts'
import { day, quarter } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { Metered } from './circuits.ts'
import { decodeDay, encodeDay, perDay } from './dayCode.ts'

export type Deriving = { telemetry: Pick<Telemetry, 'aside'>; now: number }
export type Span = { start: number; end: number }
type State = { EnergyInfoId: number; DerivedFrom: number; DerivedUntil: number; Arrived: number; Fingerprint: string }

const epochOf = (column: string) => sql.raw(`(extract(epoch from "${column}") * 1000)::float8 as "${column}"`)
export const statesOf = (db: Db, ids: readonly number[]) =>
  db.rows<State>(sql`
    select "EnergyInfoId", ${epochOf('DerivedFrom')}, ${epochOf('DerivedUntil')}, "Arrived"::float8 as "Arrived", "Fingerprint"
    from energy_state where "EnergyInfoId" = any(${[...ids]}::bigint[])`)

type DayRow = { EnergyInfoId: number; Day: number; Parts: Uint8Array; Open: number }
/** Days that are read at a time. */
const daysTogether = 20_000

/** Derives quarter-hours of circuits from readings, a month of a few at a time. */
export const derive = async (
  { telemetry, now }: Deriving,
  metered: ReadonlyMap<number, Metered>,
  { start, end }: Span,
  take: (id: number, parts: QuarterParts) => void | Promise<void>,
) => {
  const meters = new Map([...metered].map(([id, { segments }]) => [id, segments]))
  const pause = pausing()
  for (let from = start; from < end; ) {
    const to = Math.min(end, monthAfter(from))
    const found = await meterQuarters(telemetry.aside, meters, { start: from, count: Math.round((to - from) / quarter) }, now)
    for (const [id, parts] of found) {
      await take(id, parts)
      await pause()
    }
    from = to
  }
}
export const monthOf = (time: number) => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
export const monthAfter = (time: number) => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

const copy = (from: QuarterParts, to: QuarterParts) => {
  const at = Math.round((from.start - to.start) / quarter)
  for (let i = Math.max(0, -at); i < from.value.length && i + at < to.value.length; i++) {
    if (from.unknown[i]) continue
    to.value[i + at] = from.value[i]!
    to.quality[i + at] = from.quality[i]!
    to.unknown[i + at] = 0
  }
  to.events.push(...from.events)
}

/** Quarter-hours of circuits with meters in a range of whole quarter-hours. Missing and outdated days are derived from readings. */
export const meteredQuarters = async (db: Db, deriving: Deriving, metered: ReadonlyMap<number, Metered>, { start, end }: Span) => {
  const ids = [...metered.keys()]
  const range = { start, count: Math.round((end - start) / quarter) }
  const answer = new Map(ids.map((id) => [id, emptyQuarters(range)]))
  if (!ids.length || range.count <= 0) return answer
  const states = new Map((await statesOf(db, ids)).map((state) => [state.EnergyInfoId, state]))
  const known = ids.filter((id) => states.get(id)?.Fingerprint === metered.get(id)!.fingerprint)
  const first = Math.floor(start / day) * day
  const there = new Map<number, Set<number>>()
  const size = Math.max(1, Math.floor(daysTogether / ((end - first) / day + 1)))
  for (let i = 0; i < known.length; i += size) {
    const rows = await db.rows<DayRow>(sql`
      select "EnergyInfoId", (extract(epoch from "Day") * 1000)::float8 as "Day", "Parts", "Open" from energy_day
      where "EnergyInfoId" = any(${known.slice(i, i + size)}::bigint[]) and "Day" >= ${new Date(first).toISOString()}::date
        and "Day" <= ${new Date(end - 1).toISOString()}::date`)
    for (const { EnergyInfoId, Day, Parts, Open } of rows) {
      const state = states.get(EnergyInfoId)!
      if (Day >= state.DerivedUntil || Day < state.DerivedFrom) continue
      const own = there.get(EnergyInfoId) ?? new Set<number>()
      there.set(EnergyInfoId, own.add(Day))
      const to = answer.get(EnergyInfoId)!
      decodeDay(Parts, to, Math.round((Day - start) / quarter))
      for (let k = 0; k < Open; k++) to.events.push(Day)
    }
    if (rows.length > 1000) await ownTurn()
  }
  // Circuits that lack the same stretch are asked for together.
  const lacking = new Map<string, { span: Span; ids: number[] }>()
  for (const id of ids)
    for (const span of lackedBy(known.includes(id) ? states.get(id) : undefined, there.get(id), {
      start,
      end: Math.min(end, deriving.now),
    })) {
      const key = `${span.start} ${span.end}`
      const one = lacking.get(key) ?? { span, ids: [] }
      lacking.set(key, one)
      one.ids.push(id)
    }
  for (const { span, ids } of lacking.values())
    await derive(deriving, new Map(ids.map((id) => [id, metered.get(id)!])), span, (id, parts) => copy(parts, answer.get(id)!))
  return answer
}

/** Gaps of a range without derived days. */
const lackedBy = (state: State | undefined, days: ReadonlySet<number> | undefined, { start, end: last }: Span): Span[] => {
  const end = Math.ceil(last / quarter) * quarter
  if (end <= start) return []
  if (!state) return [{ start, end }]
  const spans: Span[] = []
  for (let at = Math.floor(Math.max(start, state.DerivedFrom) / day) * day; at < end; at += day) {
    if (days?.has(at)) continue
    const [from, to] = [Math.max(start, at), Math.min(end, at + day)]
    const before = spans.at(-1)
    if (before?.end === from) before.end = to
    else spans.push({ start: from, end: to })
  }
  return spans
}

/** Rows of whole UTC days from derived quarter-hours. */
export const rowsOfDays = (id: number, parts: QuarterParts) => {
  const rows: { id: number; day: string; parts: Buffer; open: number }[] = []
  for (let at = 0; at + perDay <= parts.value.length; at += perDay)
    rows.push({
      id,
      day: new Date(parts.start + at * quarter).toISOString().slice(0, 10),
      parts: encodeDay(parts, at),
      open: parts.events.filter((moment) => moment >= parts.start + at * quarter && moment < parts.start + (at + perDay) * quarter).length,
    })
  return rows
}

/** Rows of before `keptFrom` by circuit are kept as they are: retention took the readings behind them. */
export const writeDays = async (
  db: Db,
  EnterpriseId: number,
  rows: ReturnType<typeof rowsOfDays>,
  keptFrom: ReadonlyMap<number, string>,
) => {
  for (let i = 0; i < rows.length; i += 2000) {
    const some = rows.slice(i, i + 2000)
    // In one statement: sums of these months are outdated no sooner and no later than their days change.
    await db.rows(sql`
      with written as (insert into energy_day ("EnterpriseId", "EnergyInfoId", "Day", "Parts", "Open")
      select ${EnterpriseId}, i."Id", d.day::date, decode(d.parts, 'base64'), d.open
      from unnest(${some.map(({ id }) => id)}::bigint[], ${some.map(({ day }) => day)}::text[],
        ${some.map(({ parts }) => parts.toString('base64'))}::text[], ${some.map(({ open }) => open)}::int[], ${some.map(({ id }) => keptFrom.get(id) ?? '-infinity')}::text[]) d(id, day, parts, open, kept)
      join energy_info i on i."Id" = d.id
      where d.day::date >= d.kept::date or not exists (select 1 from energy_day x where x."EnergyInfoId" = d.id and x."Day" = d.day::date)
      on conflict ("EnergyInfoId", "Day") do update set "Parts" = excluded."Parts", "Open" = excluded."Open" returning "EnergyInfoId", "Day")
      insert into energy_revision as r ("EnterpriseId", "EnergyInfoId", "Month")
      select distinct ${EnterpriseId}::bigint, "EnergyInfoId", date_trunc('month', "Day")::date from written
      on conflict ("EnergyInfoId", "Month") do update set "Revision" = r."Revision" + 1`)
  }
}
