// User actions on alarms besides acknowledging and handling.
import { sql } from 'kysely'
import type { Attachment } from '../../../../contract/field.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { giveFiles, namedFiles } from '../../../../server/resource/attachments.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { user as users } from '../../../people/users/contract.ts'
import { alarmCode, alarmPlan } from '../../alarm-plans/contract.ts'
import { alarmInfo } from '../contract.ts'
import { acknowledged, change } from './service.ts'

const alarms = store(alarmInfo)
const person = users

/** Handles alarms with a fault code and a plan; a code without a plan uses its own. */
export const handleAndPlan = (
  db: Db,
  actor: Actor,
  {
    Ids,
    HandleDesc,
    FaultCodeId = null,
    AlmPlanId = null,
  }: { Ids: readonly number[]; HandleDesc: string; FaultCodeId?: number | null; AlmPlanId?: number | null },
) =>
  db.tx(async (db) => {
    /** A user who sees several tenants may use only codes and plans of the alarms' tenant. */
    const known = async (r: typeof alarmCode | typeof alarmPlan, field: string, id: number | null) => {
      if (id === null) return undefined
      const unknown = new FieldFaults([{ field, rule: 'unknownReference' }])
      const row = await store(r as typeof alarmCode)
        .find(db, actor, id)
        .catch(() => Promise.reject(unknown))
      const [foreign] = await db.rows(
        sql`select 1 from alarm_info where "Id" = any(${Ids}::bigint[]) and "EnterpriseId" <> ${row.EnterpriseId} limit 1`,
      )
      if (foreign) throw unknown
      return row
    }
    const code = await known(alarmCode, 'FaultCodeId', FaultCodeId)
    await known(alarmPlan, 'AlmPlanId', AlmPlanId)
    const plan = AlmPlanId ?? code?.AlmPlanId ?? null
    const set = sql`"HandleStatus" = 2, "HandleUserId" = ${actor.UserId}, "HandleTime" = now(), "HandleDesc" = ${HandleDesc},
      "FaultCodeId" = ${FaultCodeId}::bigint, "AlmPlanId" = coalesce(${plan}::bigint, "AlmPlanId"), ${acknowledged(actor)}`
    return change(db, actor, Ids, () => false, set)
  })

/** Response plans of a tenant. */
export const plansOf = (EnterpriseId: number) => sql<{ Id: number; PlanName: string }>`
  select "Id", "PlanName" from alarm_plan where "EnterpriseId" = ${EnterpriseId} order by "PlanName" limit 1000`

/** Options for handling an alarm: response plans of its tenant, and fault codes except those of other device models. */
export const choices = async (db: Db, actor: Actor, id: number) => {
  const { EnterpriseId, DeviceId } = await alarms.find(db, actor, id)
  const [Codes, Plans] = await db.all([
    sql<{ Id: number; Code: string; Name: string; AlmPlanId: number | null }>`
      select "Id", "Code", "Name", "AlmPlanId" from alarm_code
        where "EnterpriseId" = ${EnterpriseId} and ("ModelId" is null or "ModelId" = (select "ModelId" from device where "Id" = ${DeviceId}))
        order by "Code" limit 1000`,
    plansOf(EnterpriseId),
  ])
  return { Codes, Plans }
}

export const plan = async (db: Db, actor: Actor, id: number) => {
  const { PlanName, Content, ArticleId } = await store(alarmPlan).find(db, actor, id)
  return { PlanName, Content: Content ?? '', ArticleId }
}

/** Shelves alarms for some hours, with a reason, or unshelves them (0 hours). */
export const shelve = (db: Db, actor: Actor, ids: readonly number[], hours: number, reason: string) => {
  if (hours > 0 && !reason.trim()) throw new FieldFaults([{ field: 'Reason', rule: 'required' }])
  const set = hours
    ? sql`"ShelvedUntil" = now() + make_interval(secs => ${hours * 3600}), "ShelveReason" = ${reason}, "IsShelved" = 1, ${acknowledged(actor)}`
    : sql`"ShelvedUntil" = null, "ShelveReason" = null, "IsShelved" = 0`
  return change(db, actor, ids, (alarm) => !hours && alarm.ShelvedUntil === null, set)
}

export const markFalse = (db: Db, actor: Actor, ids: readonly number[], value: 0 | 1) =>
  change(db, actor, ids, (alarm) => alarm.IsFalse === value, sql`"IsFalse" = ${value}`)

export const assign = (db: Db, actor: Actor, ids: readonly number[], user: number | null) =>
  db.tx(async (db) => {
    if (user !== null) {
      if ((await unknownIds(db, actor, 'user', { ids: [user], tenant: actor.EnterpriseId })).size) throw notFound()
    }
    return change(db, actor, ids, (alarm) => alarm.AssigneeId === user, sql`"AssigneeId" = ${user}::bigint`)
  })

export const comment = (db: Db, actor: Actor, id: number, text: string, given: readonly Attachment[]) =>
  db.tx(async (db) => {
    const { EnterpriseId, ProjectId } = await alarms.find(db, actor, id)
    const files = await namedFiles(db, actor, given, { field: 'Files', enterprise: EnterpriseId })
    await giveFiles(db, { resource: alarmInfo.name, id, permission: alarmInfo.permission }, files)
    const [row] = await db.rows<{ Id: number }>(sql`
      insert into alarm_comment ("EnterpriseId", "AlarmId", "UserId", "Text", "FileIds") values (${EnterpriseId}, ${id}, ${actor.UserId}, ${text}, ${JSON.stringify(files)}::jsonb) returning "Id"`)
    db.emit({ resource: alarmInfo.name, id, verb: 'update', EnterpriseId, ProjectId })
    return { Id: row!.Id }
  })

export const comments = async (db: Db, actor: Actor, id: number) => {
  await alarms.find(db, actor, id)
  return db.rows<{ Id: number; UserName: string; Text: string; Files: Attachment[]; CreateTime: string }>(sql`
    select c."Id", coalesce(t."UserName", '') as "UserName", c."Text", c."FileIds" as "Files",
      to_char(c."CreateTime" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "CreateTime"
    from alarm_comment c left join "user" t on t."Id" = c."UserId" and ${visible(person, actor)} where c."AlarmId" = ${id} order by c."Id" limit 500`)
}

export const usersByName = (db: Db, actor: Actor) =>
  db.rows<{ Id: number; Name: string }>(
    sql`select "Id", "UserName" as "Name" from "user" t where "EnterpriseId" = ${actor.EnterpriseId} and ${visible(person, actor)} order by "UserName", "Id" limit 1000`,
  )

/** Names to filter by, as far as the actor sees them. */
export const namesOf = (db: Db, actor: Actor, r: Parameters<typeof visible>[0], table: string, name: string) =>
  db.rows<{ Id: number; Name: string }>(
    sql`select "Id", ${sql.raw(`"${name}"`)} as "Name" from ${sql.table(table)} t
      where ${visible(r, actor)} and ${sql.raw(`"${name}"`)} is not null order by ${sql.raw(`"${name}"`)}, "Id" limit 1000`,
  )
