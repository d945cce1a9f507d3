import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'

/** 256 bits from the system's generator; with so many a fast hash is enough to keep, and nobody can guess. */
export const newSecret = () => randomBytes(32).toString('base64url')
const hashOf = (sn: string, key: string | Buffer) => createHash('sha256').update(`${sn}\n`).update(key).digest()

/** Gives a gateway a new key and answers it: nothing else ever does. The old one is worth nothing from the commit on. */
export const setSecret = async (db: Db, gateway: { Id: number; SN: string }, key = newSecret()): Promise<string> => {
  await db.rows(sql`update gateway set "SecretHash" = ${hashOf(gateway.SN, key).toString('base64')} where "Id" = ${gateway.Id}`)
  return key
}

/** Whether this is the key of the gateway with this SN; a gateway without a key has none that is right. */
export const verifySecret =
  (database: Database) =>
  async (sn: string, key: Buffer): Promise<boolean> => {
    const [row] = await database.priorityRead<{ SecretHash: string | null }>(sql`select "SecretHash" from gateway where "SN" = ${sn}`)
    const known = Buffer.from(row?.SecretHash ?? '', 'base64')
    const given = hashOf(sn, key)
    return known.length === given.length && timingSafeEqual(known, given)
  }
