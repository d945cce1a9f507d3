import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Formula } from '../../../../server/telemetry/meaning/formula.ts'
import type { Entry, Statistics } from '../../../../server/telemetry/meaning/statistics.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { point } from '../../../configuration/points/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type IoRow, type IoRun, mostReadingsHeld, type PointStatus, type StatisticsRow } from '../contract.ts'
import { type Asked, assertFits, dayMs, divided, oldest, past } from './divided.ts'
import { meaningsOf } from './meaning.ts'
import { eachRun, flatSince, gapsOf, withUnknown } from './runs.ts'

export type Reader = {
  db: Db
  actor: Actor
  telemetry: Pick<Telemetry, 'statistics' | 'clock' | 'withFormulas'>
}
/** What only the process has that stores the readings. */
export type StatusReader = Reader & { telemetry: Pick<Telemetry, 'latest' | 'late' | 'rejected'> }

/** Answers queries in which some Ids are formula points. */
export const engineOf = <T extends object>(telemetry: T & Pick<Telemetry, 'withFormulas'>, formulas: ReadonlyMap<number, Formula>) =>
  formulas.size ? { ...telemetry, ...telemetry.withFormulas(formulas) } : telemetry

type RowAsked = { ms: number; partial: number; name: { Shift?: string; Day?: string } }
/** The figures of a part of a range. */
export const rowOf = (part: Entry, { basis, timed }: Pick<Statistics, 'basis' | 'timed'>, asked: RowAsked): StatisticsRow => {
  const single = basis === 'readings'
  const only = (value: number | null) => (timed ? value : null)
  const read = (value: number | null) => (single ? value : null)
  return {
    ...{ Start: part.start, End: part.end, ...asked.name, Partial: asked.partial },
    ...{ Count: part.count, Uncertain: part.uncertain, Bad: part.bad },
    ...{ Min: part.min, MinTime: part.minAt, Max: part.max, MaxTime: part.maxAt },
    ...{ First: part.first, FirstTime: part.firstAt, Last: part.last, LastTime: part.lastAt },
    Avg: part.count ? part.sum / part.count : null,
    Mean: only(part.heldMs ? part.integral / part.heldMs : null),
    StdDev: only(part.count ? Math.sqrt(part.squares / part.count) : null),
    Sum: part.total,
    Spread: part.inGaps,
    Coverage: only(asked.ms > 0 ? part.goodMs / asked.ms : null),
    ...{ LowMs: read(part.lowMs), HighMs: read(part.highMs), Excursions: read(part.excursions) },
    ...{ OnMs: only(part.onMs), OffMs: only(part.offMs), Switchings: only(part.switchings) },
  }
}

/** Marks of one point that an answer shows. */
const mostMarks = 100

export const readStatistics = async ({ db, actor, telemetry }: Reader, asked: Asked, isBrief = false) => {
  assertFits(asked)
  const { zone, meanings, formulas } = await meaningsOf(db, actor, asked.ids)
  const now = telemetry.clock()
  const division = await divided(db, asked, zone, now)
  const found = division ? await engineOf(telemetry, formulas).statistics.of(meanings, division.periods, undefined, isBrief) : []
  return {
    ...{ Start: asked.Start, End: asked.End, By: asked.By, TimeZone: zone },
    Points: meanings.map(({ id, type }, i) => {
      const { basis = 'readings' as const, timed = true, parts = [], marks = [] } = found[i] ?? {}
      return {
        ...{ ParaId: id, CalDataType: type, OpenEvents: marks.filter((mark) => mark.open).length, Basis: basis },
        Rows: parts.flatMap((part) => {
          const name = division!.nameOf(part)
          return name ? [rowOf(part, { basis, timed }, { ms: division!.lengthOf(part), partial: division!.partialOf(part), name })] : []
        }),
        Marks: marks.slice(0, mostMarks).map((mark) => ({
          ...{ ParaId: id, Time: mark.time, Kind: mark.kind, Before: mark.before, After: mark.after, Open: Number(mark.open) },
        })),
      }
    }),
  }
}

type MeaningAsked = { ParaId: number; Start: number; End: number }
type Said = { Time: number; Kind: number; OldEnd: number | null; NewStart: number | null; UserName: string; UpdateTime: number }
type Rules = { MaxReading: number | null; HourlyHigh: number | null; Tolerance: number | null }
/** Answers of one point that an answer names. */
const mostSaid = 1000

export const readMeaning = async (reader: Reader, { ParaId, Start, End }: MeaningAsked) => {
  const { Points } = await readStatistics(reader, { ids: [ParaId], Start, End, By: 'none' })
  const [[rules], Answers] = await reader.db.all([
    sql<Rules>`select "MaxReading", "HourlyHigh", "Tolerance" from point_meaning where "PointId" = ${ParaId}`,
    sql<Said>`
      select m."Time", m."Kind", m."OldEnd", m."NewStart", coalesce(u."UserName", '') as "UserName",
        (extract(epoch from m."UpdateTime") * 1000)::float8 as "UpdateTime"
      from meter_event m left join "user" u on u."Id" = m."UserId"
      where m."PointId" = ${ParaId} and m."Time" >= ${Start} and m."Time" < ${End} order by m."Time" limit ${mostSaid}`,
  ])
  const none: Rules = { MaxReading: null, HourlyHigh: null, Tolerance: null }
  const { CalDataType, Marks } = Points[0]!
  return { ParaId, CalDataType, ...(rules ?? none), Marks, Answers }
}

type ReadingsAsked = { ParaIds: number[]; Start: number; End: number; PageSize?: number; AfterTime?: number; AfterPoint?: number }

export const readReadings = async ({ db, actor, telemetry }: Reader, asked: ReadingsAsked) => {
  const { ParaIds, Start, End, PageSize = 100, AfterTime, AfterPoint = 0 } = asked
  const ids = [...new Set(ParaIds)]
  assertFits({ ids, Start, End, By: 'none' })
  const { formulas } = await meaningsOf(db, actor, ids)
  const after = AfterTime === undefined ? undefined : { time: AfterTime, point: AfterPoint }
  const { rows, more } = await engineOf(telemetry, formulas).statistics.page({ ids, start: Start, end: End, after, size: PageSize })
  return { Items: rows.map((r) => ({ ParaId: r.point, Time: r.time, Value: r.value, Quality: r.quality })), More: Number(more) }
}

export const readIo = async ({ db, actor, telemetry }: Reader, asked: Asked, page: { PageIndex?: number; PageSize?: number }) => {
  assertFits(asked)
  const { zone, meanings, formulas } = await meaningsOf(db, actor, asked.ids)
  const now = telemetry.clock()
  const division = await divided(db, asked, zone, now)
  const [Rows, Items]: [IoRow[], IoRun[]] = [[], []]
  const { PageIndex = 1, PageSize = 100 } = page
  const first = (PageIndex - 1) * PageSize
  let runsSeen = 0
  if (division) {
    const { edges } = division.periods
    for await (const { point: meaning, parts, runs } of engineOf(telemetry, formulas).statistics.runs(meanings, edges, mostReadingsHeld)) {
      for (const part of parts) {
        const name = division.nameOf(part)
        if (!name) continue
        const unknown = Math.max(0, past(part, now) - part.onMs - part.offMs)
        Rows.push({
          ...{ ParaId: meaning.id, Start: part.start, End: part.end, ...name, Partial: division.partialOf(part) },
          ...{ OnMs: part.onMs, OffMs: part.offMs, UnknownMs: unknown },
          ...{ Switchings: part.switchings, LongestOnMs: part.longestOnMs, FirstChange: part.firstChange, LastChange: part.lastChange },
        })
      }
      await eachRun(withUnknown(runs, edges[0]!, Math.min(now, edges.at(-1)!)), ({ start, end, value }) => {
        if (runsSeen >= first && runsSeen < first + PageSize) Items.push({ ParaId: meaning.id, Start: start, End: end, Value: value })
        runsSeen++
      })
    }
  }
  return { Start: asked.Start, End: asked.End, TimeZone: zone, Rows, Runs: { TotalCount: runsSeen, Items } }
}

type StatusAsked = { ProjectId: number; Start?: number; End?: number; PageIndex?: number; PageSize?: number }

/** How well each point of a project is covered by readings. */
export const readDataStatus = async ({ db, actor, telemetry }: StatusReader, asked: StatusAsked) => {
  await store(project).find(db, actor, asked.ProjectId)
  const now = telemetry.clock()
  const { End = now, Start = End - 7 * dayMs, PageIndex = 1, PageSize = 50 } = asked
  assertFits({ ids: [], Start, End, By: 'none' })
  const ofProject = sql`d."GatewayId" in (select "Id" from gateway where "ProjectId" = ${asked.ProjectId}) and ${visible(point, actor)}`
  const from = sql`from point t join device d on d."Id" = t."DeviceId"`
  const [rows, [total], gateways] = await db.all([
    sql<{ Id: number; ParaName: string; DeviceId: number; DeviceName: string }>`
      select t."Id", t."ParaName", t."DeviceId", d."DeviceName" ${from} where ${ofProject}
      order by d."DeviceName", d."Id", t."Id" limit ${PageSize} offset ${(PageIndex - 1) * PageSize}`,
    sql<{ n: number }>`select count(*)::int as n ${from} where ${ofProject}`,
    sql<{
      SN: string
      EnterpriseId: number
    }>`select distinct g."SN", g."EnterpriseId" from gateway g join device d on d."GatewayId" = g."Id"
      join point t on t."DeviceId" = d."Id" where ${ofProject}`,
  ])
  const Items = rows.length ? await statusOf({ db, actor, telemetry }, rows, Start, End) : []
  const serials = gateways.map(({ SN }) => SN)
  const Rejected = telemetry.rejected.count({ EnterpriseId: gateways[0]?.EnterpriseId ?? 0, serials })
  return { Start, End, TotalCount: total!.n, Items, Rejected, CountedSince: telemetry.late.since() }
}

type Named = { Id: number; ParaName: string; DeviceId: number; DeviceName: string }
const statusOf = async (
  { db, actor, telemetry }: StatusReader,
  rows: readonly Named[],
  Start: number,
  End: number,
): Promise<PointStatus[]> => {
  const now = telemetry.clock()
  const ids = rows.map(({ Id }) => Id)
  const { meanings } = await meaningsOf(db, actor, ids)
  const edges = [Math.max(Start, oldest), Math.max(Math.max(Start, oldest) + 1, Math.min(End, now))]
  const counters = meanings.filter(({ type }) => type === 1)
  const counted = counters.length ? await telemetry.statistics.of(counters, { edges }, 0) : []
  const openEvents = new Map(counted.map(({ id, marks }) => [id, marks.filter(({ open }) => open).length]))
  const items: PointStatus[] = []
  for await (const { point: meaning, parts, runs, bad, uncertain } of telemetry.statistics.runs(meanings, edges, mostReadingsHeld)) {
    const [i, [part]] = [items.length, parts]
    const gaps = await gapsOf(withUnknown(runs, edges[0]!, edges[1]!))
    const last = telemetry.latest.get(meaning.id)
    const arrived = telemetry.late.get(meaning.id, Start, End)
    items.push({
      ...{ ParaId: meaning.id, ParaName: rows[i]!.ParaName, DeviceId: rows[i]!.DeviceId, DeviceName: rows[i]!.DeviceName },
      ...{ CalDataType: meaning.type, LastTime: last?.time ?? null, LastValue: last?.value ?? null, Quality: last?.quality ?? null },
      ...{ Coverage: part!.goodMs / (edges[1]! - edges[0]!), Bad: bad, Uncertain: uncertain, GapCount: gaps.count },
      Gaps: gaps.longest.map(({ start, end }) => ({ Start: start, End: end })),
      FlatSince: flatSince(runs, edges[1]!),
      ...{ OpenEvents: openEvents.get(meaning.id) ?? 0, Late: arrived.late, Replaced: arrived.replaced },
    })
  }
  return items
}
