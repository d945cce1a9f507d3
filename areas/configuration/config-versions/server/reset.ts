import { sql } from 'kysely'
import { joined, writable } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { clearTitles } from '../../../../server/resource/bulk.ts'
import { named, type Sql, table, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { linkAgain } from '../../models/server/service.ts'
import { type ConfigTable, configTables } from '../contract.ts'
import { mayRead } from './compare.ts'
import { differing, listOf, rowsOf, type Sides, tables } from './service.ts'

const quoted = (names: readonly string[]) => sql.join(names.map((n) => sql.ref(n)))

/** Requires that the actor sees the whole configuration. @throws Fault `moreRights` */
export const assertSeesAll = async (db: Db, actor: Actor, gatewayId: number) => {
  for (const name of tables) {
    if (!mayRead(actor, name) || actor.dataScope?.hidden[name]?.size) throw new Fault('moreRights')
    const [unseen] = await db.rows(
      sql`select 1 from (${rowsOf(name, gatewayId)}) t where ${visible(named(name), actor)} is not true limit 1`,
    )
    if (unseen) throw new Fault('moreRights')
  }
}

/** Writes change entries for rows that one statement has changed, and announces them. */
const noted = async (db: Db, actor: Actor, name: ConfigTable, enterprise: number, verb: 'create' | 'update', written: Sql, before: Sql) => {
  const rows = await db.rows<{ Id: number }>(sql`
    ${written}
    insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
    select ${enterprise}, ${actor.UserId || null}, ${name}, w."Id", ${verb}, ${before}, to_jsonb(w), ${actor.origin?.requestId}, ${actor.origin?.ip} from written w
    returning "RecordId" as "Id"`)
  for (const { Id } of rows) db.emit({ resource: name, id: Id, verb, EnterpriseId: enterprise })
}

type Sent = Record<string, unknown>
type Changed = { Id: number; Before: Sent; After: Sent }
type Plan = { added: number[]; removed: number[]; changed: Changed[] }
const chunkRows = 1000

/** Sorts the rows of a table into added, changed and removed. Reads values of changed rows only. */
const planOf = async (db: Db, name: ConfigTable, sides: Sides): Promise<Plan> => {
  const rows = await db.rows<{ Id: number; Added: boolean; Removed: boolean; Before: Sent; After: Sent }>(sql`
    select "Id", "Before" is null as "Added", "After" is null as "Removed",
      case when "After" is not null then "Before" end as "Before", case when "Before" is not null then "After" end as "After"
    from (${differing(name, sides)}) d order by "Id"`)
  const ids = (of: (row: (typeof rows)[number]) => boolean) => rows.filter(of).map(({ Id }) => Id)
  return { added: ids((r) => r.Added), removed: ids((r) => r.Removed), changed: rows.filter((r) => !r.Added && !r.Removed) }
}

/** Restores the gateway fields of changed rows. Renames rows temporarily first, because two rows may swap names. */
const changeBack = async (db: Db, actor: Actor, name: ConfigTable, enterprise: number, changed: readonly Changed[]) => {
  const r = named(name)
  const renamed = changed.filter(({ Before, After }) => Before[r.title] !== After[r.title]).map(({ Id }) => Id)
  const set = sql.join(configTables[name].map((field) => sql`${sql.ref(field)} = s.${sql.ref(field)}`))
  const before = new Map<number, unknown>()
  for (let i = 0; i < changed.length; i += chunkRows) {
    const ids = changed.slice(i, i + chunkRows).map(({ Id }) => Id)
    for (const row of await db.rows<{ Id: number; x: unknown }>(
      sql`select t."Id", to_jsonb(t) as x from ${table(r)} t where "Id" = any(${ids}::bigint[]) for no key update`,
    ))
      before.set(row.Id, row.x)
  }
  await clearTitles(db, r, renamed)
  for (let i = 0; i < changed.length; i += chunkRows) {
    const chunk = changed.slice(i, i + chunkRows)
    const old = JSON.stringify(chunk.map(({ Id }) => before.get(Id)))
    const target = JSON.stringify(chunk.map(({ Id, After }) => ({ ...After, Id })))
    const written = sql`with old as (select (x->>'Id')::bigint as "Id", x from jsonb_array_elements(${old}::jsonb) x),
      written as (update ${table(r)} t set ${set}, "UpdateTime" = now()
        from jsonb_populate_recordset(null::public.${table(r)}, ${target}::jsonb) s where t."Id" = s."Id" returning t.*)`
    await noted(db, actor, name, enterprise, 'update', written, sql`(select x from old where old."Id" = w."Id")`)
  }
}

/** References that a version does not contain. They are restored if their record still exists. */
const outside = (name: ConfigTable) =>
  joined(named(name)).filter(([, field]) => ![...configTables[name], named(name).owner].some((sent) => sent === field))

/** Restores removed rows under their original Ids, which keeps their history. */
const bringBack = async (db: Db, actor: Actor, name: ConfigTable, enterprise: number, { gatewayId, to }: Sides, ids: readonly number[]) => {
  const r = named(name)
  const values = new Map<string, Sql>(
    ['Id', 'EnterpriseId', 'CreateTime', ...writable(r, 'create').map(([field]) => field)].map((field) => [field, sql.ref(`s.${field}`)]),
  )
  for (const [, field, other] of outside(name))
    values.set(field, sql`(select o."Id" from ${table(named(other))} o where o."Id" = ${sql.ref(`s.${field}`)})`)
  // Secrets are set by the server only and belong to the row.
  if ('Secrets' in r.fields) values.set('Secrets', sql.ref('s.Secrets'))
  if (name === 'device')
    values.set(
      'ModelVersion',
      sql`(select v."Version" from model_version v where v."ModelId" = s."ModelId" and v."Version" = s."ModelVersion")`,
    )
  const list = listOf(name, gatewayId, to!)
  const isAdded = sql`(x->>'Id')::bigint = any(${[...ids]}::bigint[])`
  const written = sql`with written as (
    insert into ${table(r)} (${quoted([...values.keys()])}) overriding system value
    select ${sql.join([...values.values()])} from jsonb_array_elements(${list}) x, jsonb_populate_record(null::public.${table(r)}, x) s
    where ${isAdded} and s."EnterpriseId" = ${enterprise} returning *)`
  await noted(db, actor, name, enterprise, 'create', written, sql`null::jsonb`)
  if (name !== 'point') return
  const links = await db.rows<{ Id: number; ModelParaId: number }>(sql`
    select (x->>'Id')::bigint as "Id", (x->>'ModelParaId')::bigint as "ModelParaId" from jsonb_array_elements(${list}) x
    where ${isAdded} and x->>'ModelParaId' is not null`)
  await linkAgain(db, links)
}

/** Locks the models of removed devices, which a publication would lock before their devices. */
const lockModels = (db: Db, { gatewayId, to }: Sides) =>
  db.rows(sql`
    select 1 from pro_model where "Id" in (select (x->>'ModelId')::bigint from jsonb_array_elements(${listOf('device', gatewayId, to!)}) x)
    order by "Id" for key share`)

/** Restores a configuration in the caller's transaction. */
export const restore = async (db: Db, actor: Actor, enterprise: number, sides: Sides) => {
  await lockModels(db, sides)
  const plans = new Map<ConfigTable, Plan>()
  for (const name of tables) plans.set(name, await planOf(db, name, sides))
  const remove = async (name: ConfigTable) => {
    const { removed } = plans.get(name)!
    if (removed.length) await store(named(name)).remove(db, actor, removed)
  }
  await remove('gatewayPara')
  await remove('point')
  await remove('device')
  for (const [name, { added, changed }] of plans) {
    await changeBack(db, actor, name, enterprise, changed)
    if (added.length) await bringBack(db, actor, name, enterprise, sides, added)
  }
  await remove('netProtocol')
  await remove('serialProtocol')
}
