// Rows of a whole tenant that other rows use: models, plans, codes, rosters, templates. Who sees a part of the tenant changes and removes
// only those on which nothing out of his sight depends.
import { sql } from 'kysely'
import { linkField, linkTable } from '../../contract/links.ts'
import { allResources, linksFrom } from '../../contract/registry.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import { and, column, named, type Sql, table, visible } from '../resource/sql.ts'
import type { Actor } from './actor.ts'
import { isNarrowed } from './dataScope.ts'

/** People and rights have rules of their own (dataScope.ts, rights.ts), and so have announcements (areas/notices). */
const ruledElsewhere = new Set(['organ', 'user', 'role', 'dataPermission', 'apiCredential', 'notice'])

/** Ids within JSON: `of` names rows of `to` at `path` of a field. */
const inJson = [
  { of: 'alarmRule', field: 'RuleConfigure', path: '$.RuleList[*].Conditions[*].DeviceSelection.ModelId', to: 'proModel' },
  { of: 'alarmRule', field: 'AlarmPush', path: '$.**.PushRosters[*]', to: 'alarmRoster' },
  { of: 'mtnAlmTemplate', field: 'AlarmPush', path: '$.**.PushRosters[*]', to: 'alarmRoster' },
  { of: 'mtnAlmTemplate', field: 'AlarmPush', path: '$.**.PushUsers[*]', to: 'user' },
  { of: 'alarmRoster', field: 'Shifts', path: '$[*].Users[*]', to: 'user' },
]
const users = (r: Resource) =>
  allResources()
    .filter((by) => by.name !== r.name)
    .flatMap((by) => Object.entries(by.fields).flatMap(([field, f]) => (f.kind === 'ref' && f.to === r.name ? [{ by, field }] : [])))

/** Rows that the actor sees and on which nothing out of sight depends. `way` holds the resources already visited, so that circular references end. */
const concernsOnlySeen = (r: Resource, actor: Actor, alias: string, way: readonly string[] = []): Sql => {
  const visibleFilter = visible(r, actor, alias)
  if (r.owner !== 'tenant' || ruledElsewhere.has(r.name) || way.includes(r.name)) return visibleFilter
  const on = [...way, r.name]
  const id = column('Id', alias)
  const inner = `${alias}_by`
  const none = (of: Resource, where: Sql, allowed: Sql) =>
    sql`not exists (select 1 from ${table(of)} ${sql.raw(inner)} where ${where} and ${allowed} is not true)`
  const ids = (field: string, path: string, at: string) =>
    sql`(select (x #>> '{}')::bigint from jsonb_path_query(${column(field, at)}, ${path}::jsonpath) x)`
  return and([
    visibleFilter,
    // One that names neither holds for all gateways of the tenant.
    ...(r.name === 'alarmSetting' && actor.projects !== 'all'
      ? [sql`(${column('ProjectId', alias)} is not null or ${column('GatewayId', alias)} is not null)`]
      : []),
    ...users(r).map(({ by, field }) => none(by, sql`${column(field, inner)} = ${id}`, concernsOnlySeen(by, actor, inner, on))),
    ...linksFrom(r).map(({ to, ...l }) => {
      const linked = sql`select ${sql.ref(linkField(to))} from ${sql.table(linkTable({ to, ...l }))} where ${sql.ref(linkField(r))} = ${id}`
      return none(to, sql`${column('Id', inner)} in (${linked})`, visible(to, actor, inner))
    }),
    ...inJson
      .filter(({ to }) => to === r.name)
      .map(({ of, field, path }) =>
        none(named(of), sql`${id} in ${ids(field, path, inner)}`, concernsOnlySeen(named(of), actor, inner, on)),
      ),
    ...inJson
      .filter(({ of }) => of === r.name)
      .filter(({ to }) => to === 'user')
      .map(({ field, path, to }) =>
        none(named(to), sql`${column('Id', inner)} in ${ids(field, path, alias)}`, visible(named(to), actor, inner)),
      ),
  ])
}

/** Throws platformRow for rows that the platform shares with the actor's tenant. */
export const assertOwnRows = async (db: Db, actor: Actor, r: Resource, ids: readonly number[]) => {
  if (!r.shared || actor.platform) return
  const [other] = await db.rows(
    sql`select 1 from ${table(r)} t where ${column('Id')} = any(${[...ids]}::bigint[]) and ${visible(r, actor)} and "EnterpriseId" <> ${actor.EnterpriseId} limit 1`,
  )
  if (other) throw new Fault('platformRow')
}

/** The record that a row is a part of, such as the model of a point, where whole tenants share it. */
const sharedOwner = (r: Resource): Resource | undefined => {
  const field = r.owner ? r.fields[r.owner] : undefined
  if (field?.kind !== 'ref') return undefined
  const owner = named(field.to)
  return owner.owner === 'tenant' ? owner : undefined
}

/** Throws moreRights for rows that the actor sees, and on which something out of his sight depends. Parts of a row count as the row. */
export const assertConcernsOnlySeen = async (db: Db, actor: Actor, r: Resource, ids: readonly number[]): Promise<void> => {
  if (!isNarrowed(actor) || ruledElsewhere.has(r.name)) return
  const whole = sharedOwner(r)
  if (whole) {
    const rows = await db.rows<{ Id: number }>(
      sql`select distinct ${column(r.owner!)} as "Id" from ${table(r)} t where ${column('Id')} = any(${[...ids]}::bigint[])`,
    )
    return assertConcernsOnlySeen(
      db,
      actor,
      whole,
      rows.map((row) => row.Id),
    )
  }
  if (r.owner !== 'tenant') return
  const [other] = await db.rows(
    sql`select 1 from ${table(r)} t where ${column('Id')} = any(${[...ids]}::bigint[]) and ${visible(r, actor)} and ${concernsOnlySeen(r, actor, 't')} is not true limit 1`,
  )
  if (other) throw new Fault('moreRights')
}
