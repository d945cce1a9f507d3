import { sql } from 'kysely'
import type { Field } from '../../contract/field.ts'
import { resourceNamed } from '../../contract/registry.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { and, column, named, type Sql, table, visible } from '../resource/sql.ts'
import type { Actor } from './actor.ts'
import { dataScopeFilter, isNarrowed } from './dataScope.ts'
import { inSight, seesOwnOrders } from './sight.ts'

/** Whether the actor sees fewer rows of a resource than its tenant has. */
export const seesPart = (resource: string, actor: Actor): boolean => {
  if (seesOwnOrders(resource, actor)) return true
  if (!isNarrowed(actor)) return false
  const r = resourceNamed(resource)
  return r ? inSight(r, actor, 't').length > 0 : dataScopeFilter(resource, actor, 't').length > 0
}

/** A reference for conditions, empty if the actor cannot see its record, so that conditions cannot probe for Ids. Undefined: as stored. */
export const visibleRef = (r: Resource, f: Field, name: string, actor: Actor): Sql | undefined => {
  if (f.kind !== 'ref') return
  // Visibility follows the owner of the rows.
  const scope = name === r.owner ? dataScopeFilter(f.to, actor, 'visible') : inSight(named(f.to), actor, 'visible')
  if (!scope.length) return
  return sql`(select visible."Id" from ${table(named(f.to))} visible where visible."Id" = ${column(name)} and ${and(scope)})`
}

/** Ids that are no rows of the tenant, or are out of the actor's sight; those that a record names already may stay. */
export const unknownIds = async (
  db: Db,
  actor: Actor,
  resource: string,
  { ids, tenant, existing = [] }: { ids: readonly number[]; tenant: number; existing?: readonly number[] },
): Promise<Set<number>> => {
  const given = new Set(ids)
  if (!given.size) return given
  const r = named(resource)
  const of = sql`"Id" = any(${[...given]}::bigint[]) and "EnterpriseId" = ${tenant}`
  const rows = await db.rows<{ Id: number }>(
    sql`select "Id" from ${table(r)} t where ${of} and (${visible(r, actor)} or "Id" = any(${existing}::bigint[]))`,
  )
  return given.difference(new Set(rows.map((row) => row.Id)))
}
