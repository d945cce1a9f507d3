import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import type { Kept } from '../../../../server/telemetry/retention.ts'

/** Retention of readings and roll-ups by tenant; cached, and reloaded when a tenant changes. */
export const retentionOf = async (database: Database) => {
  const kept = new Map<number, Kept>()
  const read = async () => {
    for (const { Id, days, months } of await database.system.rows<{ Id: number; days: number | null; months: number | null }>(
      sql`select "Id", "RetentionDays" as days, "RetentionMonths" as months from enterprise`,
    ))
      kept.set(Id, { days: days ?? undefined, months: months ?? undefined })
  }
  await read()
  database.onChange((change) => {
    if (change.resource === 'enterprise') void read().catch(() => {})
  })
  return (EnterpriseId: number) => kept.get(EnterpriseId) ?? {}
}
