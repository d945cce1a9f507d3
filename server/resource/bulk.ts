import { sql } from 'kysely'
import { type Resource, writable } from '../../contract/base/resource.ts'
import type { Db } from '../database/db.ts'
import type { Actor } from '../identity/actor.ts'
import { column, table, visible } from './sql.ts'

type Values = Record<string, unknown>

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
  const rowsOf = (rows: readonly Values[]) => sql`jsonb_populate_recordset(null::public.${table(r)}, ${JSON.stringify(rows)}::jsonb) s`
  const write = async (verb: 'create' | 'update', written: ReturnType<typeof sql>, before: ReturnType<typeof sql>) => {
    const rows = await db.rows<{ Id: number }>(sql`
      ${written}
      insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
      select ${enterprise}, ${actor.UserId || null}, ${r.name}, w."Id", ${verb}, ${before}, to_jsonb(w), ${actor.origin?.requestId}, ${actor.origin?.ip} from written w
      returning "RecordId" as "Id"`)
    for (const { Id } of rows) db.tell({ resource: r.name, id: Id, verb, EnterpriseId: enterprise })
  }
  if (add.length)
    await write(
      'create',
      sql`with written as (insert into ${table(r)} ("EnterpriseId", ${list}) select ${enterprise}, ${sql.join(names.map((n) => column(n, 's')))} from ${rowsOf(add)} returning *)`,
      sql`null::jsonb`,
    )
  if (change.length) {
    const set = sql.join(writable(r, 'update').map(([n]) => sql`${sql.raw(`"${n}"`)} = ${column(n, 's')}`))
    await write(
      'update',
      sql`with old as (select t.* from ${table(r)} t where t."Id" = any(${change.map((c) => c.Id)}::bigint[]) and ${visible(r, actor)} for update),
        written as (update ${table(r)} t set ${set}, "UpdateTime" = now() from ${rowsOf(change)}, old where t."Id" = s."Id" and old."Id" = t."Id" returning t.*)`,
      sql`(select to_jsonb(old) from old where old."Id" = w."Id")`,
    )
  }
}
