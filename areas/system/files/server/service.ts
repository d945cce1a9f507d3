import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type FilePurpose, filePurposes, ofRecords } from '../../../../contract/files.ts'
import { resourceNamed } from '../../../../contract/registry.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { tenantLocks } from '../../../../server/database/locks.ts'
import { type FileStore, keyPattern } from '../../../../server/files/store.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { pausing } from '../../../../server/jobs/ownTurn.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { cleanup } from './cleanup.ts'
import { judged } from './content.ts'

const mb = 1024 * 1024
/** Default storage quota of a tenant, MB. */
const standardQuotaMb = 2048
const hourMs = 3_600_000
/** Maximum unattached files per person, MB. */
const mostLooseMb = 100
/** URLs are valid for two hours at most. A later expiry was not issued by this code, even with a valid signature. */
const longestMs = 3 * hourMs
const prefix = 'files/'

type Row = {
  Id: number
  EnterpriseId: number
  UserId: number | null
  Key: string
  FileName: string
  Purpose: FilePurpose
  MenuEncoding: string | null
  ContentType: string
  Size: number
  Resource: string | null
  RecordId: number | null
}
export type Opened = Row & { content: Readable }
export type Files = ReturnType<typeof filesService>

const keyOf = (path: string) => {
  const of = path.replace(/^\/?(api\/)?/, '').slice(prefix.length)
  if (!path.includes(prefix) || !keyPattern.test(of)) throw notFound()
  return of
}

const rowOf = async (db: Db, of: string): Promise<Row> => {
  const [row] = await db.rows<Row>(
    sql`select "Id", "EnterpriseId", "UserId", "Key", "FileName", "Purpose", "MenuEncoding", "ContentType", "Size", "Resource", "RecordId" from stored_file where "Key" = ${of}`,
  )
  if (!row) throw notFound()
  return row
}

/** Whether the actor sees the record of a file. */
const seesRecord = async (database: Database, actor: Actor, { Resource, RecordId }: Row) => {
  const r = resourceNamed(Resource!)
  if (!r) return false
  const [record] = await database.as(actor).rows(sql`select 1 from ${table(r)} t where "Id" = ${RecordId} and ${visible(r, actor)}`)
  return record !== undefined
}

const visibleTo = async (database: Database, actor: Actor, row: Row) => {
  if (!actor.platform && row.EnterpriseId !== actor.EnterpriseId) return false
  const may = !row.MenuEncoding || actor.may.has(row.MenuEncoding)
  return row.RecordId === null ? may || row.UserId === actor.UserId : may && seesRecord(database, actor, row)
}

/** Storage quota of a company for files, in bytes; drawings have a separate quota of the same size. */
export const quotaOf = async (db: Db, EnterpriseId: number): Promise<number> => {
  const [row] = await db.rows<{ Mb: number }>(
    sql`select coalesce("MaxFileMb", ${standardQuotaMb}::int) as "Mb" from enterprise where "Id" = ${EnterpriseId}`,
  )
  if (!row) throw notFound()
  return row.Mb * mb
}

const usage = async (db: Db, EnterpriseId: number) => {
  const [row] = await db.rows<{ Files: number; Used: number }>(sql`
    select count(*)::int as "Files", coalesce(sum("Size"), 0)::bigint as "Used" from stored_file where "EnterpriseId" = ${EnterpriseId}`)
  return { ...row!, Quota: await quotaOf(db, EnterpriseId) }
}

/** Bytes hashed at a time. */
const hashedAtOnce = 256 * 1024
const hashOf = async (bytes: Buffer) => {
  const [hash, pause] = [createHash('sha256'), pausing()]
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    hash.update(bytes.subarray(at, at + hashedAtOnce))
    await pause()
  }
  return hash.digest('hex')
}
type SentKey = { key: string; hash: string }

/** The file sent earlier under this key. The same key with other content is refused. */
const sentBefore = async (db: Db, actor: Actor, { key, hash }: SentKey) => {
  const [row] = await db.rows<Row & { ClientHash: string; Width: number | null; Height: number | null }>(sql`
    select "Id", "Key", "FileName", "Purpose", "ContentType", "Size", "ClientHash", "Width", "Height" from stored_file
    where "UserId" = ${actor.UserId} and "ClientKey" = ${key} and "RecordId" is distinct from 0`)
  if (row && row.ClientHash !== hash) throw new Fault('clientKeyUsed')
  return row
}

type Sent = Pick<Awaited<ReturnType<typeof judged>>, 'bytes' | 'type' | 'width' | 'height'> & {
  of: string
  fileName: string
  purpose: FilePurpose
  menu: string | undefined
  sent: SentKey | undefined
  hash: string
}
const lockFiles = (db: Db, actor: Actor) => db.rows(sql`select pg_advisory_xact_lock(${tenantLocks.files}, ${actor.EnterpriseId}::int)`)
/** Inserts the row of a file, which counts against the tenant's quota, before its content is written. */
const takeRoom = async (db: Db, actor: Actor, { of, fileName, purpose, menu, bytes, type, width, height, sent, hash }: Sent) => {
  await lockFiles(db, actor)
  const { Used, Quota } = await usage(db, actor.EnterpriseId)
  if (Used + bytes.length > Quota) throw new Fault('quotaUsed', { megabytes: Math.floor(Quota / mb) })
  const [loose] = await db.rows<{ Size: number }>(sql`
    select coalesce(sum("Size"), 0)::bigint as "Size" from stored_file
    where "EnterpriseId" = ${actor.EnterpriseId} and "UserId" = ${actor.UserId} and "RecordId" is null and "Kept" = 0 and "Purpose" = ${purpose}`)
  if ([...ofRecords, 'avatar'].includes(purpose) && loose!.Size + bytes.length > mostLooseMb * mb)
    throw new Fault('tooMuchUnattached', { megabytes: mostLooseMb })
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into stored_file ("EnterpriseId", "UserId", "Key", "FileName", "Purpose", "MenuEncoding", "ContentType", "Size", "Sha256", "Width", "Height", "ClientKey", "ClientHash")
    values (${actor.EnterpriseId}, ${actor.UserId}, ${of}, ${fileName}, ${purpose}, ${menu ?? null}, ${type}, ${bytes.length},
      ${hash}, ${width}, ${height}, ${sent?.key ?? null}, ${sent?.hash ?? null}) returning "Id"`)
  return made!
}

export const filesService = (database: Database, files: FileStore, key: Buffer, clock: () => number) => {
  const db = database.system
  const signed = (of: string, expires: number) => createHmac('sha256', key).update(`${of}\n${expires}`).digest('base64url')
  /** Rounds the expiry to hours, so that a picture keeps its URL, and its place in the browser cache, for an hour. */
  const urlOf = (row: Pick<Row, 'Key' | 'Purpose'>) => {
    const ExpireTime = (Math.floor(clock() / hourMs) + 2) * hourMs
    const path = `/api/${prefix}${row.Key}`
    const Url = filePurposes[row.Purpose].open ? path : `${path}?Expires=${ExpireTime}&Signature=${signed(row.Key, ExpireTime)}`
    return { Url, ExpireTime }
  }
  const visibleRow = async (actor: Actor, path: string) => {
    const row = await rowOf(db, keyOf(path))
    if (!(await visibleTo(database, actor, row))) throw notFound()
    return row
  }
  return {
    usage: (actor: Actor) => usage(db, actor.EnterpriseId),
    sign: async (actor: Actor, path: string) => urlOf(await visibleRow(actor, path)),
    /** Stores a file in the actor's tenant. Reserves the quota before the content is written, because of concurrent uploads. */
    async keep(actor: Actor, purpose: FilePurpose, menu: string | undefined, name: string, given: Buffer, clientKey?: string) {
      if (menu && !actor.may.has(menu)) throw new Fault('forbidden', { permission: menu })
      // Read-only users have no record to attach files to, except their own picture.
      if (purpose !== 'avatar' && ![...actor.may].some((code) => code.includes('.'))) throw new Fault('nothingToAttach')
      const sent = clientKey ? { key: clientKey, hash: `${purpose} ${await hashOf(given)}` } : undefined
      const { bytes, kind, type, width, height } = await judged(purpose, name, given, actor.EnterpriseId)
      const answer = (row: Pick<Row, 'Id' | 'Key' | 'FileName' | 'Purpose' | 'ContentType' | 'Size'>) => ({
        ...{ Id: row.Id, FileName: row.FileName, FilePath: `${prefix}${row.Key}`, Url: urlOf(row).Url },
        ...{ ContentType: row.ContentType, Size: row.Size, Width: width, Height: height },
      })
      const hash = await hashOf(bytes)
      const fileName = name.replace(/^.*[\\/]/, '').slice(-200) || `file.${kind}`
      const place = async (db: Db) => {
        if (sent) await lockFiles(db, actor)
        const before = sent && (await sentBefore(db, actor, sent))
        if (before) return before
        const Key = `${actor.EnterpriseId}/${randomBytes(16).toString('hex')}.${kind}`
        const { Id } = await takeRoom(db, actor, { of: Key, fileName, purpose, menu, bytes, type, width, height, sent, hash })
        return { Id, Key, FileName: fileName, Purpose: purpose, ContentType: type, Size: bytes.length }
      }
      const row = await db.tx(place)
      // Written again on a repeat: the server may have crashed between row and content.
      await files.put(row.Key, bytes, type).catch(async (error) => {
        await db.rows(sql`delete from stored_file where "Id" = ${row.Id} and "RecordId" is null`)
        throw error
      })
      return answer(row)
    },
    /** Re-encodes an anonymous photo and stores it as an attachment of the company. */
    async keepPhoto(actor: Actor, name: string, given: Buffer) {
      const { bytes } = await judged('picture', name, given, actor.EnterpriseId)
      const { FilePath, FileName } = await this.keep(actor, 'attachment', undefined, name, bytes)
      return { FilePath, FileName }
    },
    /** A file for people who may read it. Everybody else gets the same notFound as for a missing file. */
    async open(of: string, actor: Actor | undefined, { Expires, Signature }: { Expires?: string; Signature?: string }): Promise<Opened> {
      if (!keyPattern.test(of)) throw notFound()
      const row = await rowOf(db, of)
      const wanted = signed(of, Number(Expires))
      const left = Number(Expires) - clock()
      const inTime = left > 0 && left <= longestMs
      const given = Buffer.from(Signature ?? '')
      const vouched = inTime && given.length === wanted.length && timingSafeEqual(given, Buffer.from(wanted))
      if (!filePurposes[row.Purpose].open && !vouched && !(actor && (await visibleTo(database, actor, row)))) throw notFound()
      const content = await files.get(of)
      if (!content) throw notFound()
      return { ...row, content }
    },
    /** Copies a file that the actor may read, as an upload of the actor. */
    async copy(actor: Actor, path: string) {
      const { Key, Purpose, MenuEncoding, FileName, EnterpriseId } = await visibleRow(actor, path)
      const content = await files.get(Key)
      if (!content) throw notFound()
      return this.keep({ ...actor, EnterpriseId }, Purpose, MenuEncoding ?? undefined, FileName, await buffer(content))
    },
    async remove(actor: Actor, path: string) {
      const row = await visibleRow(actor, path)
      // A record that uses it would refer to a missing file.
      if (row.RecordId !== null) throw new Fault('inUse')
      if (row.UserId !== actor.UserId && !actor.may.has('m10406.edit')) throw new Fault('forbidden', { permission: 'm10406.edit' })
      await db.tx(async (db) => {
        const gone = await db.rows(sql`delete from stored_file where "Id" = ${row.Id} and "RecordId" is null returning 1`)
        if (!gone.length) throw new Fault('inUse')
        const of = { Resource: 'storedFile', RecordId: row.Id, Verb: 'remove' }
        await noteDeed(db, { ...actor, EnterpriseId: row.EnterpriseId }, of, { Title: row.FileName, Purpose: row.Purpose, Size: row.Size })
      })
      await files.remove(row.Key)
      return { Removed: 1 }
    },
    ...cleanup(db, files, clock),
  }
}
