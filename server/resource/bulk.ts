import { sql } from 'kysely'
import { type Resource, type Row, writable } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { notFound } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { assertChangeNotBroader, changingRows } from '../identity/dataScope.ts'
import { assertConcernsOnlySeen, assertOwnRows } from '../identity/sharedRows.ts'
import { column, columns, kept, or, table, visible } from './sql.ts'
import { readableFields, recordAll, writesOf } from './store.ts'

type Values = Record<string, unknown>
type Changed = { Id: number }

/**
 * Writes many rows of one resource in three statements, with their change entries, inside the caller's transaction.
 * The rows are checked already, their references too: they belong to one owner the actor has been shown to see.
 */
export const saveMany = async (
  db: Db,
  actor: Actor,
  r: Resource,
  enterprise: number,
  { add, change }: { add: readonly Values[]; change: readonly (Values & { Id: number })[] },
) => {
  const names = writable(r, 'create').map(([k]) => k)
  const list = sql.join(names.map((n) => sql.raw(`"${n}"`)))
  // `point` alone would be PostgreSQL's geometric type.
  const stored = (row: Values) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, kept(r.fields[name], value)]))
  const rowsOf = (rows: readonly Values[]) =>
    sql`jsonb_populate_recordset(null::public.${table(r)}, ${JSON.stringify(rows.map(stored))}::jsonb) s`
  const write = async (verb: 'create' | 'update', written: ReturnType<typeof sql>, before: ReturnType<typeof sql>) => {
    const rows = await db.rows<Changed>(sql`
      ${written}
      insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
      select ${enterprise}, ${actor.UserId || null}, ${r.name}, w."Id", ${verb}, ${before}, to_jsonb(w), ${actor.origin?.requestId}, ${actor.origin?.ip} from written w
      returning "RecordId" as "Id"`)
    for (const { Id } of rows) db.emit({ resource: r.name, id: Id, verb, EnterpriseId: enterprise })
    return rows.map(({ Id }) => Id)
  }
  if (add.length) {
    const ids = await write(
      'create',
      sql`with written as (insert into ${table(r)} ("EnterpriseId", ${list}) select ${enterprise}, ${sql.join(names.map((n) => column(n, 's')))} from ${rowsOf(add)} returning *)`,
      sql`null::jsonb`,
    )
    // Nobody makes what he would not see.
    const [own] = await db.rows<{ n: number }>(
      sql`select count(*)::int as n from ${table(r)} t where t."Id" = any(${ids}::bigint[]) and ${visible(r, actor)}`,
    )
    if (own!.n < ids.length) throw notFound()
    await assertConcernsOnlySeen(db, actor, r, ids)
  }
  if (change.length) {
    const set = sql.join(writable(r, 'update').map(([n]) => sql`${sql.raw(`"${n}"`)} = ${column(n, 's')}`))
    const ids = change.map((c) => c.Id)
    await assertConcernsOnlySeen(db, actor, r, ids)
    const update = sql`with old as (select t.* from ${table(r)} t where t."Id" = any(${ids}::bigint[]) and ${visible(r, actor)} for no key update),
        written as (update ${table(r)} t set ${set}, "UpdateTime" = now() from ${rowsOf(change)}, old where t."Id" = s."Id" and old."Id" = t."Id" returning t.*)`
    const before = sql`(select to_jsonb(old) from old where old."Id" = w."Id")`
    const places = r.tree ? change.map((c) => c[r.tree!]) : []
    await assertChangeNotBroader(db, actor, r.name, ids, () => write('update', update, before), places)
  }
}

/**
 * Gives many rows the same values in four statements, all rows or none, each with its change entry; answers how many were not so
 * already. The values are checked already, and columns of plain kinds; `check` refuses a row, which is locked, by throwing.
 */
export const setMany = (
  db: Db,
  actor: Actor,
  r: Resource,
  given: readonly number[],
  values: Values,
  check: (db: Db, row: Row<Resource> & Values) => Promise<unknown> | unknown = () => {},
): Promise<number> =>
  changingRows(
    db,
    actor,
    r.name,
    async (db) => {
      const read = (ids: readonly number[], lock = sql``) =>
        db.rows<Row<Resource>>(sql`
        select ${columns(r, actor)} from ${table(r)} t
        where ${column('Id')} = any(${ids}::bigint[]) and ${visible(r, actor)} order by ${column('Id')} ${lock}`)
      const ids = [...new Set(given)]
      await assertOwnRows(db, actor, r, ids)
      const held = new Map((await read(ids, sql`for no key update of t`)).map((row) => [row.Id, row]))
      if (held.size < ids.length) throw notFound()
      for (const row of held.values()) await check(db, row)
      await assertConcernsOnlySeen(db, actor, r, ids)
      const names = Object.keys(values)
      // Nobody writes what he does not see.
      if (!names.length || names.some((k) => !(k in readableFields(r, actor).fields))) return 0
      const set = names.map((k) => sql`${sql.raw(`"${k}"`)} = ${values[k]}`)
      const others = or(names.map((k) => sql`${column(k)} is distinct from ${values[k]}`))
      const update = sql<Changed>`update ${table(r)} t set ${sql.join(set)}, "UpdateTime" = now() where ${column('Id')} = any(${ids}::bigint[]) and ${others} returning ${column('Id')}`
      const changed = await assertChangeNotBroader(db, actor, r.name, ids, () => db.rows(update))
      const after = changed.length ? await read(changed.map(({ Id }) => Id)) : []
      const entries = after.map((row) => ({ Id: row.Id, EnterpriseId: row.EnterpriseId, Before: held.get(row.Id), After: row }))
      if (entries.length) await recordAll(db, actor, r, 'update', entries)
      return entries.length
    },
    writesOf(r, actor),
  )

/** Renames rows to unused control-character names, so that a following `saveMany` can swap their titles. */
export const clearTitles = async (db: Db, r: Resource, ids: readonly number[]) => {
  if (ids.length) await db.rows(sql`update ${table(r)} set ${sql.ref(r.title)} = chr(1) || "Id" where "Id" = any(${[...ids]}::bigint[])`)
}
