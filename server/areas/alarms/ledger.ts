// What the alarm engine finds, in PostgreSQL: alarms, its state and how far it is, in one transaction (findings 10).
import { sql } from 'kysely'
import { alarmInfo } from '../../../contract/areas/alarms.ts'
import type { AlarmEvent, PointState } from '../../alarming/engine.ts'
import type { Database, Db } from '../../database/db.ts'
import type { PointMeta } from '../../telemetry/sample.ts'

/** Another engine has written since; this one's state is void. */
export class Overtaken extends Error {}

export type Saved = {
  turn: number
  judged: number
  settled: number
  states: PointState[]
  /** Points with a state that are no longer in the point table. */
  gone: number[]
}

/** One step of the engine, to be saved whole or not at all. */
export type Step = {
  turn: number
  judged: number
  /** All points judged up to here have been saved since. */
  settled: number | undefined
  events: AlarmEvent[]
  states: PointState[]
  /** Points without a state. */
  forgotten: number[]
  /** Standing alarms of these points are to show the newest reading. */
  refresh: boolean
}

/** An alarm that was raised or has recovered, as it stands in the table. */
export type Announced = {
  event: 'raised' | 'recovered'
  Id: number
  EnterpriseId: number
  ProjectId: number | null
  DeviceId: number | null
  ParaId: number | null
  RuleName: string
  AlarmLevel: number
  Value: number | null
  /** Epoch ms. */
  Time: number
}

type Draft = {
  /** Ids follow the order of the events. */
  Order: number
  EnterpriseId: number
  ProjectId: number
  GatewayId: number
  DeviceId: number
  ParaId: number
  Limit: string
  RuleName: string
  LimitValue: number
  TriggerValue: number
  LastValue: number
  StartTime: number
  LastTime: number
  RecoverTime: number | null
}
type Recovery = { ParaId: number; Limit: string; LastValue: number; RecoverTime: number }

/** Language-neutral name of a limit: `Outlet pressure > 8.5`. */
const ruleName = (meta: PointMeta, e: AlarmEvent) => `${meta.ParaName} ${e.limit === 'high' ? '>' : '<'} ${e.limitValue}`

/** Alarms to insert, those already over included, and standing ones to end. Raised for a point that is gone meanwhile means nothing. */
const fold = (events: readonly AlarmEvent[], metaOf: (point: number) => PointMeta | undefined) => {
  const drafts: Draft[] = []
  const recoveries: Recovery[] = []
  const open = new Map<string, Draft>()
  for (const e of events) {
    const key = `${e.point} ${e.limit}`
    const draft = open.get(key)
    if (e.kind === 'recovered') {
      open.delete(key)
      if (draft) {
        const time = Math.max(e.time, draft.StartTime)
        Object.assign(draft, { LastValue: e.value, LastTime: time, RecoverTime: time })
      } else recoveries.push({ ParaId: e.point, Limit: e.limit, LastValue: e.value, RecoverTime: e.time })
      continue
    }
    const meta = metaOf(e.point)
    if (!meta) continue
    const { EnterpriseId, ProjectId, GatewayId, DeviceId } = meta
    const values = {
      LimitValue: e.limitValue,
      TriggerValue: e.value,
      LastValue: e.value,
      StartTime: e.time,
      LastTime: e.time,
      RecoverTime: null,
    }
    const made: Draft = {
      Order: drafts.length,
      EnterpriseId,
      ProjectId,
      GatewayId,
      DeviceId,
      ParaId: e.point,
      Limit: e.limit,
      RuleName: ruleName(meta, e),
      ...values,
    }
    open.set(key, made)
    drafts.push(made)
  }
  return { drafts, recoveries }
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
const moment = (name: string) => sql.raw(`to_timestamp(e."${name}" / 1000.0)`)
const announced = sql.raw(`"Id", "EnterpriseId", "ProjectId", "DeviceId", "ParaId", "RuleName", "AlarmLevel"`)
const epochMs = (name: string) => sql.raw(`(extract(epoch from "${name}") * 1000)::bigint`)

/** A device's clock that is set back must not end an alarm before it began. */
const recover = (recoveries: Recovery[]) => sql<Omit<Announced, 'event'>>`
  update alarm_info a set "IsActive" = 0, "RecoverTime" = greatest(a."StartTime", ${moment('RecoverTime')}),
    "LastTime" = greatest(a."StartTime", ${moment('RecoverTime')}), "LastValue" = e."LastValue",
    "HandleStatus" = case when a."HandleStatus" = 0 then 1 else a."HandleStatus" end, "UpdateTime" = now()
  from jsonb_to_recordset(${json(recoveries)}) as e ("ParaId" bigint, "Limit" text, "LastValue" float8, "RecoverTime" float8)
  where a."ParaId" = e."ParaId" and a."Limit" = e."Limit" and a."IsActive" = 1
  returning a."Id", a."EnterpriseId", a."ProjectId", a."DeviceId", a."ParaId", a."RuleName", a."AlarmLevel", a."LastValue" as "Value",
    (extract(epoch from a."RecoverTime") * 1000)::bigint as "Time"`

const insert = (drafts: Draft[]) => sql<Omit<Announced, 'event'> & { Recovered: boolean; LastValue: number; LastTime: number }>`
  insert into alarm_info ("EnterpriseId", "ProjectId", "GatewayId", "DeviceId", "ParaId", "Limit", "RuleName", "LimitValue", "TriggerValue",
    "LastValue", "StartTime", "LastTime", "RecoverTime", "IsActive", "HandleStatus")
  select e."EnterpriseId", e."ProjectId", e."GatewayId", e."DeviceId", e."ParaId", e."Limit", e."RuleName", e."LimitValue", e."TriggerValue",
    e."LastValue", ${moment('StartTime')}, ${moment('LastTime')}, ${moment('RecoverTime')},
    (e."RecoverTime" is null)::int, (e."RecoverTime" is not null)::int
  from jsonb_to_recordset(${json(drafts)}) as e ("Order" int, "EnterpriseId" bigint, "ProjectId" bigint, "GatewayId" bigint, "DeviceId" bigint, "ParaId" bigint,
    "Limit" text, "RuleName" text, "LimitValue" float8, "TriggerValue" float8, "LastValue" float8, "StartTime" float8, "LastTime" float8, "RecoverTime" float8)
  where exists (select 1 from enterprise t where t."Id" = e."EnterpriseId") order by e."Order"
  on conflict ("ParaId", "Limit") where "IsActive" = 1 do nothing
  returning ${announced}, "TriggerValue" as "Value", ${epochMs('StartTime')} as "Time", "IsActive" = 0 as "Recovered", "LastValue", ${epochMs('LastTime')} as "LastTime"`

const saveStates = (states: PointState[]) => sql`
  insert into alarm_state ("ParaId", "State") select (s ->> 'point')::bigint, s from jsonb_array_elements(${json(states)}) s
  on conflict ("ParaId") do update set "State" = excluded."State"`

/** Standing alarms show the newest reading; not each one is worth a write, so this goes with the settling. */
const refresh = (states: PointState[]) => sql`
  update alarm_info a set "LastValue" = (s ->> 'value')::float8, "LastTime" = greatest(a."StartTime", to_timestamp((s ->> 'time')::float8 / 1000.0))
  from jsonb_array_elements(${json(states)}) s where a."ParaId" = (s ->> 'point')::bigint and a."IsActive" = 1`

export const load = async (database: Database): Promise<Saved> => {
  const [[cursor], states] = await database.system.all([
    sql<{ Turn: number; Judged: number; Settled: number }>`select "Turn", "Judged", "Settled" from alarm_cursor`,
    sql<{ State: PointState; Known: boolean }>`
      select s."State", exists (select 1 from point p where p."Id" = s."ParaId") as "Known" from alarm_state s`,
  ])
  return {
    turn: cursor!.Turn,
    judged: cursor!.Judged,
    settled: cursor!.Settled,
    states: states.map((s) => s.State),
    gone: states.filter((s) => !s.Known).map((s) => s.State.point),
  }
}

/** Throws Overtaken when somebody else has saved since `turn`; that includes an earlier try of this step that did commit. */
export const save = (database: Database, step: Step, metaOf: (point: number) => PointMeta | undefined): Promise<Announced[]> =>
  database.system.tx(async (db) => {
    const [turned] = await db.rows(sql`
      update alarm_cursor set "Turn" = "Turn" + 1, "Judged" = ${step.judged}, "Settled" = coalesce(${step.settled ?? null}::bigint, "Settled")
      where "Turn" = ${step.turn} returning "Turn"`)
    if (!turned) throw new Overtaken()
    const { drafts, recoveries } = fold(step.events, metaOf)
    const ended = recoveries.length ? await db.rows(recover(recoveries)) : []
    const made = drafts.length ? await db.rows(insert(drafts)) : []
    if (step.states.length) await db.rows(saveStates(step.states))
    if (step.refresh) await db.rows(refresh(step.states))
    if (step.forgotten.length) await db.rows(sql`delete from alarm_state where "ParaId" = any(${step.forgotten}::bigint[])`)
    for (const a of ended) tell(db, a, 'update')
    for (const a of made) tell(db, a, 'create')
    return [
      ...ended.map((a): Announced => ({ ...a, event: 'recovered' })),
      ...made.flatMap(({ Recovered, LastValue, LastTime, ...a }): Announced[] => [
        { ...a, event: 'raised' },
        ...(Recovered ? [{ ...a, event: 'recovered' as const, Value: LastValue, Time: LastTime }] : []),
      ]),
    ]
  })

const tell = (db: Db, { Id, EnterpriseId, ProjectId }: Omit<Announced, 'event'>, verb: 'create' | 'update') =>
  db.tell({ resource: alarmInfo.name, id: Id, verb, EnterpriseId, ProjectId })
