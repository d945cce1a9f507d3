import { sql } from 'kysely'
import { type Resource, writable } from '../../contract/base/resource.ts'
import type { Db } from '../database/db.ts'
import type { Actor } from '../identity/actor.ts'
import { column, table, visible } from './sql.ts'

type Values = Record<string, unknown>

/**
 * Writes many rows of one resource in three statements, with their change entries, inside the caller's transaction.
 * The rows are checked already, their references too: they belong to one owner the actor has been shown to see.
 * Listeners hear one message with Id 0, "many", instead of thousands.
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
  const rowsOf = (rows: readonly Values[]) => sql`jsonb_populate_recordset(null::${table(r)}, ${JSON.stringify(rows)}::jsonb) s`
  const entry = (verb: string, before: ReturnType<typeof sql>) => sql`
    insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
    select ${enterprise}, ${actor.UserId}, ${r.name}, w."Id", ${verb}, ${before}, to_jsonb(w), ${actor.origin?.requestId}, ${actor.origin?.ip} from written w`
  if (add.length)
    await db.rows(
      sql`with written as (insert into ${table(r)} ("EnterpriseId", ${list}) select ${enterprise}, ${sql.join(names.map((n) => column(n, 's')))} from ${rowsOf(add)} returning *) ${entry('create', sql`null::jsonb`)}`,
    )
  if (change.length) {
    const set = sql.join(writable(r, 'update').map(([n]) => sql`${sql.raw(`"${n}"`)} = ${column(n, 's')}`))
    await db.rows(sql`
      with old as (select t.* from ${table(r)} t where t."Id" = any(${change.map((c) => c.Id)}::bigint[]) and ${visible(r, actor)} for update),
      written as (update ${table(r)} t set ${set}, "UpdateTime" = now() from ${rowsOf(change)}, old where t."Id" = s."Id" and old."Id" = t."Id" returning t.*)
      ${entry('update', sql`(select to_jsonb(old) from old where old."Id" = w."Id")`)}`)
  }
  if (add.length || change.length) db.tell({ resource: r.name, id: 0, verb: 'update', EnterpriseId: enterprise })
}
