import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { pausing } from '../../../../server/jobs/ownTurn.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { columns, type Sql, visible } from '../../../../server/resource/sql.ts'
import { recordAll, store, writesOf } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../contract.ts'
import { nameIn, sentenceIn } from './alarming/names.ts'
import { instant } from './alarming/rules/gate.ts'
import { findable } from './names.ts'
import { checkPush } from './ruleEffects.ts'
import { rules } from './ruleService.ts'

export type { AlarmFacts } from '../sentence.ts'
export { factsOfAlarm, nameIn, nameSql, sentenceIn } from './alarming/names.ts'
export { audienceOf } from './alarming/push/audience.ts'
export { copyProjectRules, mayCopyRules, type RuleLeft, rulesToCopy } from './copyRules.ts'
export {
  type AlarmHub,
  announceEnergyAlarms,
  type EnergyAlarm,
  energyAlarmsOf,
  projectsWithEnergyAlarms,
  raiseEnergyAlarms,
  recoverEnergyAlarms,
} from './energyAlarms.ts'
export { judgePast, type PastAlarm, type PastRule, pastRules, savePast } from './past.ts'
export { audienceNames } from './ruleEffects.ts'

/** Rule writes for other areas, with the same checks as for people. */
export const ruleWrites = { create: rules.create, change: rules.update, remove: rules.remove }

/** Alarm type of cold rooms. */
export const coldStoreAlarms = 4
/** Sets the type of a rule's alarms. */
export const setAlarmType = (db: Db, rule: number, type: number) =>
  db.rows(sql`update alarm_rule set "AlarmType" = ${type} where "Id" = ${rule}`)

/** Checks of message receivers for other areas. */
export const pushWrites = { faults: checkPush }

type Alarm = Row<typeof alarmInfo>
const alarms = store(alarmInfo)

const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
/** Duration of an alarm, s. Its times are wall times of `zone`. */
const activeSeconds = ({ StartTime, RecoverTime }: Alarm, zone: string): number | null => {
  if (!StartTime || !RecoverTime) return null
  const [start = 0, end = 0] = [StartTime, RecoverTime].map((wall) => instant(zone, Date.parse(`${wall.replace(' ', 'T')}Z`), 'first'))
  return (end - start) / 1000
}

/** Alarms in a reader's language: displayed and searched by translated name. */
export const alarmsIn = (language: Language) => {
  const translated = (alarm: Alarm, zone: string): Alarm => ({
    ...alarm,
    RuleName: nameIn(language, alarm),
    AlarmDesc: sentenceIn(language, alarm, activeSeconds(alarm, zone)),
  })
  return {
    find: async (db: Db, actor: Actor, id: number) => translated(await alarms.find(db, actor, id), zoneOf(actor)),
    list: async (db: Db, actor: Actor, q: Listing) => {
      const page = await alarms.list(db, actor, await findable(db, actor, language, q))
      const [Items, pause] = [[] as Alarm[], pausing()]
      for (const alarm of page.Items) {
        Items.push(translated(alarm, zoneOf(actor)))
        await pause()
      }
      return { ...page, Items }
    },
  }
}

/** All or none: an id that the actor may not see fails the call. Skips rows that `set` would not change. */
export const change = (db: Db, actor: Actor, ids: readonly number[], unchanged: (alarm: Alarm) => boolean, set: Sql) =>
  db.tx(
    async (db) => {
      const wanted = [...new Set(ids)]
      const rows = (ids: number[], lock: Sql) =>
        db.rows(sql<Alarm>`
        select ${columns(alarmInfo, actor)} from alarm_info t
        where "Id" = any(${ids}::bigint[]) and ${visible(alarmInfo, actor)} order by "Id" ${lock}`)
      const before = await rows(wanted, sql`for no key update of t`)
      if (before.length !== wanted.length) throw notFound()
      const changing = before.filter((alarm) => !unchanged(alarm))
      const changed = changing.map((alarm) => alarm.Id)
      if (!changed.length) return { Changed: 0 }
      await db.rows(sql`update alarm_info set ${set}, "UpdateTime" = now() where "Id" = any(${changed}::bigint[])`)
      const after = await rows(changed, sql``)
      const entries = after.map((alarm, i) => ({ Id: alarm.Id, EnterpriseId: alarm.EnterpriseId, Before: changing[i], After: alarm }))
      await recordAll(db, actor, alarmInfo, 'update', entries)
      return { Changed: changed.length }
    },
    writesOf(alarmInfo, actor),
  )

export const acknowledged = (actor: Actor) => sql`
  "AckStatus" = 1, "AckUserId" = coalesce("AckUserId", ${actor.UserId}), "AckTime" = coalesce("AckTime", now())`

/** Acknowledges an alarm. Independent of its condition (ISA-18.2) and idempotent. */
export const acknowledge = (db: Db, actor: Actor, ids: readonly number[]) =>
  change(db, actor, ids, (alarm) => alarm.AckStatus === 1, acknowledged(actor))

/**
 * Marks alarms as handled, which also acknowledges them. While the condition lasts, the alarm stays active as handled
 * (ruling 43). The engine still has it as active and raises no other alarm.
 */
export const handle = (db: Db, actor: Actor, ids: readonly number[], desc: string) =>
  change(
    db,
    actor,
    ids,
    (alarm) => alarm.HandleStatus === 2 && alarm.HandleDesc === desc,
    sql`"HandleStatus" = 2, "HandleUserId" = ${actor.UserId}, "HandleTime" = now(), "HandleDesc" = ${desc}, ${acknowledged(actor)}`,
  )

/** Active alarms that are not shelved: their number, unacknowledged ones, and those of level 3. */
export const statistics = async (db: Db, actor: Actor, type?: number) => {
  const [counts] = await db.rows(sql<{ TotalCount: number; UnacknowledgedCount: number; HighCount: number }>`
    select count(*)::int as "TotalCount", count(*) filter (where "AckStatus" = 0)::int as "UnacknowledgedCount",
      count(*) filter (where "AlarmLevel" = 3)::int as "HighCount"
    from alarm_info t where "IsActive" = 1 and ("ShelvedUntil" is null or "ShelvedUntil" < now()) and ${type ? sql`"AlarmType" = ${type}` : sql`true`} and ${visible(alarmInfo, actor)}`)
  return counts!
}

/** Active, unhandled alarms of devices and cold rooms: their number, and that of level 3. */
export const unhandled = async (db: Db, actor: Actor) => {
  const [counts] = await db.rows(sql<{ All: number; High: number }>`
    select count(*)::int as "All", count(*) filter (where "AlarmLevel" = 3)::int as "High"
    from alarm_info t where "IsActive" = 1 and "HandleStatus" <> 2 and "AlarmType" in (1, 4) and ("ShelvedUntil" is null or "ShelvedUntil" < now()) and ${visible(alarmInfo, actor)}`)
  return counts!
}

/** An alarm about the server itself: an untranslated name, the limit, the value, epoch ms. */
export type SystemAlarm = { EnterpriseId: number; RuleName: string; LimitValue: number; Value: number; Time: number }

/** Raises or clears it. Returns its Id, or undefined if the state did not change. */
export const turnSystem = async (db: Db, isActive: boolean, { EnterpriseId, RuleName, LimitValue, Value, Time }: SystemAlarm) => {
  const time = new Date(Time)
  const [row] = await db.rows<{ Id: number }>(
    isActive
      ? sql`insert into alarm_info ("EnterpriseId", "RuleName", "AlarmType", "AlarmLevel", "Limit", "TriggerStyle", "OperateSymbol", "LimitValue", "TriggerValue", "LastValue", "ParaUnitName", "StartTime", "LastTime")
          values (${EnterpriseId}, ${RuleName}, 3, 3, 'high', 1, 4, ${LimitValue}, ${Value}, ${Value}, '%', ${time}, ${time})
          on conflict ("EnterpriseId", "RuleName") where "AlarmType" = 3 and "IsActive" = 1 do nothing returning "Id"`
      : sql`update alarm_info set "IsActive" = 0, "RecoverTime" = greatest("StartTime", ${time}), "LastTime" = greatest("StartTime", ${time}),
          "LastValue" = ${Value}, "HandleStatus" = case when "HandleStatus" = 0 then 1 else "HandleStatus" end, "UpdateTime" = now()
          where "EnterpriseId" = ${EnterpriseId} and "RuleName" = ${RuleName} and "AlarmType" = 3 and "IsActive" = 1 returning "Id"`,
  )
  if (row) db.emit({ resource: alarmInfo.name, id: row.Id, verb: isActive ? 'create' : 'update', EnterpriseId, ProjectId: null })
  return row?.Id
}
