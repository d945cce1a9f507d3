import { sql } from 'kysely'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { column, type Sql, table } from './sql.ts'

/** What a copy is called: as the original, with the first number that is free among the rows that its name is unique in. */
export const copyName = async (db: Db, r: Resource, name: string, among: Sql): Promise<string> => {
  const begin = `${name.slice(0, 44)} (`
  // The database looks for the number: a company may have many thousands of copies.
  const [free] = await db.rows<{ n: number }>(sql`
    select s.n::int from generate_series(2, 2 + (select count(*) from ${table(r)} t where ${among})) s (n)
    where not exists (select 1 from ${table(r)} t where ${among} and ${column(r.title)} = ${begin} || s.n || ')') order by s.n limit 1`)
  return `${begin}${free!.n})`
}
