import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Answer } from '../../../../server/telemetry/meaning/counter.ts'
import { type Formula, formulaExpected } from '../../../../server/telemetry/meaning/formula.ts'
import type { Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import { point } from '../../../configuration/points/contract.ts'
import { type FormulaRow, formulasOf, visibleFormulas } from '../../formulas/server/service.ts'

/** Values of a Bool are states by default. */
export const calDataType = sql<number>`coalesce(m."CalDataType", case t."ParaDataType" when 0 then 3 else 0 end)`

type Row = {
  Id: number
  EnterpriseId: number
  Zone: string
  DecimalDigits: number
  AlarmLow: number | null
  AlarmHigh: number | null
  CalDataType: number
  MaxReading: number | null
  HourlyHigh: number | null
  Tolerance: number | null
  ExpectedMs: number
}
type Interval = { PointId: number; Until: number; ExpectedMs: number }
type Event = { PointId: number; Time: number; Kind: number; OldEnd: number | null; NewStart: number | null }

const answerOf = ({ Kind, OldEnd, NewStart }: Event): Answer => {
  if (Kind === 1) return { kind: 'restarted' }
  if (Kind === 2) return { kind: 'replaced', oldEnd: OldEnd ?? 0, newStart: NewStart ?? 0 }
  return { kind: Kind === 3 ? 'wrong' : 'confirmed' }
}

/** A counter trembles by two steps of its resolution. */
const usualTolerance = (digits: number) => 2 / 10 ** digits

const meaningOf = (row: Row, intervals: readonly Interval[], events: readonly Event[]): Meaning => ({
  id: row.Id,
  type: row.CalDataType,
  limits: { low: row.AlarmLow, high: row.AlarmHigh },
  expected: [
    ...intervals.map(({ Until, ExpectedMs }) => ({ until: Until, ms: ExpectedMs })),
    { until: Number.POSITIVE_INFINITY, ms: row.ExpectedMs },
  ],
  counter: {
    maxReading: row.MaxReading,
    hourlyHigh: row.HourlyHigh,
    tolerance: row.Tolerance ?? usualTolerance(row.DecimalDigits),
    answers: new Map(events.map((event) => [event.Time, answerOf(event)])),
  },
})

/** Formulas that one question works out. */
const mostFormulas = 20
const noLimits = { low: null, high: null }
const noCounter = { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() }
const meaningOfFormula = ({ Id, CalDataType }: FormulaRow): Meaning => ({
  ...{ id: Id, type: CalDataType, expected: formulaExpected, limits: noLimits, counter: noCounter },
})

/** Formula points among the Ids that are no stored points of the actor's. */
export const formulasAmong = async (db: Db, actor: Actor, ids: readonly number[], stored: ReadonlySet<number>) => {
  const others = ids.filter((id) => !stored.has(id))
  const rows = others.length ? await visibleFormulas(db, actor, others) : []
  if (rows.length !== others.length) throw notFound()
  if (rows.length > mostFormulas) throw new FieldFaults([{ field: 'ParaIds', rule: 'mostFormulas', values: { max: mostFormulas } }])
  return rows
}

/**
 * What the values of points mean, in the order asked for. Every id must be a point that the actor sees, or the call is 404 (findings 26);
 * points of two companies have different calendars and need separate requests.
 */
export const meaningsOf = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const asked = [...new Set(ids)]
  const [rows, intervals, events] = await db.all([
    sql<Row>`
      select t."Id", t."EnterpriseId", e."TimeZoneKey" as "Zone", t."DecimalDigits", t."AlarmLow", t."AlarmHigh", ${calDataType} as "CalDataType",
        m."MaxReading", m."HourlyHigh", m."Tolerance", penstock_expected_ms(t) as "ExpectedMs"
      from point t join enterprise e on e."Id" = t."EnterpriseId" left join point_meaning m on m."PointId" = t."Id"
      where t."Id" = any(${asked}::bigint[]) and ${visible(point, actor)}`,
    sql<Interval>`
      select "PointId", (extract(epoch from "Until") * 1000)::bigint as "Until", "ExpectedMs" from point_interval
      where "PointId" = any(${asked}::bigint[]) order by "Until"`,
    sql<Event>`select "PointId", "Time", "Kind", "OldEnd", "NewStart" from meter_event where "PointId" = any(${asked}::bigint[])`,
  ])
  const formulas = await formulasAmong(db, actor, asked, new Set(rows.map((row) => row.Id)))
  const companies = new Set([...rows, ...formulas].map((row) => row.EnterpriseId))
  if (companies.size > 1) throw new FieldFaults([{ field: 'ParaIds', rule: 'oneCompany' }])
  const byId = new Map(rows.map((row) => [row.Id, row]))
  const formulaById = new Map(formulas.map((row) => [row.Id, row]))
  const of = <T extends { PointId: number }>(all: readonly T[]) => Map.groupBy(all, (one) => one.PointId)
  const [intervalsOf, eventsOf] = [of(intervals), of(events)]
  return {
    zone: (rows[0] ?? formulas[0])!.Zone,
    meanings: asked.map((id) => {
      const formula = formulaById.get(id)
      return formula ? meaningOfFormula(formula) : meaningOf(byId.get(id)!, intervalsOf.get(id) ?? [], eventsOf.get(id) ?? [])
    }),
    formulas: formulas.length ? await formulasOf(db, actor, formulas) : new Map<number, Formula>(),
  }
}

/** Sets the type of points, all or none, with an entry in the log for each that changes. */
export const setCalDataType = (
  db: Db,
  actor: Actor,
  ids: readonly number[],
  { CalDataType, ...rules }: { CalDataType: number; MaxReading?: number; HourlyHigh?: number; Tolerance?: number },
) =>
  db.tx(async (db) => {
    const asked = [...new Set(ids)]
    const rows = await db.rows<{ Id: number }>(
      sql`select t."Id" from point t where t."Id" = any(${asked}::bigint[]) and ${visible(point, actor)} order by t."Id" for share`,
    )
    if (rows.length !== asked.length) throw notFound()
    const values = [CalDataType, rules.MaxReading ?? null, rules.HourlyHigh ?? null, rules.Tolerance ?? null]
    const written = await db.rows(sql`
      with old as (select * from point_meaning where "PointId" = any(${asked}::bigint[]) for update),
      written as (
        insert into point_meaning as m ("PointId", "EnterpriseId", "CalDataType", "MaxReading", "HourlyHigh", "Tolerance")
        select t."Id", t."EnterpriseId", ${sql.join(values)} from point t where t."Id" = any(${asked}::bigint[])
        on conflict ("PointId") do update set "CalDataType" = excluded."CalDataType", "MaxReading" = excluded."MaxReading",
          "HourlyHigh" = excluded."HourlyHigh", "Tolerance" = excluded."Tolerance", "UpdateTime" = now()
        returning *)
      insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
      select w."EnterpriseId", ${actor.UserId || null}, 'point', w."PointId", 'update',
        (select jsonb_build_object('CalDataType', o."CalDataType", 'MaxReading', o."MaxReading", 'HourlyHigh', o."HourlyHigh", 'Tolerance', o."Tolerance")
          from old o where o."PointId" = w."PointId"),
        jsonb_build_object('CalDataType', w."CalDataType", 'MaxReading', w."MaxReading", 'HourlyHigh', w."HourlyHigh", 'Tolerance', w."Tolerance"),
        ${actor.origin?.requestId ?? null}, ${actor.origin?.ip ?? null} from written w returning "RecordId"`)
    return { Changed: written.length }
  })

type Given = { ParaId: number; Time: number; Kind: number; OldEnd?: number; NewStart?: number }

/** Answers to falls and steep rises of a counter. The latest answer applies. */
export const answerMeterEvent = (db: Db, actor: Actor, { ParaId, Time, Kind, OldEnd, NewStart }: Given) =>
  db.tx(async (db) => {
    const missing = (['OldEnd', 'NewStart'] as const).filter((name) => Kind === 2 && { OldEnd, NewStart }[name] === undefined)
    const [row] = await db.rows<{ EnterpriseId: number }>(
      sql`select t."EnterpriseId" from point t where t."Id" = ${ParaId} and ${visible(point, actor)} for share`,
    )
    if (!row) throw notFound()
    if (missing.length) throw new FieldFaults(missing.map((field) => ({ field, rule: 'required' })))
    const values = sql.join([Kind, Kind === 2 ? OldEnd : null, Kind === 2 ? NewStart : null, actor.UserId || null])
    await db.rows(sql`
      insert into meter_event ("PointId", "EnterpriseId", "Time", "Kind", "OldEnd", "NewStart", "UserId")
      values (${ParaId}, ${row.EnterpriseId}, ${Time}, ${values})
      on conflict ("PointId", "Time") do update set "Kind" = excluded."Kind", "OldEnd" = excluded."OldEnd", "NewStart" = excluded."NewStart",
        "UserId" = excluded."UserId", "UpdateTime" = now()`)
    await db.rows(sql`
      insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "After", "RequestId", "Ip")
      values (${row.EnterpriseId}, ${actor.UserId || null}, 'point', ${ParaId}, 'update',
        ${JSON.stringify({ MeterEvent: Kind, Time, OldEnd, NewStart })}::jsonb, ${actor.origin?.requestId ?? null}, ${actor.origin?.ip ?? null})`)
    // Recomputes derived days and refreshes open screens.
    db.emit({ resource: point.name, id: ParaId, verb: 'update', EnterpriseId: row.EnterpriseId })
    return { Changed: 1 }
  })
