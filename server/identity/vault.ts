// Secrets that must be given back in the clear to a provider: sealed with AES-256-GCM under a key that lies outside the database, so
// that neither a dump nor a backup of it holds any of them (security.md S46).
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database, Db } from '../database/db.ts'

/** Parses a key of 256 bits in base64. */
export const parseVaultKey = (text: string): Buffer | undefined => {
  const key = Buffer.from(text, 'base64')
  return /^[A-Za-z0-9+/]{43}=?\s*$/.test(text) && key.length === 32 ? key : undefined
}

/**
 * The installation's key: the given one, or that of the data folder, which is made at the first start, readable by the server's own
 * account only. Throws when both are there and differ.
 */
export const vaultKey = (folder: string, given?: string): Buffer => {
  const file = join(folder, 'vault.key')
  if (given) {
    if (existsSync(file) && readFileSync(file, 'utf8').trim().replace(/=$/, '') !== given.trim().replace(/=$/, ''))
      throw new Error(`PENSTOCK_VAULT_KEY is another key than ${file}: remove one of them.`)
    return Buffer.from(given, 'base64')
  }
  if (!existsSync(file)) {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, randomBytes(32).toString('base64'))
    fsyncSync(handle)
    closeSync(handle)
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 256 bits.`)
  return key
}

export type Vault = ReturnType<typeof openVault>

/** `name` and tenant are authenticated data, so that values cannot be exchanged. */
const aad = (enterprise: number, name: string) => Buffer.from(`${enterprise}/${name}`)
/** Undefined for what another key has sealed, or what is damaged: as if there were none. */
export const unsealed = (key: Buffer, enterprise: number, name: string, sealed: Buffer): string | undefined => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(aad(enterprise, name))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return
  }
}

export const sealed = (key: Buffer, enterprise: number, name: string, secret: string): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad(enterprise, name))
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Named secrets of tenants. */
export const openVault = (database: Database, key: Buffer) => ({
  /** Null takes the secret away; undefined leaves it. */
  async put(db: Db, enterprise: number, name: string, secret: string | null | undefined) {
    if (secret === null) await db.rows(sql`delete from sealed_secret where "EnterpriseId" = ${enterprise} and "Name" = ${name}`)
    else if (secret !== undefined)
      await db.rows(sql`
          insert into sealed_secret ("EnterpriseId", "Name", "Value") values (${enterprise}, ${name}, ${sealed(key, enterprise, name, secret)})
          on conflict ("EnterpriseId", "Name") do update set "Value" = excluded."Value"`)
  },
  async get(enterprise: number, name: string): Promise<string | undefined> {
    const [row] = await database.system.rows<{ Value: Buffer }>(
      sql`select "Value" from sealed_secret where "EnterpriseId" = ${enterprise} and "Name" = ${name}`,
    )
    return row && unsealed(key, enterprise, name, row.Value)
  },
  async names(enterprise: number, db: Db = database.system): Promise<Set<string>> {
    const rows = await db.rows<{ Name: string }>(sql`select "Name" from sealed_secret where "EnterpriseId" = ${enterprise}`)
    return new Set(rows.map((row) => row.Name))
  },
})
