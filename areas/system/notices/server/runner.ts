// Creates notices for events of other areas, and pushes them to consoles. Progress is stored in the database,
// so that a restart continues there and sends nothing twice.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { HubMessages } from '../../../../contract/hub.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { GatewayFault } from '../../../alarms/alarm-settings/contract.ts'
import { type AlarmFacts, factsOfAlarm } from '../../../alarms/alarms/server/service.ts'
import { notice, noticeLimits } from '../contract.ts'
import { addresses, addUp, type Flood, type Made, notifyAll } from './service.ts'

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
  /** Epoch ms. */
  clock?: () => number
  limits?: Partial<typeof standardLimits>
}

/**
 * Time over which changes are collected, ms; alarms per step; notices sent individually; intervals of retries and of cleanup, ms; maximum
 * individual alarm notices per project and minute.
 */
const standardLimits = { gatherMs: 100, step: 500, single: 20, retryMs: 5000, clearMs: 3_600_000, alarmsAMinute: 60 }

type Alarm = {
  Id: number
  GatewayId: number | null
  GatewayFault: GatewayFault | null
  OwnPeople: 0 | 1
  EnterpriseId: number
  ProjectId: number | null
  RuleName: string
  AlarmLevel: number
  Facts: AlarmFacts
  DeviceName: string | null
  GatewayName: string | null
  SN: string | null
  ProjectName: string | null
}

const wordings: Record<GatewayFault, string> = { 1: 'offline', 2: 'powerCut', 3: 'storageFull', 4: 'otherFirmware' }

const madeOf = (a: Alarm): Made => {
  const { EnterpriseId, ProjectId } = a
  const ProjectName = a.ProjectName ?? '-'
  const Source = `alarm/${a.Id}`
  if (a.GatewayFault)
    return {
      ...{ EnterpriseId, ProjectId, BizType: 2, Source, Permission: 'm10102', ObjectType: 'gateway', ObjectId: a.GatewayId! },
      Wording: wordings[a.GatewayFault],
      WordValues: { GatewayName: a.GatewayName ?? '-', SN: a.SN ?? '-', ProjectName, AlarmLevel: a.AlarmLevel },
    }
  const { RuleName, AlarmLevel } = a
  return {
    ...{ EnterpriseId, ProjectId, BizType: 1, Source, Permission: 'm10201', ObjectType: 'alarmInfo', ObjectId: a.Id },
    Wording: 'alarm',
    WordValues: { RuleName, AlarmLevel, Facts: { ...a.Facts, IsActive: 1, LastValue: null }, DeviceName: a.DeviceName ?? '-', ProjectName },
  }
}

/** Groups notices by project and minute. */
const togetherOf = (alarms: readonly Alarm[], minute: number): Flood[] =>
  [...Map.groupBy(alarms, (a) => `${a.EnterpriseId} ${a.ProjectId}`).values()].map((of) => {
    const { Id, EnterpriseId, ProjectId, ProjectName } = of.at(-1)!
    return {
      ...{ EnterpriseId, ProjectId, BizType: 1, Permission: 'm10201', ObjectType: 'alarmInfo', ObjectId: Id },
      ...{ Wording: 'alarms', Source: `alarms/${ProjectId}/${minute}`, Count: of.length },
      WordValues: { ProjectName: ProjectName ?? '-', Count: of.length },
    }
  })

const minuteOf = (now: number) => Math.floor(now / 60_000)
/** Whether an alarm gets its own notice. Above the limit per minute, a project's alarms share one with their number. */
const createRoom = (most: number) => {
  let minute = 0
  let used = new Map<string, number>()
  return ({ EnterpriseId, ProjectId }: Alarm, now: number) => {
    if (minuteOf(now) !== minute) used = new Map()
    minute = minuteOf(now)
    const key = `${EnterpriseId} ${ProjectId}`
    const count = (used.get(key) ?? 0) + 1
    used.set(key, count)
    return count <= most
  }
}

/** Sends one batch of alarms without a notice; returns whether there may be more. Rules with their own recipients have separate notices. */
const tellAlarms = (database: Database, step: number, hasRoom: ReturnType<typeof createRoom>, now: number) =>
  database.system.tx(async (db) => {
    const due = await db.rows<{ AlmInfoId: number }>(sql`
      delete from notice_due where "AlmInfoId" in (select "AlmInfoId" from notice_due order by "AlmInfoId" limit ${step} for update skip locked) returning "AlmInfoId"`)
    if (!due.length) return false
    const alarms = await db.rows<Alarm>(sql`
      select a."Id", a."GatewayId", a."GatewayFault", a."EnterpriseId", a."ProjectId", a."RuleName", a."AlarmLevel", ${factsOfAlarm} as "Facts", d."DeviceName", g."GatewayName", g."SN", p."ProjectName"
      from alarm_info a left join device d on d."Id" = a."DeviceId" left join gateway g on g."Id" = a."GatewayId" left join project p on p."Id" = a."ProjectId" left join alarm_rule r on r."Id" = a."AlmRuleId"
      where a."Id" = any(${due.map((d) => d.AlmInfoId)}::bigint[]) and not coalesce(r."IsSend" = 1 and r."AlarmPush" -> 'PushMethods' @> '[{"Method": 1}]', false) order by a."Id"`)
    const [single, many] = [[] as Alarm[], [] as Alarm[]]
    for (const a of alarms) (a.GatewayFault || hasRoom(a, now) ? single : many).push(a)
    if (single.length) await notifyAll(db, single.map(madeOf))
    if (many.length) await addUp(db, togetherOf(many, minuteOf(now)))
    return due.length === step
  })

type Fresh = {
  Id: number
  EnterpriseId: number
  ProjectId: number | null
  Permission: string | null
  BizType: number
  Users: number[] | null
}

/** Starts the workers; `changed` notifies a person's other consoles of read and pinned notices. */
export const startNotices = ({ database, hub, log, clock = Date.now, ...options }: NoticeNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const db = database.system
  const hasRoom = createRoom(limits.alarmsAMinute)
  let alarmsDue = true
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
          else coalesce((select array_agg(u."Id") from "user" u where (u."EnterpriseId" = t."EnterpriseId" or t."UserIds" @> to_jsonb(u."Id")) and ${addresses('u')}), '{}') end as "Users"
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
    if (clock() < clearAt) return
    await db.rows(
      sql`delete from notice where greatest("CreateTime", "PublishTime") < now() - make_interval(days => ${noticeLimits.keptDays})`,
    )
    clearAt = clock() + limits.clearMs
  }

  const step = async () => {
    if (alarmsDue) {
      alarmsDue = false
      alarmsDue =
        (await tellAlarms(database, limits.step, hasRoom, clock()).catch((error) => {
          alarmsDue = true
          throw error
        })) || alarmsDue
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
    if (alarmsDue || fresh.size) soon(wait)
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
