// Sends the messages of alarms. Pending messages are rows of `alarm_push`, created with the alarm. Each step commits together with the
// messages it queues, so a restart neither repeats nor loses one.
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Delivery } from '../../../../../../server/channels/delivery.ts'
import type { Database, Db } from '../../../../../../server/database/db.ts'
import { Fault } from '../../../../../../server/http/faults.ts'
import { createLanes } from '../../../../../../server/jobs/lanes.ts'
import { startWorker } from '../../../../../../server/jobs/worker.ts'
import { readSettings } from '../../../../../../server/resource/settings.ts'
import type { AlarmPush } from '../../../../alarm-rules/alarm-push.ts'
import { alarmReminder } from '../../../../alarm-settings/contract.ts'
import { alarmInfo } from '../../../contract.ts'
import { factsOfAlarm } from '../names.ts'
import { tellDigests } from './digest.ts'
import type { PushedAlarm } from './message.ts'
import { type Facts, type PushState, plan } from './plan.ts'
import { type Own, sendPush } from './sendPush.ts'

export type PushNeeds = {
  database: Database
  delivery: Pick<Delivery, 'deliver' | 'withdraw' | 'dropLost'>
  /** Epoch ms. */
  clock: () => number
  /** Alarm settings of people and tenants. */
  own: Own
  log: Pick<Logger, 'warn'>
  limits?: Partial<typeof standardLimits>
}

export const standardLimits = {
  /** Alarms of one tenant per transaction. */
  batch: 5,
  /** Tenants in parallel: each holds a connection. */
  perTenant: 1,
  most: 4,
  /** Maximum changed alarms tracked individually. */
  dirty: 10_000,
  pollMs: 1000,
  /** Retry interval if a queue is full, ms. */
  fullMs: 10_000,
}

type Due = PushedAlarm & {
  Push: AlarmPush
  TimeZone: string
  State: PushState
  Subject: string
  Start: number
  AckStatus: number
  IsActive: number
  Shelved: number | null
}

const epoch = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::bigint`)
const clockText = (column: string) => sql.raw(`coalesce(to_char(${column} at time zone e."TimeZoneKey", 'YYYY-MM-DD HH24:MI:SS'), '')`)

/** Looks ahead this many times the batch, longest due first, and takes the alarms whose rules have the highest priority. */
const lookAhead = 10

const claim = (db: Db, now: Date, tenant: number, limit: number) =>
  db.rows<Due>(sql`
    select q."Push", q."TimeZone", q."State", a."Id", a."EnterpriseId", a."AlmRuleId", a."RuleName", a."AlarmLevel", a."AlarmType", a."GatewayFault", a."ProjectId", e."TimeZoneKey" as "TenantZone", a."Subject", a."AckStatus", a."IsActive",
      ${epoch('a."StartTime"')} as "Start", ${epoch('a."ShelvedUntil"')} as "Shelved",
      ${factsOfAlarm} as "Facts", coalesce(d."DeviceName", g."GatewayName", '-') as "DeviceName",
      coalesce(p."ProjectName", '-') as "ProjectName", ${clockText('a."StartTime"')} as "Time", ${clockText('a."RecoverTime"')} as "RecoverTime", e."Language"
    from alarm_push q join alarm_info a on a."Id" = q."AlmInfoId" join enterprise e on e."Id" = a."EnterpriseId"
      left join device d on d."Id" = a."DeviceId" left join gateway g on g."Id" = a."GatewayId" left join project p on p."Id" = a."ProjectId"
    where q."AlmInfoId" in (
      select d."AlmInfoId" from (
          select w."AlmInfoId", w."NextTime" from alarm_push w join alarm_info i on i."Id" = w."AlmInfoId"
          where w."NextTime" <= ${now} and i."EnterpriseId" = ${tenant} order by w."NextTime", w."AlmInfoId" limit ${limit * lookAhead}) d
        join alarm_info i on i."Id" = d."AlmInfoId" left join alarm_rule r on r."Id" = i."AlmRuleId"
      order by coalesce(r."Priority", 2), d."NextTime", d."AlmInfoId" limit ${limit})
    order by (select coalesce(max("Priority"), 2) from alarm_rule r where r."Id" = a."AlmRuleId"), q."NextTime", q."AlmInfoId" for update of q skip locked`)

/** Tenants with due alarms, longest due first; each is a lane. */
const tenantsDue = (db: Db, now: Date) =>
  db.rows<{ tenant: number; lane: string }>(sql`
    select a."EnterpriseId" as tenant, a."EnterpriseId"::text as lane from alarm_push q join alarm_info a on a."Id" = q."AlmInfoId"
    where q."NextTime" <= ${now} group by 1 order by min(q."NextTime"), 1`)

/** Marks alarms as due. Returns those that a lane is processing: they are not locked, and are checked again after it. */
const markDue = (which: RawBuilder<unknown>) => sql<{ AlmInfoId: number }>`
  with free as (select "AlmInfoId" from alarm_push where ${which} for update skip locked),
    marked as (update alarm_push p set "NextTime" = '-infinity' from free where p."AlmInfoId" = free."AlmInfoId")
  select "AlmInfoId" from alarm_push where ${which} and "AlmInfoId" not in (select "AlmInfoId" from free)`

/** A rising level may pass the settings of a person who did not get the alarm. */
const mayRise = ({ level, recovered, acknowledged }: Facts) => level < 3 && !recovered && !acknowledged

/** Starts of the same subject up to this one, newest first; limited to the number that matters. */
const startsOf = (db: Db, a: Due) =>
  db.rows<{ Start: number }>(sql`
    select ${epoch('"StartTime"')} as "Start" from alarm_info
    where "Subject" = ${a.Subject} and "EnterpriseId" = ${a.EnterpriseId} and "StartTime" <= to_timestamp(${a.Start + 0.5} / 1000.0) and "Id" <= ${a.Id}
    order by "StartTime" desc limit 1000`)

export const startPushes = ({ database, delivery, clock, own, log, ...options }: PushNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const db = database.system
  let dirty = new Set<number>()
  let all = true

  const one = async (db: Db, a: Due) => {
    const now = clock()
    const starts = a.State.told === undefined ? await startsOf(db, a) : []
    const set = await readSettings(db, alarmReminder, a.EnterpriseId)
    const facts: Facts = {
      start: a.Start,
      level: a.AlarmLevel,
      acknowledged: a.AckStatus === 1,
      recovered: a.IsActive === 0,
      shelvedUntil: a.Shelved,
      ...(set.Enabled && set.Levels.some((l) => l === a.AlarmLevel) ? { reminder: { minutes: set.Interval, times: set.Times } } : {}),
      raised: (ms) => starts.filter((s) => s.Start > a.Start - ms).length,
    }
    const planned = plan(a.Push, facts, a.State, now)
    const { sends, next, why } = planned
    let { state, done } = planned
    const saying = { alarm: a, push: a.Push, zone: a.TimeZone, now }
    try {
      for (const send of sends)
        if ((await sendPush(db, delivery, own, { ...saying, send })) && send.kind === 'raised' && mayRise(facts)) {
          state = { ...state, left: a.AlarmLevel }
          done = false
        }
      if (why) await sendPush(db, delivery, own, { ...saying, send: { kind: 'raised', step: 0 }, why })
    } catch (error) {
      // The tenant's queue is full. Messages already queued stay; their source deduplicates the retry.
      if (!(error instanceof Fault)) throw error
      await db.rows(sql`update alarm_push set "NextTime" = ${new Date(now + limits.fullMs)} where "AlmInfoId" = ${a.Id}`)
      return
    }
    await db.rows(
      done
        ? sql`delete from alarm_push where "AlmInfoId" = ${a.Id}`
        : sql`update alarm_push set "State" = ${JSON.stringify(state)}::jsonb, "NextTime" = ${next === undefined ? null : new Date(next)} where "AlmInfoId" = ${a.Id}`,
    )
  }

  /** Marks changed alarms as due, and checks whether any are due; usually none are. */
  const look = async () => {
    const changed = all || dirty.size > 0
    const which = all ? sql`true` : sql`"AlmInfoId" = any(${[...dirty]}::bigint[])`
    all = false
    dirty = new Set()
    const [locked, [found]] = await db.all([
      changed ? markDue(which) : sql<{ AlmInfoId: number }>`select null::bigint as "AlmInfoId" where false`,
      sql<{ due: boolean; held: boolean }>`
        select exists (select 1 from alarm_push where "NextTime" <= ${new Date(clock())}) as due, exists (select 1 from alm_push_record where "SendStatus" = 4) as held`,
    ])
    for (const { AlmInfoId } of locked) dirty.add(AlmInfoId)
    return { changed, ...found! }
  }

  const lanes = createLanes(limits)
  /** Processes a batch of one tenant. */
  const step = (tenant: number) =>
    db.tx(async (db) => {
      const due = await claim(db, new Date(clock()), tenant, limits.batch)
      for (const a of due) await one(db, a)
    })

  /** Processes everything that is due or has changed. */
  const run = async (isStopped: () => boolean) => {
    const { changed, due, held } = await look()
    if (changed && held) await delivery.withdraw(db)
    if (due)
      for (const [lane, [first]] of lanes.pick(lanes.longestUnserved(await tenantsDue(db, new Date(clock())))))
        lanes.start({ tenant: first!.tenant, lane }, async () => {
          if (!isStopped()) await step(first!.tenant)
        })
    if (due || held) await tellDigests(db, delivery, clock())
  }

  return startWorker({
    ...{ database, run, lanes, pollMs: limits.pollMs },
    triggeredBy: ({ resource, id }) => {
      if (resource !== alarmInfo.name) return false
      if (dirty.size >= limits.dirty) all = true
      else dirty.add(id)
      return true
    },
    failed: (err) => {
      // The set of changed alarms may be lost with this run: check all of them.
      all = true
      log.warn({ err }, 'alarms not sent')
    },
  })
}
export type Pushes = ReturnType<typeof startPushes>
