// Files that the server makes for a report: they belong to it, and anyone who can see it can read them.
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { coldReport } from '../contract.ts'

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const types = { json: 'application/json', pdf: 'application/pdf' } as const
type Made = { key: string; bytes: Buffer; kind: keyof typeof types }

const prefix = 'files/'
export const pathOf = ({ key }: Pick<Made, 'key'>) => `${prefix}${key}`

/** Writes the content first: without a row that names it, the clean-up of files takes it after a day. */
export const putFile = async (store: FileStore, enterprise: number, kind: Made['kind'], bytes: Buffer): Promise<Made> => {
  const key = `${enterprise}/${randomBytes(16).toString('hex')}.${kind}`
  await store.put(key, bytes, types[kind])
  return { key, bytes, kind }
}

/** Attaches a file to a report within the caller's transaction. */
export const giveFile = (
  db: Db,
  { key, bytes, kind }: Made,
  { Id, EnterpriseId, ReportNo }: { Id: number; EnterpriseId: number; ReportNo: string },
) =>
  db.rows(sql`
    insert into stored_file ("EnterpriseId", "Key", "FileName", "Purpose", "MenuEncoding", "ContentType", "Size", "Sha256", "Resource", "RecordId")
    values (${EnterpriseId}, ${key}, ${`${ReportNo}.${kind}`}, 'attachment', ${coldReport.permission}, ${types[kind]}, ${bytes.length}, ${sha256(bytes)},
      ${coldReport.name}, ${Id})`)

/** Detaches all files of a report except one. */
export const dropFiles = (db: Db, ids: readonly number[], kept: string | null = null) =>
  db.rows(sql`
    update stored_file set "RecordId" = 0 where "Resource" = ${coldReport.name} and "RecordId" = any(${[...ids]}::bigint[])
      and "Key" is distinct from ${kept}`)

/** Reads a file and verifies its hash. */
export const readFile = async (store: Pick<FileStore, 'get'>, path: string | null, hash: string | null): Promise<Buffer> => {
  const content = path === null ? undefined : await store.get(path.slice(prefix.length))
  const bytes = content && (await buffer(content))
  if (!bytes || sha256(bytes) !== hash) throw new Error(`The file ${path} of a report is not what it was.`)
  return bytes
}
