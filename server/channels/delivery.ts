// The queue of all channels, in PostgreSQL: what was taken on is sent even after a restart, and nothing is sent twice as far as the
// channel allows. A message is leased before it is sent; a lease that ends without a result means that the process died in between.
// Channels that know a message again (WeChat, webhooks) get it once more then; of the others a person decides, in the log.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { PushReason } from '../../contract/push-reasons.ts'
import type { Database, Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import { isOf, mayReceive } from '../identity/receivers.ts'
import { createLanes, inTurns, startLanes } from '../jobs/lanes.ts'
import { startWorker } from '../jobs/worker.ts'
import { dingRate } from './dingtalk.ts'
import type { Outcome } from './outcome.ts'
import { type Message, type Prepared, prepare, subscribed } from './prepare.ts'
import { knowsAgain, type Queued } from './send.ts'

/** The resource of a delivery, as changes name it. */
const record = 'almPushRecord'

const standardLimits = {
  /** Waits before another try, s. */
  retrySeconds: [10, 60, 300],
  leaseSeconds: 60,
  /** Backlog of a tenant. */
  waiting: 10_000,
  /** Messages of one address that are claimed together. What is left of them after `laneMs` goes back; the lease lasts longer. */
  batch: 20,
  laneMs: 30_000,
  /** Time limit of one message, ms. The lease must outlast a lane and its last message. */
  sendMs: 25_000,
  /** Addresses that are sent to at the same time. */
  perTenant: 4,
  most: 100,
  /** Days of log retention. */
  keptDays: 180,
  pollMs: 5000,
}

type Named = { Id: number; EnterpriseId: number }
type Claimed = Queued & { RetryCount: number }
type Needs = {
  database: Database
  send: (m: Queued) => Promise<Outcome>
  clock: () => number
  log: Pick<Logger, 'warn'>
  /** False = another process may be at it now: nothing is begun. */
  isOwner?: () => boolean
  limits?: Partial<typeof standardLimits>
}

export type Delivery = ReturnType<typeof startDelivery>

/** Status, reason and time of the next step of a message that is taken on. */
const fate = (m: Message, problem: string | undefined, now: Date): [status: number, reason: string | null, next: Date | null] => {
  if (typeof m.withheld === 'object' && 'cancelled' in m.withheld) return [5, m.withheld.cancelled, now]
  if (problem) return [5, problem, now]
  if (!m.withheld) return [0, null, new Date(m.notBefore ?? now)]
  if (m.withheld === 'digest') return [4, 'inDigest', null]
  return [4, m.withheld.why ?? 'quiet', new Date(m.withheld.until)]
}

/** Inserts the record, unless the backlog of the tenant is full or its source has one. */
const insertion = (m: Message, { address, target, payload, problem }: Prepared, mostWaiting: number, now: Date) => {
  const [status, reason, next] = fate(m, problem, now)
  return sql<{ Id: number }>`
  insert into alm_push_record ("EnterpriseId", "Method", "BizType", "Target", "UserId", "Title", "Content", "SendStatus", "ErrorText", "NextTime", "AlmInfoId", "Kind", "Step", "AlmRuleId", "AlarmWebhookId", "Address", "Payload", "Source", "CreateTime")
  select ${m.EnterpriseId}, ${m.Method}, ${m.BizType}, ${target},
    (select u."Id" from "user" u where u."Id" = ${m.UserId ?? null}::bigint and ${isOf('u', m.EnterpriseId)}),
    ${payload.title}, ${payload.text.slice(0, 5000)}, ${status}::smallint, ${reason}, ${next}, ${m.AlmInfoId ?? null}::bigint,
    ${m.about?.Kind ?? null}, ${m.about?.Step ?? null}::smallint, ${m.about?.AlmRuleId ?? null}::bigint, ${m.AlarmWebhookId ?? null}::bigint, ${address}, ${JSON.stringify(payload)}::jsonb, ${m.Source ?? null}, ${now}
  where (select count(*) from (select 1 from alm_push_record where "EnterpriseId" = ${m.EnterpriseId} and "SendStatus" = 0 limit ${mostWaiting}) w) < ${mostWaiting}
  on conflict ("EnterpriseId", "Source") do nothing returning "Id"`
}

/** Writes how an attempt ended; a failed one is tried again while there are waits left. */
const settled = (m: Claimed, outcome: Outcome, retrySeconds: readonly number[], now: Date) => {
  const wait = retrySeconds[m.RetryCount]
  const again = outcome.is === 'retry' || (outcome.is === 'unknown' && knowsAgain(m.Method))
  if (outcome.is === 'sent')
    return sql`update alm_push_record set "SendStatus" = 1, "SendTime" = ${now}, "ErrorText" = null, "LeaseUntil" = null, "UpdateTime" = now() where "Id" = ${m.Id}`
  if (again && wait !== undefined) {
    const next = new Date(now.getTime() + wait * 1000)
    return sql`update alm_push_record set "RetryCount" = "RetryCount" + 1, "NextTime" = ${next}, "ErrorText" = ${outcome.error}, "LeaseUntil" = null, "UpdateTime" = now() where "Id" = ${m.Id}`
  }
  return sql`update alm_push_record set "SendStatus" = 3, "ErrorText" = ${outcome.error}, "LeaseUntil" = null, "UpdateTime" = now() where "Id" = ${m.Id}`
}

/** A server that drips its answers would hold its lane for ever. */
const within = async (ms: number, sending: Promise<Outcome>): Promise<Outcome> => {
  const timeout = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => timeout.resolve({ is: 'unknown', error: 'unknownOutcome' }), ms)
  return Promise.race([sending, timeout.promise]).finally(() => clearTimeout(timer))
}

type Sending = Pick<Needs, 'send'> & { db: Db; limits: typeof standardLimits; at: (ms?: number) => Date; known: (m: Named) => void }

/** Sends what is claimed, and writes how each attempt ended. */
const createSender = ({ db, send, limits, at, known }: Sending) => {
  const finish = async (m: Claimed, outcome: Outcome) => {
    await db.rows(settled(m, outcome, limits.retrySeconds, at()))
    known(m)
  }

  /** A robot that has had its messages of the minute waits until the oldest of them is a minute ago. */
  const tooFast = async (m: Queued): Promise<Date | undefined> => {
    if (m.Method !== 'dingtalk') return
    const [row] = await db.rows<{ SendTime: Date }>(sql`
      select "SendTime" from alm_push_record where "EnterpriseId" = ${m.EnterpriseId} and "Address" = ${m.Address} and "Method" = 'dingtalk' and "SendStatus" = 1
        and "SendTime" > ${at(-dingRate.windowMs)} order by "SendTime" desc offset ${dingRate.most - 1} limit 1`)
    return row && new Date(row.SendTime.getTime() + dingRate.windowMs + 1)
  }

  /** Answers whether the next one to the same address may follow. */
  const attempt = async (m: Claimed): Promise<boolean> => {
    const later = await tooFast(m)
    if (later) await db.rows(sql`update alm_push_record set "NextTime" = ${later}, "LeaseUntil" = null where "Id" = ${m.Id}`)
    if (later) return true
    const outcome = await within(limits.sendMs, send(m))
    await finish(m, outcome)
    return outcome.is === 'sent' || !subscribed(m.Address)
  }
  /** Messages to one address go one at a time, so a recovery never overtakes its alarm and a robot's rate limit is respected. */
  const inTurn = async (own: readonly Claimed[], isStopped: () => boolean) => {
    const end = performance.now() + limits.laneMs
    for (const [i, m] of own.entries()) {
      if ((await attempt(m)) && performance.now() < end && !isStopped()) continue
      const rest = own.slice(i + 1).map((r) => r.Id)
      return void (await db.rows(sql`update alm_push_record set "LeaseUntil" = null where "Id" = any(${rest}::bigint[])`))
    }
  }

  /** Expired leases: their process died, and the outcome of the message is unknown. */
  const recover = async () => {
    const lost = await db.rows<Claimed>(
      sql`select "Id", "EnterpriseId", "Method", "RetryCount" from alm_push_record where "SendStatus" = 0 and "LeaseUntil" <= ${at()} order by "Id" limit 1000`,
    )
    for (const m of lost) await finish(m, { is: 'unknown', error: 'unknownOutcome' })
  }
  return { inTurn, recover }
}

/** A webhook that has subscribed to alarms hears them in their order: while one is to be tried again, the later ones wait. */
const inOrder = sql`("AlarmWebhookId" is null or not exists (
  select 1 from alm_push_record f where f."AlarmWebhookId" = r."AlarmWebhookId" and f."Id" < r."Id" and f."SendStatus" = 0 and f."RetryCount" > 0))`

export const startDelivery = ({ database, send, clock, log, isOwner = () => true, ...options }: Needs) => {
  const limits = { ...standardLimits, ...options.limits }
  const db = database.system
  const at = (ms = 0) => new Date(clock() + ms)
  const known = (m: Named) => db.emit({ resource: record, id: m.Id, verb: 'update', EnterpriseId: m.EnterpriseId })

  /**
   * Accepts a message, in the caller's transaction. A receiver who cannot or does not want to get it leaves a cancelled record with the reason;
   * for `asked` ones it throws a Fault instead. Undefined: this source was delivered before.
   */
  const deliver = async (db: Db, m: Message): Promise<{ Id: number; Target: string } | undefined> => {
    const p = await prepare(db, m)
    if (p.problem && m.asked) throw new Fault(p.problem)
    const [row] = await db.rows(insertion(m, p, limits.waiting, at()))
    if (!row) {
      const [waiting] = await db.rows(
        sql`select 1 from alm_push_record where "EnterpriseId" = ${m.EnterpriseId} and "Source" = ${m.Source ?? ''}`,
      )
      if (waiting) return
      throw new Fault('tooMany')
    }
    db.emit({ resource: record, id: row.Id, verb: 'create', EnterpriseId: m.EnterpriseId })
    return { Id: row.Id, Target: p.target }
  }

  const { inTurn, recover } = createSender({ db, send, limits, at, known })
  const lanes = createLanes(limits)
  /** What is due, the oldest of each address first, and tenants in turns. */
  const candidates = () =>
    db.rows(
      inTurns(
        sql`
        select "Id", "EnterpriseId", "NextTime", concat_ws(' ', "EnterpriseId", "Method", "Address") as lane
        from alm_push_record r where "SendStatus" = 0 and "LeaseUntil" is null and "NextTime" <= ${at()} and ${inOrder}`,
        lanes,
        limits,
      ),
    )
  const claim = (ids: readonly number[]) =>
    db.rows<Claimed>(sql`
      update alm_push_record set "LeaseUntil" = ${at(limits.leaseSeconds * 1000)}
      where "Id" in (
        select "Id" from alm_push_record where "Id" = any(${ids}::bigint[]) and "SendStatus" = 0 and "LeaseUntil" is null for update skip locked)
      returning "Id", "EnterpriseId", "Method", "BizType", "UserId", "Address", "Title", "Payload", "RetryCount", "CreateTime"`)

  /** Cancels queued alarm messages to people who have lost access: due ones, or those waiting for a digest. */
  const dropLost = async (db: Db, which: 'due' | 'digest') => {
    const why: PushReason = 'noAccess'
    const waiting = which === 'due' ? sql`r."NextTime" <= ${at()}` : sql`r."NextTime" is null`
    const project = sql`(select a."ProjectId" from alarm_info a where a."Id" = r."AlmInfoId")`
    const lost = await db.rows<Named>(sql`
      update alm_push_record r set "SendStatus" = 5, "ErrorText" = ${why}, "UpdateTime" = now() from "user" u
      where r."SendStatus" = 4 and ${waiting} and r."Kind" is not null and u."Id" = r."UserId" and not ${mayReceive('u', project, at())}
      returning r."Id", r."EnterpriseId"`)
    lost.forEach(known)
  }
  /** Releases held messages that are due. */
  const release = async () => {
    await dropLost(db, 'due')
    const free = await db.rows<Named>(sql`
      update alm_push_record set "SendStatus" = 0, "ErrorText" = null, "UpdateTime" = now() where "SendStatus" = 4 and "NextTime" <= ${at()} returning "Id", "EnterpriseId"`)
    free.forEach(known)
  }
  /** Cancels held messages of acknowledged alarms, in the caller's transaction. */
  const withdraw = async (db: Db) => {
    const why: PushReason = 'acknowledged'
    const gone = await db.rows<Named>(sql`
      update alm_push_record r set "SendStatus" = 5, "ErrorText" = ${why}, "UpdateTime" = now() from alarm_info a
      where r."SendStatus" = 4 and r."Kind" in ('raised', 'step', 'reminder') and a."Id" = r."AlmInfoId" and a."AckStatus" = 1
      returning r."Id", r."EnterpriseId"`)
    for (const { Id, EnterpriseId } of gone) db.emit({ resource: record, id: Id, verb: 'update', EnterpriseId })
  }

  let clearAt = 0
  const clear = async () => {
    if (clock() < clearAt) return
    await db.rows(sql`delete from alm_push_record where "CreateTime" < ${at(-limits.keptDays * 86_400_000)} and "SendStatus" not in (0, 4)`)
    clearAt = clock() + 3_600_000
  }

  /** Everything that is due. */
  const run = async (isStopped: () => boolean) => {
    await recover()
    await release()
    const sendLane = (own: readonly Claimed[]) =>
      inTurn(
        own.toSorted((a, b) => a.Id - b.Id),
        isStopped,
      )
    while (!isStopped() && isOwner() && (await startLanes(lanes, await candidates(), claim, sendLane)));
    await clear()
  }

  const worker = startWorker({
    ...{ database, run, lanes, pollMs: limits.pollMs },
    triggeredBy: ({ resource, verb }) => resource === record && verb === 'create',
    failed: (err) => log.warn({ err }, 'messages not sent'),
  })
  return { deliver, withdraw, dropLost, ...worker }
}
