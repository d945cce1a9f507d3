import { sql } from 'kysely'
import type { Database } from '../../database/db.ts'

/** Days each tenant keeps its readings; read once, and again when a tenant changes. */
export const retentionOf = async (database: Database) => {
  const days = new Map<number, number | undefined>()
  const read = async () => {
    for (const { Id, RetentionDays } of await database.system.rows<{ Id: number; RetentionDays: number | null }>(
      sql`select "Id", "RetentionDays" from enterprise`,
    ))
      days.set(Id, RetentionDays ?? undefined)
  }
  await read()
  database.onChange((change) => {
    if (change.resource === 'enterprise') void read().catch(() => {})
  })
  return (EnterpriseId: number) => days.get(EnterpriseId)
}
