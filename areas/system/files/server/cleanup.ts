import { sql } from 'kysely'
import { ofRecords } from '../../../../contract/files.ts'
import { resourceNamed } from '../../../../contract/registry.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { type Sql, table } from '../../../../server/resource/sql.ts'

const dayMs = 86_400_000

/** Removes files that no record uses any more. */
export const cleanup = (db: Db, files: FileStore, clock: () => number) => {
  /** Deletes content first: a row counts until its content is deleted. */
  const removeAll = async (of: Sql): Promise<number> => {
    // First hidden, so that no record can start to use a file whose content is being deleted.
    const rows = await db.rows<{ Id: number; Key: string }>(
      sql`update stored_file f set "RecordId" = 0 where ${of} returning f."Id", f."Key"`,
    )
    for (const { Key } of rows) await files.remove(Key)
    await db.rows(sql`delete from stored_file where "Id" = any(${rows.map((row) => row.Id)}::bigint[])`)
    return rows.length
  }
  /** Some records are deleted without their files: alarms with their rule, or with their device. */
  const forgetOrphans = async () => {
    let gone = 0
    const named = await db.rows<{ Resource: string }>(sql`select distinct "Resource" from stored_file where "RecordId" is not null`)
    for (const { Resource } of named) {
      const r = resourceNamed(Resource)
      if (r)
        gone += await removeAll(sql`f."Resource" = ${Resource} and not exists (select 1 from ${table(r)} t where t."Id" = f."RecordId")`)
    }
    return gone
  }

  return {
    /** Removes files that records no longer use. Returns their number. */
    release: () => removeAll(sql`f."RecordId" = 0`),
    /** Also removes files of deleted records, attachments unused after a day, and content without a row. */
    async sweep(): Promise<number> {
      const dayAgo = new Date(clock() - dayMs)
      let gone = (await removeAll(sql`f."RecordId" = 0`)) + (await forgetOrphans())
      gone += await removeAll(sql`f."RecordId" is null and f."Kept" = 0 and f."Purpose" = any(${ofRecords}::text[])
        and (f."CreateTime" < ${dayAgo} or not exists (select 1 from "user" u where u."Id" = f."UserId"))`)
      for await (const held of files.list()) {
        if (held.time > dayAgo.getTime()) continue
        const [row] = await db.rows(sql`select 1 from stored_file where "Key" = ${held.key}`)
        if (row) continue
        await files.remove(held.key)
        gone++
      }
      return gone
    },
  }
}
