import { sql } from 'kysely'
import type { Reading } from './reading.ts'

/** Units of points, by Id. */
export const unitsOfPoints = async ({ db }: Pick<Reading, 'db'>, ids: readonly (number | null)[]) => {
  const rows = await db.rows<{ Id: number; Unit: string | null }>(
    sql`select "Id", "ParaUnitName" as "Unit" from point where "Id" = any(${ids.filter((id) => id !== null)}::bigint[])`,
  )
  const units = new Map(rows.map(({ Id, Unit }) => [Id, Unit]))
  return (id: number | null) => (id === null ? null : (units.get(id) ?? null))
}
