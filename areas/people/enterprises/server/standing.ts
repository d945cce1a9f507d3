import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'

/** Time for which gateways of a closed or expired tenant continue to store readings, ms. */
export const graceMs = 7 * 86_400_000

/** Whether readings of a tenant are stored; cached, and reloaded when a tenant changes. */
export const openStanding = async (database: Database, clock: () => number) => {
  const closed = new Map<number, number>()
  const read = async () => {
    const rows = await database.system.rows<{ Id: number; At: Date }>(sql`
      select "Id", least(case when "Status" = 0 then coalesce("ClosedTime", "UpdateTime") end, "GrantTo") as "At" from enterprise
      where "Status" = 0 or "GrantTo" is not null`)
    closed.clear()
    for (const { Id, At } of rows) closed.set(Id, At.getTime())
  }
  await read()
  // If PostgreSQL is down at that time, the cached state holds until the next change.
  const stop = database.onChange(({ resource }) => void (resource === 'enterprise' && read().catch(() => undefined)))
  return {
    stores: (EnterpriseId: number) => clock() < (closed.get(EnterpriseId) ?? Number.POSITIVE_INFINITY) + graceMs,
    close: () => void stop(),
  }
}
