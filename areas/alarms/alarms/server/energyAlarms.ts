// Energy alarms (AlarmType 5), raised from energy hints. An alarm is active while its hint applies.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { alarmInfo } from '../contract.ts'
import { type AlarmHint, hintEnd } from './alarming/names.ts'
import type { Announced } from './alarmStore.ts'
import { type AlarmHub, announce } from './alarmWriter.ts'

const [energyAlarms, energyLevel] = [5, 1]
/** Maximum length of the circuit name within an alarm name. */
const mostNamed = 60

/** The subject of an energy alarm. */
export type HintOf = { Circuit: number; Hint: AlarmHint }
/** A hint with its circuit, its value, and the limit that the value exceeded. Times in epoch ms. */
export type EnergyAlarm = HintOf & {
  EnterpriseId: number
  ProjectId: number
  Name: string
  Value: number
  /** 3 above, 4 at least. */
  OperateSymbol: 3 | 4
  LimitValue: number
  Unit: string
  Time: number
}
const subjectOf = ({ Circuit, Hint }: HintOf) => `e${Circuit} ${Hint}`
const hintOf = (subject: string): HintOf => {
  const [circuit = '', hint = ''] = subject.slice(1).split(' ')
  return { Circuit: Number(circuit), Hint: hint as AlarmHint }
}

const announced =
  sql.raw(`"Id", "EnterpriseId", "ProjectId", "DeviceId", "ParaId", "RuleName", "GatewayFault", "AlarmLevel", "LastValue" as "Value",
  (extract(epoch from "LastTime") * 1000)::float8 as "Time"`)
type Row = Omit<Announced, 'event'>
const emitted = (db: Db, rows: readonly Row[], event: Announced['event']): Announced[] => {
  for (const { Id, EnterpriseId, ProjectId } of rows)
    db.emit({ resource: alarmInfo.name, id: Id, verb: event === 'raised' ? 'create' : 'update', EnterpriseId, ProjectId })
  return rows.map((row) => ({ ...row, event }))
}

/** Energy alarms of a project, or of deleted projects, that are active or were raised since a given time. */
export const energyAlarmsOf = async (db: Db, EnterpriseId: number, ProjectId: number | null, since: number) => {
  const rows = await db.rows<{ Subject: string; IsActive: number; IsRecent: boolean }>(sql`
    select "Subject", "IsActive", "StartTime" >= ${new Date(since)} as "IsRecent" from alarm_info
    where "EnterpriseId" = ${EnterpriseId} and "AlarmType" = ${energyAlarms} and "ProjectId" is not distinct from ${ProjectId}::bigint
      and ("IsActive" = 1 or "StartTime" >= ${new Date(since)})`)
  return rows.map(({ Subject, IsActive, IsRecent }) => ({ ...hintOf(Subject), isActive: IsActive === 1, isRecent: IsRecent }))
}

/** Projects with active energy alarms. */
export const projectsWithEnergyAlarms = (db: Db) =>
  db.rows<{ EnterpriseId: number; ProjectId: number | null }>(
    sql`select distinct "EnterpriseId", "ProjectId" from alarm_info where "AlarmType" = ${energyAlarms} and "IsActive" = 1`,
  )

/** Raises alarms for hints that have no active alarm. */
export const raiseEnergyAlarms = async (db: Db, alarms: readonly EnergyAlarm[]): Promise<Announced[]> => {
  if (!alarms.length) return []
  const drafts = alarms.map(({ Name, Time, ...alarm }) => ({
    ...alarm,
    ...{ Subject: subjectOf(alarm), RuleName: `${Name.slice(0, mostNamed)}${hintEnd(alarm.Hint)}`, Time: new Date(Time).toISOString() },
  }))
  const rows = await db.rows<Row>(sql`
    insert into alarm_info ("EnterpriseId", "ProjectId", "Subject", "RuleName", "AlarmType", "AlarmLevel", "TriggerStyle", "OperateSymbol", "LimitValue",
      "TriggerValue", "LastValue", "ParaUnitName", "DecimalDigits", "StartTime", "LastTime")
    select "EnterpriseId", "ProjectId", "Subject", "RuleName", ${energyAlarms}, ${energyLevel}, 1, "OperateSymbol", "LimitValue", "Value", "Value", "Unit", 1, "Time", "Time"
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as e ("EnterpriseId" bigint, "ProjectId" bigint, "Subject" text, "RuleName" text,
      "OperateSymbol" smallint, "LimitValue" float8, "Value" float8, "Unit" text, "Time" timestamptz)
    on conflict ("Subject") where "IsActive" = 1 do nothing returning ${announced}`)
  return emitted(db, rows, 'raised')
}

/** Recovers alarms whose hints no longer apply or were dismissed. */
export const recoverEnergyAlarms = async (db: Db, of: readonly HintOf[], time: number): Promise<Announced[]> => {
  if (!of.length) return []
  const at = new Date(time)
  const rows = await db.rows<Row>(sql`
    update alarm_info set "IsActive" = 0, "RecoverTime" = greatest("StartTime", ${at}), "LastTime" = greatest("StartTime", ${at}),
      "HandleStatus" = case when "HandleStatus" = 0 then 1 else "HandleStatus" end, "UpdateTime" = now()
    where "Subject" = any(${of.map(subjectOf)}::text[]) and "IsActive" = 1 returning ${announced}`)
  return emitted(db, rows, 'recovered')
}

/** Notifies consoles after the commit. */
export const announceEnergyAlarms = (hub: AlarmHub, alarms: readonly Announced[]) => announce(hub, alarms, { raised: 0, recovered: 0 })
export type { AlarmHub } from './alarmWriter.ts'
