// Writes alarms, the state of the engine and its position to PostgreSQL, in one transaction (findings 10).
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import type { Stored } from '../../../../server/telemetry/sample.ts'
import { alarmInfo } from '../contract.ts'
import type { PointState } from './alarming/engine.ts'
import { storedName } from './alarming/names.ts'
import type { WatchState } from './alarming/rules/watch.ts'
import type { AlarmChange, AlarmRow, Terms } from './alarmRows.ts'
import type { ActiveAlarm } from './joining.ts'

/** Another engine has saved since (a fencing token in `alarm_cursor`). Reload the state and start again. */
export class StaleEpoch extends Error {}

export type Saved = {
  epoch: number
  judged: number
  settled: number
  states: PointState[]
  /** Points with a state that were removed from the point table. */
  gone: number[]
  rules: WatchState[]
  /** Newest readings, of points with and without a state. */
  newest: (Stored & { value: number })[]
  active: ActiveAlarm[]
}

/** The newest reading of an active alarm, and its extreme so far. Time: epoch ms. */
export type Shown = { Subject: string; Point: number; Value: number; Extreme: number | undefined; Time: number }

/** Last trigger time by rule, epoch ms. */
export type Triggers = ReadonlyMap<number, number>

/** One step of the engine, saved atomically. */
export type Step = {
  epoch: number
  judged: number
  /** Newest readings are saved up to this arrival number. */
  settled: number | undefined
  events: AlarmChange[]
  states: PointState[]
  /** Points without a state. */
  forgotten: number[]
  rules: WatchState[]
  /** Watches of rules that no longer exist. */
  ended: { RuleId: number; Key: string }[]
  /** Newest readings of blocks of points, complete up to an arrival number. */
  blocks: { Block: number; N: number; Readings: Buffer }[]
  shown: Shown[]
  /** Triggers of earlier steps whose rules were locked. */
  triggers: Triggers
}

/** A raised or cleared alarm, as stored. */
export type Announced = {
  event: 'raised' | 'recovered'
  Id: number
  EnterpriseId: number
  ProjectId: number | null
  DeviceId: number | null
  ParaId: number | null
  RuleName: string
  GatewayFault: number | null
  AlarmLevel: number
  Value: number | null
  /** Epoch ms. */
  Time: number
}

type NewRow = AlarmRow & {
  /** Ids follow the order of the events. */
  Order: number
  Subject: string
  LastValue: number | null
  ExtremeValue: number | null
  StartTime: number
  LastTime: number
  RecoverTime: number | null
}
type Recovery = { Subject: string; LastValue: number | null; ExtremeValue: number | null; RecoverTime: number }
/** Without a comparison, only the level rises. */
type Rise = Partial<Terms & Omit<Recovery, 'RecoverTime'> & { LastTime: number }> & { Subject: string; AlarmLevel: number; Lifted: boolean }

/** Folds events into rows to insert (including cleared ones), and active alarms to clear or raise in level. */
export const fold = (events: readonly AlarmChange[]) => {
  const drafts: NewRow[] = []
  const recoveries: Recovery[] = []
  const rises: Rise[] = []
  const joins: Recovery[] = []
  const open = new Map<string, NewRow>()
  for (const { kind, subject: Subject, time, value, level, extreme: ExtremeValue, terms, row } of events) {
    const pending = open.get(Subject)
    if (kind === 'raised') {
      if (!row) continue
      const next: NewRow = {
        ...{ ...row, Subject, Order: drafts.length, LastValue: value, ExtremeValue },
        ...{ StartTime: time, LastTime: time, RecoverTime: null },
      }
      open.set(Subject, next)
      drafts.push(next)
    } else if (kind === 'joined') {
      // An alarm that has not been stored yet is dropped.
      if (pending) drafts.splice(drafts.indexOf(pending), 1)
      else joins.push({ Subject, LastValue: null, ExtremeValue: null, RecoverTime: time })
      open.delete(Subject)
    } else if (kind === 'level') {
      const risen = { AlarmLevel: level, ...(terms ? { ...terms, LastValue: value, ExtremeValue, LastTime: time } : {}) }
      if (pending) Object.assign(pending, risen)
      else rises.push({ ...risen, Subject, Lifted: !terms })
    } else {
      open.delete(Subject)
      const end = Math.max(time, pending?.StartTime ?? time)
      if (pending) Object.assign(pending, { LastValue: value, ExtremeValue, LastTime: end, RecoverTime: end })
      else recoveries.push({ Subject, LastValue: value, ExtremeValue, RecoverTime: time })
    }
  }
  return { drafts, recoveries, rises, joins }
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
const moment = (name: string) => sql.raw(`to_timestamp(e."${name}" / 1000.0)`)
const announced = sql.raw(`"Id", "EnterpriseId", "ProjectId", "DeviceId", "ParaId", "RuleName", "GatewayFault", "AlarmLevel"`)
const epochMs = (name: string) => sql.raw(`(extract(epoch from "${name}") * 1000)::bigint`)

/** Prevents a device clock that was set back from clearing an alarm before its start. */
const recover = (recoveries: Recovery[]) => sql<Omit<Announced, 'event'>>`
  update alarm_info a set "IsActive" = 0, "RecoverTime" = greatest(a."StartTime", ${moment('RecoverTime')}),
    "LastTime" = greatest(a."StartTime", ${moment('RecoverTime')}), "LastValue" = coalesce(e."LastValue", a."LastValue"),
    "ExtremeValue" = coalesce(e."ExtremeValue", a."ExtremeValue"),
    "HandleStatus" = case when a."HandleStatus" = 0 then 1 else a."HandleStatus" end, "UpdateTime" = now()
  from jsonb_to_recordset(${json(recoveries)}) as e ("Subject" text, "LastValue" float8, "ExtremeValue" float8, "RecoverTime" float8)
  where a."Subject" = e."Subject" and a."IsActive" = 1
  returning a."Id", a."EnterpriseId", a."ProjectId", a."DeviceId", a."ParaId", a."RuleName", a."GatewayFault", a."AlarmLevel", a."LastValue" as "Value",
    (extract(epoch from a."RecoverTime") * 1000)::bigint as "Time"`

/** Ends a limit alarm without a message: the limit is still exceeded, and another alarm replaces it. */
const join = (joins: Recovery[]) => sql<{ Id: number; EnterpriseId: number; ProjectId: number | null }>`
  with ended as (update alarm_info a set "IsActive" = 0, "IsJoined" = 1, "RecoverTime" = greatest(a."StartTime", ${moment('RecoverTime')}),
      "HandleStatus" = case when a."HandleStatus" = 0 then 1 else a."HandleStatus" end, "UpdateTime" = now()
    from jsonb_to_recordset(${json(joins)}) as e ("Subject" text, "RecoverTime" float8)
    where a."Subject" = e."Subject" and a."IsActive" = 1 returning a."Id", a."EnterpriseId", a."ProjectId"),
  silent as (delete from alarm_push q using ended where q."AlmInfoId" = ended."Id")
  select * from ended`

/** Merges several changes of one alarm into one row, in order. */
const together = (rises: Rise[]): Rise[] => {
  const bySubject = new Map<string, Rise>()
  for (const r of rises) {
    const before = bySubject.get(r.Subject)
    bySubject.set(r.Subject, { ...before, ...r, Lifted: r.Lifted && (before?.Lifted ?? true) })
  }
  return [...bySubject.values()]
}
const rise = (rises: Rise[]) => sql<{ Id: number; EnterpriseId: number; ProjectId: number | null }>`
  update alarm_info a set "AlarmLevel" = greatest(a."AlarmLevel", e."AlarmLevel"), "LastValue" = coalesce(e."LastValue", a."LastValue"), "UpdateTime" = now(),
    ("LastTime", "TriggerStyle", "OperateSymbol", "LimitValue", "LimitValue2", "ExtremeValue") = (
      select a."LastTime", a."TriggerStyle", a."OperateSymbol", a."LimitValue", a."LimitValue2", a."ExtremeValue" where e."Lifted"
      union all select ${moment('LastTime')}, e."TriggerStyle", e."OperateSymbol", e."LimitValue", e."LimitValue2", e."ExtremeValue" where not e."Lifted")
  from jsonb_to_recordset(${json(together(rises))}) as e ("Subject" text, "AlarmLevel" smallint, "LastValue" float8, "ExtremeValue" float8,
    "LastTime" float8, "TriggerStyle" smallint, "OperateSymbol" smallint, "LimitValue" float8, "LimitValue2" float8, "Lifted" boolean)
  where a."Subject" = e."Subject" and a."IsActive" = 1 returning a."Id", a."EnterpriseId", a."ProjectId"`

/**
 * Updates the newest reading of active alarms. One write per reading would be too many, so it goes with the settling. It looks them up by
 * subject, because a point or rule may have very many past alarms.
 */
const refresh = (shown: Shown[]) => sql`
  update alarm_info a set "LastValue" = e."Value", "ExtremeValue" = coalesce(e."Extreme", a."ExtremeValue"), "LastTime" = greatest(a."StartTime", ${moment('Time')})
  from jsonb_to_recordset(${json(shown)}) as e ("Subject" text, "Point" bigint, "Value" float8, "Extreme" float8, "Time" float8)
  where a."Subject" = e."Subject" and a."ParaId" = e."Point" and a."IsActive" = 1`

const columnsOf = {
  Order: 'int',
  EnterpriseId: 'bigint',
  ProjectId: 'bigint',
  GatewayId: 'bigint',
  DeviceId: 'bigint',
  ParaId: 'bigint',
  Subject: 'text',
  Limit: 'text',
  RuleName: 'text',
  RuleType: 'smallint',
  AlarmType: 'smallint',
  AlarmLevel: 'smallint',
  Priority: 'smallint',
  AlmRuleId: 'bigint',
  AlmPlanId: 'bigint',
  GatewayFault: 'smallint',
  Snapshot: 'jsonb',
  TriggerStyle: 'smallint',
  OperateSymbol: 'smallint',
  LimitValue: 'float8',
  LimitValue2: 'float8',
  TriggerValue: 'float8',
  LastValue: 'float8',
  ExtremeValue: 'float8',
  StartTime: 'float8',
  LastTime: 'float8',
  RecoverTime: 'float8',
} as const
const times = ['StartTime', 'LastTime', 'RecoverTime']
const inserted = Object.keys(columnsOf).filter((name) => name !== 'Order')
const list = (items: string[]) => sql.raw(items.join(', '))
/** The plan may have been removed since the rule was loaded. */
const plan = '(select p."Id" from alarm_plan p where p."Id" = e."AlmPlanId" and p."EnterpriseId" = e."EnterpriseId")'
const readAs = (name: string) => {
  if (name === 'AlmPlanId') return plan
  if (name === 'RuleName') return storedName
  return times.includes(name) ? `to_timestamp(e."${name}" / 1000.0)` : `e."${name}"`
}

export const insert = (drafts: NewRow[]) => sql<Omit<Announced, 'event'> & { Recovered: boolean; LastValue: number; LastTime: number }>`
  insert into alarm_info (${list(inserted.map((name) => `"${name}"`))}, "ParaUnitName", "DecimalDigits", "ParaDataType", "ZeroText", "OneText",
    "IsActive", "HandleStatus")
  select ${list(inserted.map(readAs))}, coalesce(m."ParaUnitName", case when e."GatewayFault" is not null then '%' end), m."DecimalDigits", m."ParaDataType", m."ZeroText", m."OneText",
    (e."RecoverTime" is null)::int, (e."RecoverTime" is not null)::int
  from jsonb_to_recordset(${json(drafts)}) as e (${list(Object.entries(columnsOf).map(([name, type]) => `"${name}" ${type}`))})
    left join point m on m."Id" = e."ParaId" and m."EnterpriseId" = e."EnterpriseId"
  where exists (select 1 from enterprise t where t."Id" = e."EnterpriseId") order by e."Order"
  on conflict ("Subject") where "IsActive" = 1 do nothing
  returning ${announced}, "TriggerValue" as "Value", ${epochMs('StartTime')} as "Time", "IsActive" = 0 as "Recovered", "LastValue", ${epochMs('LastTime')} as "LastTime"`

/**
 * Writes the last trigger time of rules, rounded to seconds as displayed, because alarms may be raised and cleared many times a second.
 * Alarms of all tenants are saved together, so this skips rows that are locked by users. Returns the existing rules that were skipped.
 */
const triggered = (times: Triggers) => sql<{ Id: number }>`
  with e as (select * from jsonb_to_recordset(${json([...times].map(([Rule, Time]) => ({ Rule, Time })))}) as x ("Rule" bigint, "Time" float8)),
    free as (select r."Id" from alarm_rule r where r."Id" in (select "Rule" from e) order by r."Id" for no key update skip locked),
    written as (update alarm_rule r set "LastTriggerTime" = ${moment('Time')} from e, free where r."Id" = e."Rule" and free."Id" = r."Id"
      and date_trunc('second', r."LastTriggerTime") is distinct from date_trunc('second', ${moment('Time')}))
  select r."Id" from alarm_rule r where r."Id" in (select "Rule" from e) and not exists (select 1 from free where free."Id" = r."Id")`

const saveRules = (states: WatchState[]) => sql`
  insert into alarm_rule_state ("RuleId", "Key", "State") select (s ->> 'rule')::bigint, s ->> 'key', s from jsonb_array_elements(${json(states)}) s
  on conflict ("RuleId", "Key") do update set "State" = excluded."State"`
const dropRules = (ended: Step['ended']) => sql`
  delete from alarm_rule_state t using jsonb_to_recordset(${json(ended)}) as e ("RuleId" bigint, "Key" text) where t."RuleId" = e."RuleId" and t."Key" = e."Key"`

const saveStates = (states: PointState[]) => sql`
  insert into alarm_state ("ParaId", "State") select (s ->> 'point')::bigint, s from jsonb_array_elements(${json(states)}) s
  on conflict ("ParaId") do update set "State" = excluded."State"`

const saveBlock = ({ Block, N, Readings }: Step['blocks'][number]) => sql`
  insert into alarm_reading ("Block", "N", "Readings") values (${Block}, ${N}, ${Readings})
  on conflict ("Block") do update set "N" = excluded."N", "Readings" = excluded."Readings"`

/** Saves one step and returns the alarms to announce, and the triggers that are still to be written. Throws StaleEpoch when another save, even an earlier try of this step, won. */
export const save = (database: Database, step: Step): Promise<{ alarms: Announced[]; triggers: Triggers }> =>
  database.system.tx(async (db) => {
    const [advanced] = await db.rows(sql`
      update alarm_cursor set "Turn" = "Turn" + 1, "Judged" = ${step.judged}, "Settled" = coalesce(${step.settled ?? null}::bigint, "Settled")
      where "Turn" = ${step.epoch} returning "Turn"`)
    if (!advanced) throw new StaleEpoch()
    const { drafts, recoveries, rises, joins } = fold(step.events)
    const triggers = new Map(step.triggers)
    for (const { AlmRuleId, StartTime } of drafts)
      if (AlmRuleId !== null) triggers.set(AlmRuleId, Math.max(StartTime, triggers.get(AlmRuleId) ?? StartTime))
    // One round trip, in this order: every await costs a turn of a busy event loop.
    const queries: RawBuilder<unknown>[] = []
    const ask = <T>(isDue: unknown, query: () => RawBuilder<T>) => {
      const at = isDue ? queries.push(query()) - 1 : -1
      return (answers: unknown[][]) => (answers[at] ?? []) as T[]
    }
    const recovered = ask(recoveries.length, () => recover(recoveries))
    const joined = ask(joins.length, () => join(joins))
    const inserted = ask(drafts.length, () => insert(drafts))
    const raised = ask(rises.length, () => rise(rises))
    const locked = ask(triggers.size, () => triggered(triggers))
    ask(step.rules.length, () => saveRules(step.rules))
    ask(step.ended.length, () => dropRules(step.ended))
    ask(step.states.length, () => saveStates(step.states))
    for (const block of step.blocks) ask(true, () => saveBlock(block))
    ask(step.shown.length, () => refresh(step.shown))
    ask(step.forgotten.length, () => sql`delete from alarm_state where "ParaId" = any(${step.forgotten}::bigint[])`)
    const answers = queries.length ? await db.all(queries) : []
    const [ended, created, risen] = [recovered(answers), inserted(answers), [...joined(answers), ...raised(answers)]]
    for (const a of ended) emitChange(db, a, 'update')
    for (const a of created) emitChange(db, a, 'create')
    for (const a of risen) emitChange(db, a, 'update')
    const alarms = [
      ...ended.map((a): Announced => ({ ...a, event: 'recovered' })),
      ...created.flatMap(({ Recovered, LastValue, LastTime, ...a }): Announced[] => [
        { ...a, event: 'raised' },
        ...(Recovered ? [{ ...a, event: 'recovered' as const, Value: LastValue, Time: LastTime }] : []),
      ]),
    ]
    return { alarms, triggers: new Map(locked(answers).map(({ Id }) => [Id, triggers.get(Id)!])) }
  })

const emitChange = (
  db: Db,
  { Id, EnterpriseId, ProjectId }: Pick<Announced, 'Id' | 'EnterpriseId' | 'ProjectId'>,
  verb: 'create' | 'update',
) => db.emit({ resource: alarmInfo.name, id: Id, verb, EnterpriseId, ProjectId })
