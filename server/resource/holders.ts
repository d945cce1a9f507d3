// Which records still use others, by a reference or inside their JSON.
import { sql } from 'kysely'
import type { Details } from '../../contract/call.ts'
import { allResources } from '../../contract/registry.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { column, type Sql, table, visible } from './sql.ts'

type Holding = { by: Resource; field: string; uses: (ids: readonly number[]) => Sql; isInside: boolean }

const holdingsOf = (r: Resource): Holding[] =>
  allResources().flatMap((by) =>
    Object.entries(by.fields).flatMap(([field, f]): Holding[] => {
      if (f.kind === 'ref' && f.to === r.name)
        return [{ by, field, isInside: false, uses: (ids) => sql`${column(field)} = any(${ids}::bigint[])` }]
      const path = f.kind === 'json' ? f.names?.[r.name] : undefined
      if (!path) return []
      const uses = (ids: readonly number[]) =>
        sql`jsonb_path_exists(${column(field)}, ${`${path} ? (@ == $ids[*])`}::jsonpath, ${JSON.stringify({ ids })}::jsonb)`
      return [{ by, field, isInside: true, uses }]
    }),
  )

/** The users of these records that the actor sees. */
export const usedBy = async (db: Db, actor: Actor, r: Resource, ids: readonly number[]): Promise<Details> => {
  const holdings = holdingsOf(r)
  const rows = await Promise.all(
    holdings.map(({ by, uses }) =>
      db.rows<{ Id: number; Title: string }>(
        sql`select "Id", ${column(by.title)}::text as "Title" from ${table(by)} t where ${uses(ids)} and ${visible(by, actor)} order by "Id" limit 10`,
      ),
    ),
  )
  return { UsedBy: holdings.flatMap(({ by }, i) => rows[i]!.map((row) => ({ Resource: by.name, ...row }))) }
}

/**
 * Refuses to remove locked rows that others name inside their JSON, where no foreign key does. Whoever names a record there holds it by
 * `for key share`, so that it cannot be removed in the meantime.
 */
export const assertUnnamed = async (db: Db, actor: Actor, r: Resource, rows: readonly { Id: number; EnterpriseId: number }[]) => {
  const inside = holdingsOf(r).filter(({ isInside }) => isInside)
  if (!inside.length) return
  const ids = rows.map(({ Id }) => Id)
  const companies = [...new Set(rows.map(({ EnterpriseId }) => EnterpriseId))]
  const found = await db.all(
    inside.map(
      ({ by, uses }) =>
        sql<object>`select 1 from ${table(by)} t where t."EnterpriseId" = any(${companies}::bigint[]) and ${uses(ids)} limit 1`,
    ),
  )
  if (found.some((rows) => rows.length)) throw new Fault('inUse', {}, await usedBy(db, actor, r, ids))
}
