// Alarms that were put aside come back by themselves.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import { alarmInfo } from '../contract.ts'

/** Takes the mark from those whose time is over at a moment (epoch ms), and tells consoles. */
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
      .catch((err) => log.warn({ err }, 'alarms that were put aside are not taken back; trying again'))
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
