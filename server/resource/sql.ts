import { type RawBuilder, sql } from 'kysely'
import type { Field } from '../../contract/field.ts'
import { resourceNamed } from '../../contract/registry.ts'
import { joined, type Resource } from '../../contract/resource.ts'
import { snakeCase } from '../../contract/text.ts'
import type { Actor } from '../identity/actor.ts'
import { dataScopeFilter } from '../identity/dataScope.ts'

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

/** Fields every row has beside those the contract names. */
export const baseFields: Record<string, Field> = {
  Id: { kind: 'number', integer: true },
  EnterpriseId: { kind: 'number', integer: true },
  CreateTime: { kind: 'instant' },
  UpdateTime: { kind: 'instant' },
}
export const fieldOf = (r: Resource, name: string): Field | undefined =>
  Object.hasOwn(r.fields, name) ? r.fields[name] : Object.hasOwn(baseFields, name) ? baseFields[name] : undefined

/** Moments leave as `YYYY-MM-DD HH:mm:ss` in the zone of the call (ruling 34a). */
const selected = (name: string, field: Field, zone: string): Sql =>
  field.kind === 'instant'
    ? sql`to_char(${column(name)} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.raw(`"${name}"`)}`
    : column(name)

/** The title of the record that a ref points to; for an actor it is empty when the record is out of his sight. */
export const titleOf = ([, field, to]: readonly [string, string, string], actor?: Actor): Sql => {
  const r = named(to)
  const scope = actor ? dataScopeFilter(to, actor, 'j') : []
  const conditions = and([sql`${column('Id', 'j')} = ${column(field)}`, ...scope])
  return sql`(select ${column(r.title, 'j')} from ${table(r)} j where ${conditions})`
}

const none = (name: string): Sql => sql.raw(`null as "${name}"`)

/** The columns of an answer: base, fields, and the titles of the records that refs point to; hidden ones are empty. */
export const columns = (r: Resource, actor: Actor): Sql => {
  const hidden = actor.dataScope?.hidden[r.name]
  const zone = actor.zone ?? actor.tenantZone
  return sql.join([
    ...Object.entries({ ...baseFields, ...r.fields }).map(([name, f]) => (hidden?.has(name) ? none(name) : selected(name, f, zone))),
    sql`(extract(epoch from ${column('UpdateTime')}) * 1000000)::bigint as "UpdateStamp"`,
    ...joined(r).map((join) => (hidden?.has(join[1]) ? none(join[0]) : sql`${titleOf(join, actor)} as ${sql.raw(`"${join[0]}"`)}`)),
  ])
}

export const granted = (r: Resource, actor: Actor, alias: string, projects: readonly number[]): Sql[] => {
  if (r.owner === 'tenant') return []
  if (r.owner === 'grant') {
    const given = sql`${column('Id', alias)} = any(${projects}::bigint[])`
    return [actor.dataScope?.ownProjects && !actor.preview ? or([given, sql`${column('CreateUserId', alias)} = ${actor.UserId}`]) : given]
  }
  const owner = r.fields[r.owner]
  if (owner?.kind !== 'ref') throw new Error(`${r.name} is owned by ${r.owner}, which is no ref.`)
  const to = named(owner.to)
  if (to.owner === 'grant') return [sql`${column(r.owner, alias)} = any(${projects}::bigint[])`]
  const inner = `${alias}_owner`
  return [
    sql`exists (select 1 from ${table(to)} ${sql.raw(inner)} where ${column('Id', inner)} = ${column(r.owner, alias)} and ${and(granted(to, actor, inner, projects))})`,
  ]
}

/**
 * Which rows an actor sees, in every statement of the kernel: his tenant's, and of those the ones in his projects and organisations.
 * Row-level security stands behind it.
 */
export const visible = (r: Resource, actor: Actor, alias = 't'): Sql =>
  and([
    ...(actor.platform ? [] : [sql`${column('EnterpriseId', alias)} = ${actor.EnterpriseId}`]),
    ...(actor.projects === 'all' ? [] : granted(r, actor, alias, actor.projects)),
    ...dataScopeFilter(r.name, actor, alias),
  ])
