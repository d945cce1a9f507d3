// Personal alarm settings: recipients, channels and times; for screens and for the message sender.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { mayReceive } from '../../../../server/identity/receivers.ts'
import { authorizeAll } from '../../../../server/identity/rights.ts'
import { wallMinutes } from '../../../../server/identity/zones.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import { user } from '../../../people/users/contract.ts'
import { type GatewayAlarms, standardGatewayAlarms, standardUserSetting, type UserSetting } from '../contract.ts'

const person = user
/** Menu that shows alarms. */
const seesAlarms = 'm10201'

/** Settings in effect for each person, including defaults. */
export const settingsOf = async (db: Db, users: readonly number[]): Promise<Map<number, UserSetting>> => {
  const rows = await db.rows<{ UserId: number; Setting: UserSetting }>(
    sql`select "UserId", "Setting" from alarm_user_setting where "UserId" = any(${[...users]}::bigint[])`,
  )
  const set = new Map(rows.map((row) => [row.UserId, row.Setting]))
  return new Map(users.map((id) => [id, { ...standardUserSetting, ...set.get(id) }]))
}

/** Alarm type in personal settings: cold-room alarms count as device alarms; server alarms always apply. */
const chosenType = (type: number) => (type === 4 ? 1 : type)

/** People who accept alarms without a rule, may see this one, and accept its kind and level. */
export const ruleless = (db: Db, a: { EnterpriseId: number; ProjectId: number | null; AlarmType: number; AlarmLevel: number }, now: Date) =>
  db.rows<{ Id: number; Language: string | null; Zone: string | null; Methods: number[] }>(sql`
    select u."Id", u."Language", u."TimeZoneKey" as "Zone", s."Setting" -> 'Methods' as "Methods"
    from alarm_user_setting s join "user" u on u."Id" = s."UserId" join enterprise e on e."Id" = u."EnterpriseId"
    where s."EnterpriseId" = ${a.EnterpriseId} and s."Setting" ->> 'WithoutRule' = '1' and ${mayReceive('u', sql`${a.ProjectId}`, now)} and u."EnterpriseId" = ${a.EnterpriseId}
      and s."Setting" -> 'Levels' @> to_jsonb(${a.AlarmLevel}::int) and s."Setting" -> 'Types' @> to_jsonb(${chosenType(a.AlarmType)}::int)
      and coalesce(${seesAlarms} = any(e."MenuCodes"), (select v."MenuCodes" @> to_jsonb(${seesAlarms}::text) from version v where v."Id" = e."VersionId"), true)
      and exists (select 1 from user_role x join role r on r."Id" = x."RoleId" and r."Status" = 1
        where x."UserId" = u."Id" and (r."IsPlatform" = 1 or r."RouteRole" = 'admin' or ${seesAlarms} = any(r."MenuCodes")))
    order by u."Id"`)

const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const day = 1440

/** Minutes until the current quiet hours end; undefined outside quiet hours. An end that is not after the start is on the next day. */
export const quietFor = ({ Start, End }: { Start: string; End: string }, now: number): number | undefined => {
  const [start, end] = [minutes(Start), minutes(End)]
  const length = end > start ? end - start : end - start + day
  const since = (now - start + day) % day
  return since < length ? length - since : undefined
}

export type DeliveryTime = 'now' | 'dropped' | { until: number }
/** Highest level; it passes quiet hours. */
const urgent = 3

/**
 * When a message about an alarm reaches a person by a method (1 site message … 6 voice): now, at the end of the person's quiet hours
 * (epoch ms, to the minute), or never. `time` is epoch ms.
 */
export const deliveryTime = (
  s: UserSetting,
  { AlarmLevel, AlarmType, Method, time, zone }: { AlarmLevel: number; AlarmType: number; Method: number; time: number; zone: string },
): DeliveryTime => {
  const wants = (list: readonly number[], value: number) => list.includes(value)
  const type = chosenType(AlarmType)
  if (!wants(s.Levels, AlarmLevel) || !wants(s.Methods, Method) || (type !== 3 && !wants(s.Types, type))) return 'dropped'
  if (!s.NoDisturb.Enabled || AlarmLevel === urgent) return 'now'
  const left = quietFor(s.NoDisturb, wallMinutes(zone, new Date(time)))
  if (left === undefined) return 'now'
  return s.NoDisturb.Mode === 1 ? 'dropped' : { until: Math.floor(time / 60_000) * 60_000 + left * 60_000 }
}

/** Selects the people visible to the actor: in his tenant, or in every tenant for a platform administrator. */
const seen = (actor: Actor) => sql`(${actor.platform} or "EnterpriseId" = ${actor.EnterpriseId}) and ${visible(person, actor)}`

/** Saves one setting for these people. Changes none unless the actor sees all of them and none has more rights than he does. */
export const saveSettings = (db: Db, actor: Actor, users: readonly number[], setting: UserSetting) =>
  db.tx(async (db) => {
    const ids = [...new Set(users)]
    const before = await settingsOf(db, ids)
    const saved = await db.rows<{ UserId: number; EnterpriseId: number; UserName: string }>(sql`
      insert into alarm_user_setting ("EnterpriseId", "UserId", "Setting")
      select "EnterpriseId", "Id", ${JSON.stringify(setting)}::jsonb from "user" t
      where "Id" = any(${ids}::bigint[]) and ${seen(actor)}
      on conflict ("UserId") do update set "Setting" = excluded."Setting", "UpdateTime" = now()
      returning "UserId", "EnterpriseId", (select "UserName" from "user" u where u."Id" = "UserId") as "UserName"`)
    if (saved.length !== ids.length) throw notFound()
    await authorizeAll(db, actor, ids)
    const after = { ...standardUserSetting, ...setting }
    for (const { UserId, EnterpriseId, UserName: Title } of saved) {
      const was = before.get(UserId)!
      if (isDeepStrictEqual(was, after)) continue
      const texts = [
        { Title, ...was },
        { Title, ...after },
      ] as const
      await record(db, actor, { name: 'alarmUserSetting' }, 'update', UserId, EnterpriseId, ...texts)
    }
    return { Changed: saved.length }
  })

/** People by name, each with the setting in effect. */
export const peopleOf = async (
  db: Db,
  actor: Actor,
  { Search = '', PageIndex = 1, PageSize = 20 }: { Search?: string; PageIndex?: number; PageSize?: number },
) => {
  const like = `%${Search.trim().replace(/[\\%_]/g, '\\$&')}%`
  const which = sql`${seen(actor)} and ("UserName" ilike ${like} or "UserNO" ilike ${like})`
  const [[count], users] = await db.all([
    sql<{ n: number }>`select count(*)::int as n from "user" t where ${which}`,
    sql<{ UserId: number; UserName: string; UserNO: string }>`
      select "Id" as "UserId", "UserName", "UserNO" from "user" t where ${which} order by "UserName", "Id"
      limit ${PageSize} offset ${(PageIndex - 1) * PageSize}`,
  ])
  const set = await settingsOf(
    db,
    users.map((u) => u.UserId),
  )
  return { Items: users.map((u) => ({ ...u, ...set.get(u.UserId)! })), TotalCount: count!.n }
}

/** A setting in effect, with its template's values. */
export type SettingRow = GatewayAlarms & { EnterpriseId: number; ProjectId: number | null; GatewayId: number | null }

/** The setting of a gateway: its own, its project's, its tenant's, or the default; the newest of equals. */
export const gatewayAlarmsOf = (
  settings: readonly SettingRow[],
  { Id, ProjectId, EnterpriseId }: { Id: number; ProjectId: number; EnterpriseId: number },
): GatewayAlarms => {
  const own = settings.filter((s) => s.EnterpriseId === EnterpriseId)
  return (
    own.findLast((s) => s.GatewayId === Id) ??
    own.findLast((s) => s.GatewayId === null && s.ProjectId === ProjectId) ??
    own.findLast((s) => s.GatewayId === null && s.ProjectId === null) ??
    standardGatewayAlarms
  )
}
