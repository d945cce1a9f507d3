// Runs the actions of rules when an alarm is raised: writes points, calls URLs, notifies people, each once. Actions are rows in PostgreSQL,
// created with the alarm. Retries of a write use the same message id, which the gateway recognizes, so the write is executed once even
// after a crash. Webhooks and notices are queued in the transaction that marks the action.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Delivery } from '../../../../../../server/channels/delivery.ts'
import type { Database, Db } from '../../../../../../server/database/db.ts'
import { Fault } from '../../../../../../server/http/faults.ts'
import { createLanes, inTurns, startLanes } from '../../../../../../server/jobs/lanes.ts'
import { startWorker } from '../../../../../../server/jobs/worker.ts'
import { alarmInfo } from '../../../contract.ts'
import { factsOfAlarm } from '../names.ts'
import { notify, type Payload, type RaisedAlarm } from './notify.ts'

type Outcome = { Code: number; Msg: string }
/** `ProjectId`: project of the rule. */
export type Write = { EnterpriseId: number; ProjectId: number | null; AlmInfoId: number; ParaId: number; Value: number; MsgId: string }
export type ActionNeeds = {
  database: Database
  delivery: Pick<Delivery, 'deliver'>
  /** Code 0: written; 2: unknown outcome, retried under the same id; a Fault: not writable. */
  write: (write: Write) => Promise<Outcome>
  /** Epoch ms. */
  clock: () => number
  log: Pick<Logger, 'warn'>
  /** False = another process may be running actions: starts nothing. */
  isOwner?: () => boolean
  limits?: Partial<typeof standardLimits>
}

export const standardLimits = {
  /** Actions of one gateway that are claimed together: each waits up to 10 s for its reply, less than the lease in total. */
  batch: 5,
  /** Gateways written in parallel. */
  perTenant: 8,
  most: 100,
  /** Retry intervals. */
  retrySeconds: [2, 5, 15, 30, 60],
  /** Actions are not started later than this after their time: the plant may have changed. */
  lateMs: 600_000,
  leaseMs: 60_000,
  pollMs: 1000,
}

const noReply = 2
type Action = RaisedAlarm & {
  Id: number
  Kind: 'write' | 'webhook' | 'notice'
  Place: number
  Payload: Payload
  MsgId: string
  Tries: number
  Due: number | null
  /** The alarm's project if its rule was removed. */
  RuleProject: number | null
}

/** Orders are opened by their own area. Each gateway is a lane. Actions other than writes are fast: one lane per tenant. */
const due = (now: Date) => sql`
  select c."Id", c."EnterpriseId", c."NextTime", concat_ws(' ', c."EnterpriseId", d."GatewayId") as lane
  from alarm_action c
    left join point p on c."Kind" = 'write' and p."Id" = (c."Payload" ->> 'ParaId')::bigint left join device d on d."Id" = p."DeviceId"
  where c."Status" = 0 and c."Kind" <> 'order' and c."NextTime" <= ${now}`
const claim = (db: Db, ids: readonly number[], now: Date, until: Date) =>
  db.rows<Action>(sql`
      update alarm_action c set "NextTime" = ${until}, "Tries" = "Tries" + 1 from alarm_info a, enterprise e
      where c."Id" in (select "Id" from alarm_action where "Id" = any(${ids}::bigint[]) and "Status" = 0 and "NextTime" <= ${now} for update skip locked) and a."Id" = c."AlmInfoId" and e."Id" = c."EnterpriseId"
      returning c."Id", c."Kind", c."Place", c."Payload", c."MsgId", c."Tries", (extract(epoch from c."DueTime") * 1000)::bigint as "Due", c."AlmInfoId", c."EnterpriseId",
        a."ProjectId", coalesce((select "ProjectId" from alarm_rule r where r."Id" = a."AlmRuleId"), a."ProjectId") as "RuleProject", a."AlmRuleId", a."RuleName", a."AlarmLevel", ${factsOfAlarm} as "Facts", e."Language",
        to_char(a."StartTime" at time zone e."TimeZoneKey", 'YYYY-MM-DD HH24:MI:SS') as "Time", e."TimeZoneKey" as "TenantZone",
        (select "DeviceName" from device d where d."Id" = a."DeviceId") as "DeviceName", (select "ProjectName" from project p where p."Id" = a."ProjectId") as "ProjectName"`)

export const startActions = ({ database, delivery, write, clock, log, isOwner = () => true, ...options }: ActionNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const db = database.system
  const at = (ms = 0) => new Date(clock() + ms)
  const known = (db: Db, { AlmInfoId, EnterpriseId, ProjectId }: Action) =>
    db.emit({ resource: alarmInfo.name, id: AlmInfoId, verb: 'update', EnterpriseId, ProjectId })

  const end = async (db: Db, a: Action, status: 1 | 3 | 5, error: string | null = null): Promise<undefined> => {
    await db.rows(
      sql`update alarm_action set "Status" = ${status}, "ErrorText" = ${error?.slice(0, 300) ?? null}, "DoneTime" = ${at()}, "NextTime" = null where "Id" = ${a.Id}`,
    )
    known(db, a)
  }
  const later = (db: Db, a: Action, ms: number, error: string | null) =>
    db.rows(
      sql`update alarm_action set "NextTime" = ${at(ms)}, "ErrorText" = ${error}, "DueTime" = coalesce("DueTime", ${at(ms)}) where "Id" = ${a.Id}`,
    )

  const lanes = createLanes(limits)

  const writing = async (a: Action) => {
    const { ParaId = 0, Value = 0 } = a.Payload
    const { EnterpriseId, AlmInfoId, MsgId } = a
    const { Code, Msg } = await write({ EnterpriseId, ProjectId: a.RuleProject, AlmInfoId, ParaId, Value, MsgId })
    if (Code === 0) return end(db, a, 1)
    const error = `${Code} ${Msg}`.trim()
    if (Code !== noReply || clock() > a.Due! + limits.lateMs) return end(db, a, 3, error)
    const wait = limits.retrySeconds[Math.min(a.Tries, limits.retrySeconds.length) - 1]!
    await later(db, a, wait * 1000, error)
    return wait * 1000
  }

  /** Returns the pause for the gateway's other writes, ms, after a missing reply. */
  const one = async (a: Action): Promise<number | undefined> => {
    const delay = (a.Payload.DelayS ?? 0) * 1000
    if (a.Due === null) {
      await db.rows(sql`update alarm_action set "DueTime" = ${at(delay)} where "Id" = ${a.Id}`)
      if (delay) {
        await db.rows(sql`update alarm_action set "NextTime" = ${at(delay)}, "Tries" = 0 where "Id" = ${a.Id}`)
        return
      }
      a.Due = clock()
    }
    if (a.Kind === 'write' && clock() > a.Due + limits.lateMs) return end(db, a, a.Tries > 1 ? 3 : 5, 'tooLate')
    try {
      if (a.Kind === 'write') return await writing(a)
      await db.tx(async (db) => {
        await notify(db, delivery, a, at())
        await end(db, a, 1)
      })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.key === 'tooMany') await later(db, a, 10_000, error.key)
      else await end(db, a, 3, error.key)
    }
  }

  /** The actions of a lane. After a missing reply, the gateway's other writes wait until the next retry. */
  const inTurn = async (own: readonly Action[], isStopped: () => boolean) => {
    for (const [i, a] of own.entries()) {
      const rest = await one(a)
      if (!rest && !isStopped()) continue
      const ids = own.slice(i + 1).map(({ Id }) => Id)
      await db.rows(sql`update alarm_action set "NextTime" = ${at(rest ?? 0)}, "Tries" = "Tries" - 1 where "Id" = any(${ids}::bigint[])`)
      return
    }
  }

  let isTakenUp = false
  /** Takes over the actions of an earlier process without waiting for its leases to expire. */
  const takeUp = async () => {
    if (isTakenUp) return
    await db.rows(
      sql`update alarm_action set "NextTime" = '-infinity' where "Status" = 0 and "Kind" <> 'order' and "Tries" > 0 and "NextTime" > ${at()}`,
    )
    isTakenUp = true
  }
  const run = async (isStopped: () => boolean) => {
    await takeUp()
    const claimNow = (ids: readonly number[]) => claim(db, ids, at(), at(limits.leaseMs))
    const act = (own: readonly Action[]) => inTurn(own, isStopped)
    while (!isStopped() && isOwner() && (await startLanes(lanes, await db.rows(inTurns(due(at()), lanes, limits)), claimNow, act)));
  }

  return startWorker({
    ...{ database, run, lanes, pollMs: limits.pollMs },
    triggeredBy: ({ resource, verb }) => resource === alarmInfo.name && verb === 'create',
    failed: (err) => log.warn({ err }, 'actions of alarms not carried out'),
  })
}
export type Actions = ReturnType<typeof startActions>
