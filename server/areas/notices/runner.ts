// What other areas do becomes notices, and notices reach consoles. Nothing is kept in memory that must not be lost: what has been
// told stands in the database, so a restart goes on where it was and tells nothing twice.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { HubMessages } from '../../../contract/areas/hub.ts'
import { notice, noticeLimits } from '../../../contract/areas/notices.ts'
import type { Database, Db } from '../../database/db.ts'
import type { Actor } from '../../identity/actor.ts'
import { addresses, type Made, notify } from './service.ts'

export type NoticeNeeds = {
  database: Database
  hub: {
    send(
      audience: { EnterpriseId: number; ProjectId?: number | null; permission?: string; users?: readonly number[] },
      message: 'Notice',
      ...args: HubMessages['Notice']
    ): void
  }
  log: Pick<Logger, 'warn'>
  limits?: Partial<typeof standardLimits>
}

/** Changes are gathered this long, ms; alarms in one step; notices told one by one; ms between retries, and between clearings. */
const standardLimits = { gatherMs: 100, step: 500, single: 20, retryMs: 5000, clearMs: 3_600_000 }

type Alarm = {
  Id: number
  AlarmType: number
  OwnPeople: 0 | 1
  EnterpriseId: number
  ProjectId: number | null
  RuleName: string
  AlarmLevel: number
  TriggerValue: number | null
  DeviceName: string | null
  ProjectName: string | null
}

/** Alarms since the last one told, one step; answers whether there may be more. The cursor's row keeps two servers from doing it at once. */
const tellAlarms = (database: Database, step: number) =>
  database.system.tx(async (db) => {
    const [cursor] = await db.rows<{ AlarmId: number }>(sql`select "AlarmId" from notice_cursor for update`)
    const alarms = await db.rows<Alarm>(sql`
      select a."Id", case when r."IsSend" = 1 and r."AlarmPush" -> 'PushMethods' @> '[{"Method": 1}]' then 1 else 0 end as "OwnPeople", a."AlarmType", a."EnterpriseId", a."ProjectId", a."RuleName", a."AlarmLevel", a."TriggerValue", d."DeviceName", p."ProjectName"
      from alarm_info a left join device d on d."Id" = a."DeviceId" left join project p on p."Id" = a."ProjectId" left join alarm_rule r on r."Id" = a."AlmRuleId"
      where a."Id" > ${cursor!.AlarmId} order by a."Id" limit ${step}`)
    // Alarms of gateways and of the server have notices of their own, and so have rules that say whose bell rings.
    for (const a of alarms.filter(({ AlarmType, OwnPeople }) => AlarmType === 1 && !OwnPeople))
      await notify(db, {
        EnterpriseId: a.EnterpriseId,
        BizType: 1,
        Wording: 'alarm',
        WordValues: {
          RuleName: a.RuleName,
          AlarmLevel: a.AlarmLevel,
          Value: a.TriggerValue ?? '-',
          DeviceName: a.DeviceName ?? '-',
          ProjectName: a.ProjectName ?? '-',
        },
        Source: `alarm/${a.Id}`,
        ProjectId: a.ProjectId,
        Permission: 'm10201',
        ObjectType: 'alarmInfo',
        ObjectId: a.Id,
      })
    if (alarms.length) await db.rows(sql`update notice_cursor set "AlarmId" = ${alarms.at(-1)!.Id}`)
    return alarms.length === step
  })

type Gone = { Id: number; EnterpriseId: number; ProjectId: number; GatewayName: string; SN: string; ProjectName: string; Since: number }

/** Gateways that are offline; the moment they went is part of what is told once. */
const tellOffline = async (db: Db) => {
  const gone = await db.rows<Gone>(sql`
    select g."Id", g."EnterpriseId", g."ProjectId", g."GatewayName", g."SN", p."ProjectName", (extract(epoch from g."LastOfflineTime") * 1000)::bigint as "Since"
    from gateway g join project p on p."Id" = g."ProjectId"
    where g."OnlineStatus" = 0 and g."LastOfflineTime" > now() - make_interval(days => ${noticeLimits.keptDays})
      and not exists (select 1 from notice n where n."EnterpriseId" = g."EnterpriseId"
        and n."Source" = 'offline/' || g."Id" || '/' || (extract(epoch from g."LastOfflineTime") * 1000)::bigint)`)
  for (const { EnterpriseId, ProjectId, Id, Since, ...names } of gone) {
    const made: Made = {
      EnterpriseId,
      BizType: 2,
      Wording: 'offline',
      WordValues: { GatewayName: names.GatewayName, SN: names.SN, ProjectName: names.ProjectName },
      Source: `offline/${Id}/${Since}`,
      ProjectId,
      Permission: 'm10102',
      ObjectType: 'gateway',
      ObjectId: Id,
    }
    await notify(db, made)
  }
}

type Fresh = {
  Id: number
  EnterpriseId: number
  ProjectId: number | null
  Permission: string | null
  BizType: number
  Users: number[] | null
}

/** Starts the reactions; `changed` tells a person's other consoles that he has read or pinned. */
export const startNotices = ({ database, hub, log, ...options }: NoticeNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const db = database.system
  let alarmsDue = true
  let gatewaysDue = true
  let clearAt = 0
  let fresh = new Map<number, number>()
  let running = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()

  const announce = async () => {
    const ids = [...fresh.keys()]
    if (!ids.length) return
    const tenants = new Set(fresh.values())
    fresh = new Map()
    if (ids.length > limits.single) {
      for (const EnterpriseId of tenants) hub.send({ EnterpriseId }, 'Notice', { Id: 0, BizType: 0, Event: 'published' })
      return
    }
    const rows = await db.rows<Fresh>(sql`
      select t."Id", t."EnterpriseId", t."ProjectId", t."Permission", t."BizType",
        case when t."OrganIds" = '[]' and t."RoleIds" = '[]' and t."UserIds" = '[]' then null
          else coalesce((select array_agg(u."Id") from "user" u where u."EnterpriseId" = t."EnterpriseId" and ${addresses('u')}), '{}') end as "Users"
      from notice t where t."Id" = any(${ids}::bigint[]) order by t."Id"`)
    for (const { Id, BizType, EnterpriseId, ProjectId, Permission, Users } of rows)
      hub.send(
        { EnterpriseId, ProjectId, ...(Permission ? { permission: Permission } : {}), ...(Users ? { users: Users } : {}) },
        'Notice',
        {
          Id,
          BizType,
          Event: 'published',
        },
      )
  }

  const clear = async () => {
    if (Date.now() < clearAt) return
    await db.rows(
      sql`delete from notice where greatest("CreateTime", "PublishTime") < now() - make_interval(days => ${noticeLimits.keptDays})`,
    )
    clearAt = Date.now() + limits.clearMs
  }

  const step = async () => {
    if (alarmsDue) {
      alarmsDue = false
      alarmsDue =
        (await tellAlarms(database, limits.step).catch((error) => {
          alarmsDue = true
          throw error
        })) || alarmsDue
    }
    if (gatewaysDue) {
      gatewaysDue = false
      await tellOffline(db).catch((error) => {
        gatewaysDue = true
        throw error
      })
    }
    await announce()
    await clear()
  }

  const run = async () => {
    running = true
    let wait = limits.gatherMs
    try {
      await step()
    } catch (err) {
      log.warn({ err }, 'notices not made')
      wait = limits.retryMs
    }
    running = false
    if (alarmsDue || gatewaysDue || fresh.size) soon(wait)
  }
  const soon = (wait = limits.gatherMs) => {
    if (stopped || timer || running) return
    timer = setTimeout(() => {
      timer = undefined
      work = run()
    }, wait)
  }

  const unlisten = database.onChange(({ resource, id, verb, EnterpriseId }) => {
    if (resource === 'alarmInfo' && verb === 'create') alarmsDue = true
    else if (resource === 'gateway' && verb === 'update') gatewaysDue = true
    else if (resource === notice.name && verb === 'remove')
      return hub.send({ EnterpriseId }, 'Notice', { Id: id, BizType: 0, Event: 'removed' })
    else if (resource === notice.name) fresh.set(id, EnterpriseId)
    else return
    soon()
  })
  const clearing = setInterval(() => soon(), limits.clearMs).unref()
  soon()

  return {
    changed: ({ EnterpriseId, UserId }: Pick<Actor, 'EnterpriseId' | 'UserId'>) =>
      hub.send({ EnterpriseId, users: [UserId] }, 'Notice', { Id: 0, BizType: 0, Event: 'state' }),
    async stop() {
      stopped = true
      unlisten()
      clearInterval(clearing)
      clearTimeout(timer)
      await work
    },
  }
}
export type Notices = ReturnType<typeof startNotices>
