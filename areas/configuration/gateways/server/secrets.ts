import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'

/** 256 random bits cannot be guessed, so a fast hash is enough for storage. */
export const newSecret = () => randomBytes(32).toString('base64url')
const hashOf = (sn: string, key: string | Buffer) => createHash('sha256').update(`${sn}\n`).update(key).digest()

/** Gives a gateway a new key and returns it; no other call does. The old key stops working with the commit. */
export const setSecret = async (db: Db, gateway: { Id: number; SN: string }, key = newSecret()): Promise<string> => {
  await db.rows(sql`update gateway set "SecretHash" = ${hashOf(gateway.SN, key).toString('base64')} where "Id" = ${gateway.Id}`)
  return key
}

/** The first 96 bits of a key's hash. */
const proofLength = 16
export const proofOf = (sn: string, key: Buffer) => hashOf(sn, key).toString('base64').slice(0, proofLength)

/** Of serial numbers with a proof of their key, those whose gateway has another key or none. */
export const outdatedKeys =
  (database: Database) =>
  async (proofs: ReadonlyMap<string, string>): Promise<string[]> => {
    const rows = await database.system.rows<{ SN: string; SecretHash: string | null }>(
      sql`select "SN", "SecretHash" from gateway where "SN" = any(${[...proofs.keys()]})`,
    )
    const known = new Map(rows.map(({ SN, SecretHash }) => [SN, SecretHash?.slice(0, proofLength)]))
    return [...proofs].filter(([sn, proof]) => known.get(sn) !== proof).map(([sn]) => sn)
  }

/** Whether this is the key of the gateway with this SN. False for a gateway without a key. */
export const verifySecret =
  (database: Database) =>
  async (sn: string, key: Buffer): Promise<boolean> => {
    const [row] = await database.priorityRead<{ SecretHash: string | null }>(sql`select "SecretHash" from gateway where "SN" = ${sn}`)
    const known = Buffer.from(row?.SecretHash ?? '', 'base64')
    const given = hashOf(sn, key)
    return known.length === given.length && timingSafeEqual(known, given)
  }
