import { sql } from 'kysely'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { column, type Sql, table } from './sql.ts'

/** What a copy is called: as the original, with the first number that is free among the rows that its name is unique in. */
export const copyName = async (db: Db, r: Resource, name: string, among: Sql): Promise<string> => {
  const rows = await db.rows<{ Title: string }>(sql`select ${column(r.title)} as "Title" from ${table(r)} t where ${among}`)
  const taken = new Set(rows.map((row) => row.Title))
  let n = 2
  const named = () => `${name.slice(0, 44)} (${n})`
  while (taken.has(named())) n++
  return named()
}
