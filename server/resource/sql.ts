import { sql } from 'kysely'
import type { Field } from '../../contract/field.ts'
import { toBillionths } from '../../contract/money.ts'
import { joined, type Resource } from '../../contract/resource.ts'
import { and, column, named, type Sql, table } from '../database/fragments.ts'
import type { Actor } from '../identity/actor.ts'
import { dataScopeFilter } from '../identity/dataScope.ts'
import { platformEnterprise } from '../identity/setup.ts'
import { inSight } from '../identity/sight.ts'

export { and, column, named, or, type Sql, table, tableName } from '../database/fragments.ts'

/** Fields every row has beside those the contract names. */
export const baseFields: Record<string, Field> = {
  Id: { kind: 'number', integer: true },
  EnterpriseId: { kind: 'number', integer: true },
  CreateTime: { kind: 'instant' },
  UpdateTime: { kind: 'instant' },
}
export const fieldOf = (r: Resource, name: string): Field | undefined =>
  Object.hasOwn(r.fields, name) ? r.fields[name] : Object.hasOwn(baseFields, name) ? baseFields[name] : undefined

const isMoney = (f: Field | undefined) => f?.kind === 'number' && f.money === true
/** A value as the column keeps it. */
export const kept = (f: Field | undefined, value: unknown): unknown =>
  isMoney(f) && typeof value === 'number' ? toBillionths(value) : value

/** Fields of a resource that the actor does not see: hidden by a data permission, or for lack of a permission that a field asks for. */
export const hiddenFields = (r: Resource, actor: Actor): ReadonlySet<string> | undefined => {
  const hidden = actor.dataScope?.hidden[r.name]
  const unseen = Object.entries(r.fields).flatMap(([name, { seenWith }]) => (seenWith && !actor.may.has(seenWith) ? [name] : []))
  return unseen.length ? new Set([...(hidden ?? []), ...unseen]) : hidden
}

/** Moments leave as `YYYY-MM-DD HH:mm:ss` in the zone of the call (ruling 34a). */
const selected = (name: string, field: Field, zone: string): Sql =>
  field.kind === 'instant'
    ? sql`to_char(${column(name)} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.raw(`"${name}"`)}`
    : isMoney(field)
      ? sql`(${column(name)} / 1000000000::numeric)::float8 as ${sql.raw(`"${name}"`)}`
      : column(name)

/**
 * The title of the record that a ref points to; for an actor it is empty when the record is out of his sight. `owner` is the field by
 * which the rows themselves are granted: nothing is asked twice.
 */
export const titleOf = (
  [, field, to]: readonly [string, string, string],
  actor?: Actor,
  { alias = 't', owner }: { alias?: string; owner?: string } = {},
): Sql => {
  const r = named(to)
  const scope = actor ? (field === owner ? dataScopeFilter(to, actor, 'j') : inSight(r, actor, 'j')) : []
  const conditions = and([sql`${column('Id', 'j')} = ${column(field, alias)}`, ...scope])
  return sql`(select ${column(r.title, 'j')} from ${table(r)} j where ${conditions})`
}

const none = (name: string): Sql => sql.raw(`null as "${name}"`)

/** The columns of an answer: base, fields, and the titles of the records that refs point to; hidden ones are empty. */
export const columns = (r: Resource, actor: Actor): Sql => {
  const hidden = hiddenFields(r, actor)
  const zone = actor.zone ?? actor.tenantZone
  return sql.join([
    ...Object.entries({ ...baseFields, ...r.fields }).map(([name, f]) => (hidden?.has(name) ? none(name) : selected(name, f, zone))),
    sql`(extract(epoch from ${column('UpdateTime')}) * 1000000)::bigint as "UpdateStamp"`,
    ...joined(r).map((join) => (hidden?.has(join[1]) ? none(join[0]) : sql`${titleOf(join, actor, r)} as ${sql.raw(`"${join[0]}"`)}`)),
  ])
}

/** The moment at which an actor writes. */
export const momentOf = (actor: Actor): Sql => (actor.past ? sql`${actor.past}::timestamptz` : sql`now()`)

/**
 * Which rows an actor sees, in every statement of the kernel: his tenant's, and of those the ones in his projects and organisations.
 * Row-level security is the second line of defence.
 */
export const visible = (r: Resource, actor: Actor, alias = 't'): Sql => {
  const of = column('EnterpriseId', alias)
  const tenant = r.shared ? sql`${of} in (${actor.EnterpriseId}, ${platformEnterprise})` : sql`${of} = ${actor.EnterpriseId}`
  return and([...(actor.platform ? [] : [tenant]), ...inSight(r, actor, alias)])
}
