// Files of records. A record takes a file that its author has sent; from then on the file belongs to the record and goes with it.
import { type RawBuilder, sql } from 'kysely'
import type { Attachment } from '../../contract/field.ts'
import type { FilesPurpose } from '../../contract/files.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { FieldFaults } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'

type Values = Record<string, unknown>
const keyOf = ({ FilePath }: Attachment) => FilePath.replace(/^\/?(api\/)?files\//, '')
const listOf = (value: unknown) => (value ?? []) as Attachment[]
const fieldsOf = (r: Resource) => Object.keys(r.fields).filter((name) => r.fields[name]!.kind === 'files')
const purposeOf = (r: Resource, field: string) => {
  const f = r.fields[field]
  return f?.kind === 'files' ? f.purpose : 'attachment'
}
/** Fields that a record leaves out stay unchanged. */
const given = (r: Resource, values: Values) => fieldsOf(r).filter((name) => values[name] !== undefined)

/**
 * The stored files that a record names, with the names they were sent under. Throws FieldFaults at `field` for a file that the actor has
 * not sent himself and that is not the record's already.
 */
export const namedFiles = async (
  db: Db,
  actor: Actor,
  files: readonly Attachment[],
  {
    field,
    enterprise,
    held = [],
    purpose = 'attachment',
  }: { field: string; enterprise: number; held?: readonly Attachment[]; purpose?: FilesPurpose },
): Promise<Attachment[]> => {
  if (!files.length) return []
  const keys = files.map(keyOf)
  const rows = await db.rows<{ Key: string; FileName: string }>(sql`
    select "Key", "FileName" from stored_file where "Key" = any(${keys}::text[]) and "EnterpriseId" = ${enterprise} and "Purpose" = ${purpose}
      and ("Key" = any(${held.map(keyOf)}::text[]) or ("RecordId" is null and "UserId" = ${actor.UserId})) for update`)
  const names = new Map(rows.map((row) => [row.Key, row.FileName]))
  if (new Set(keys).size < keys.length || keys.some((key) => !names.has(key))) throw new FieldFaults([{ field, rule: 'unknownReference' }])
  return keys.map((key) => ({ FilePath: `files/${key}`, FileName: names.get(key)! }))
}

/** Without a record, nobody can read the file. It counts towards the quota until the next clean-up. */
const release = (db: Db, of: RawBuilder<unknown>) => db.rows(sql`update stored_file set "RecordId" = 0 where ${of}`)

/** Gives files to a record; of those it had before, the others go. */
export const giveFiles = async (
  db: Db,
  to: { resource: string; id: number; permission: string },
  files: readonly Attachment[],
  held: readonly Attachment[] = [],
) => {
  const keys = files.map(keyOf)
  const gone = held.map(keyOf).filter((key) => !keys.includes(key))
  if (keys.length)
    await db.rows(sql`
      update stored_file set "Resource" = ${to.resource}, "RecordId" = ${to.id}, "MenuEncoding" = ${to.permission} where "Key" = any(${keys}::text[])`)
  if (gone.length) await release(db, sql`"Key" = any(${gone}::text[]) and "Resource" = ${to.resource} and "RecordId" = ${to.id}`)
}

/** Checks the files that values name, and completes their names in place. */
export const checkFiles = async (db: Db, actor: Actor, r: Resource, values: Values, enterprise: number, before: Values = {}) => {
  for (const field of given(r, values))
    values[field] &&= await namedFiles(db, actor, listOf(values[field]), {
      field,
      enterprise,
      held: listOf(before[field]),
      purpose: purposeOf(r, field),
    })
}

export const linkFiles = async (db: Db, r: Resource, id: number, values: Values, before: Values = {}) => {
  for (const field of given(r, values))
    await giveFiles(db, { resource: r.name, id, permission: r.readBy ?? r.permission }, listOf(values[field]), listOf(before[field]))
}

/** The files of a record go with it. */
export const dropFiles = async (db: Db, r: Resource, ids: readonly number[]) => {
  if (fieldsOf(r).length) await release(db, sql`"Resource" = ${r.name} and "RecordId" = any(${ids}::bigint[])`)
}
