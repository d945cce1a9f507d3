// Parts of statements. Names come from the contract, values are bound.
import { type RawBuilder, sql } from 'kysely'
import { resourceNamed } from '../../contract/registry.ts'
import type { Resource } from '../../contract/resource.ts'
import { snakeCase } from '../../contract/text.ts'

/** A condition or expression whose names come from the contract and whose values are bound. */
export type Sql = RawBuilder<unknown>

export const named = (name: string): Resource => {
  const r = resourceNamed(name)
  if (!r) throw new Error(`No resource is called ${name}.`)
  return r
}

export const tableName = (r: Resource) => snakeCase(r.name)
export const table = (r: Resource) => sql.raw(`"${tableName(r)}"`)
/** Names are the contract's own, never the caller's. */
export const column = (name: string, alias = 't') => sql.raw(`${alias}."${name}"`)

export const and = (conditions: readonly Sql[]): Sql => (conditions.length ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`)
export const or = (conditions: readonly Sql[]): Sql => sql`(${sql.join(conditions, sql` or `)})`
