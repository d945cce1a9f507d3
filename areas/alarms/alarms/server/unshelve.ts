// Returns shelved alarms when their time is up (ISA-18.2).
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import { alarmInfo } from '../contract.ts'

/** Unshelves alarms that are due at `now`, epoch ms, and notifies consoles. Returns how many. */
export const unshelveDue = (database: Database, now: number) =>
  database.system.tx(async (db) => {
    const rows = await db.rows<{ Id: number; EnterpriseId: number; ProjectId: number | null }>(sql`
      update alarm_info set "IsShelved" = 0, "UpdateTime" = now() where "IsShelved" = 1 and "ShelvedUntil" <= to_timestamp(${now / 1000}::float8)
      returning "Id", "EnterpriseId", "ProjectId"`)
    for (const { Id, ...of } of rows) db.emit({ resource: alarmInfo.name, id: Id, verb: 'update', ...of })
    return rows.length
  })

type Needs = { database: Database; log: Pick<Logger, 'warn'>; clock: () => number; everyMs?: number }

export const startUnshelving = ({ database, log, clock, everyMs = 5000 }: Needs) => {
  let work: Promise<unknown> | undefined
  const timer = setInterval(() => {
    work ??= unshelveDue(database, clock())
      .catch((err) => log.warn({ err }, 'shelved alarms were not returned; trying again'))
      .finally(() => {
        work = undefined
      })
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await work
    },
  }
}
