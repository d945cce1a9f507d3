// Delivers alarm events to webhooks. Events are rows of `alarm_webhook_event`, created with the change of the alarm. Each is deleted in
// the transaction that queues its message, so a restart neither repeats nor loses one.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Delivery } from '../../../../../../server/channels/delivery.ts'
import type { Database } from '../../../../../../server/database/db.ts'
import { Fault } from '../../../../../../server/http/faults.ts'
import { startWorker } from '../../../../../../server/jobs/worker.ts'
import { alarmInfo } from '../../../contract.ts'
import { dueEvents, messageFor } from './events.ts'

type Needs = {
  database: Database
  delivery: Pick<Delivery, 'deliver'>
  /** Epoch ms. */
  clock: () => number
  log: Pick<Logger, 'warn'>
  limits?: Partial<typeof standardLimits>
}

/**
 * Queued messages per webhook, so that an unreachable one does not fill the queue; poll interval, ms; days after which an
 * undelivered event is dropped.
 */
export const standardLimits = { waiting: 100, pollMs: 1000, keptDays: 7 }

export const startWebhooks = ({ database, delivery, clock, log, ...options }: Needs) => {
  const limits = { ...standardLimits, ...options.limits }
  const db = database.system
  let clearAt = 0
  const clear = async () => {
    if (clock() < clearAt) return
    await db.rows(sql`delete from alarm_webhook_event where "CreateTime" < ${new Date(clock() - limits.keptDays * 86_400_000)}`)
    clearAt = clock() + 3_600_000
  }
  const step = () =>
    db.tx(async (db) => {
      const due = await dueEvents(db, limits.waiting)
      for (const event of due) await delivery.deliver(db, messageFor(event))
      await db.rows(sql`delete from alarm_webhook_event where "Id" = any(${due.map((e) => e.EventId)}::bigint[])`)
      return due.length
    })

  return startWorker({
    ...{ database, pollMs: limits.pollMs },
    run: async (isStopped) => {
      const [found] = await db.rows<{ due: boolean }>(sql`select exists (select 1 from alarm_webhook_event) as due`)
      while (found!.due && !isStopped() && (await step()));
      await clear()
    },
    triggeredBy: ({ resource }) => resource === alarmInfo.name,
    failed: (err) => {
      // The tenant's queue is full: retried at the next poll.
      if (!(err instanceof Fault)) log.warn({ err }, 'webhooks of alarms not told')
    },
  })
}
export type Webhooks = ReturnType<typeof startWebhooks>
