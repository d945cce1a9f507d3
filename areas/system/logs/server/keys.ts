import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { sealed, unsealed } from '../../../../server/identity/vault.ts'

export type SignedPlace = { EnterpriseId: number; Seq: number; Hash: Buffer; Time: Date; KeyId: string; Signature: Buffer }
export type LogKeys = ReturnType<typeof openLogKeys>

const idOf = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
const said = ({ EnterpriseId, Seq, Hash, Time }: Pick<SignedPlace, 'EnterpriseId' | 'Seq' | 'Hash' | 'Time'>) =>
  Buffer.from(`penstock log\n${EnterpriseId}\n${Seq}\n${Hash.toString('hex')}\n${Time.toISOString()}`)

/** Vault name of the installation's shared keys. */
const shared = [0, 'logKeys'] as const

/**
 * Shares the keys among all servers of a database: the keys in the database, encrypted with the vault key, and those of this folder are
 * merged in both. A folder without a private key takes the shared one; a folder with one continues to sign with it.
 */
export const shareLogKeys = async (database: Database, vaultKey: Buffer, folder: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [row] = await database.system.rows<{ Value: Buffer }>(sql`select "Value" from secret where "Name" = ${shared[1]}`)
  const opened = row && unsealed(vaultKey, ...shared, row.Value)
  const stored: Record<string, string> = opened ? JSON.parse(opened) : {}
  for (const [name, pem] of Object.entries(stored))
    if (/^(log\.pem|[0-9a-f]{16}\.pub)$/.test(name) && !existsSync(join(folder, name)))
      writeFileSync(join(folder, name), pem, { mode: 0o600, flag: 'wx', flush: true })
  openLogKeys(folder)
  const here = readdirSync(folder).filter((name) => name === 'log.pem' || name.endsWith('.pub'))
  if (here.every((name) => name in stored)) return
  const all = { ...Object.fromEntries(here.map((name) => [name, readFileSync(join(folder, name), 'utf8')])), ...stored }
  await database.system.rows(sql`
    insert into secret ("Name", "Value") values (${shared[1]}, ${sealed(vaultKey, ...shared, JSON.stringify(all))})
    on conflict ("Name") do update set "Value" = excluded."Value"`)
}

/**
 * The signing key of the log is stored outside the database, so database access alone is not enough to sign. Public keys of earlier
 * keys stay, `<id>.pub`, so that their signatures still verify after a restore on another machine.
 */
export const openLogKeys = (folder: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'log.pem')
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx', flush: true })
  }
  const own = createPrivateKey(readFileSync(file))
  const KeyId = idOf(createPublicKey(own))
  const pub = join(folder, `${KeyId}.pub`)
  if (!existsSync(pub)) writeFileSync(pub, createPublicKey(own).export({ type: 'spki', format: 'pem' }), { mode: 0o600, flush: true })
  const known = () =>
    new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.pub'))
        .map((name) => createPublicKey(readFileSync(join(folder, name))))
        .map((key) => [idOf(key), key]),
    )
  return {
    sign: (place: Omit<SignedPlace, 'KeyId' | 'Signature'>): SignedPlace => ({ ...place, KeyId, Signature: sign(null, said(place), own) }),
    /** Undefined for an unknown key. */
    verifies: (place: SignedPlace): boolean | undefined => {
      const key = known().get(place.KeyId)
      return key && verify(null, said(place), key, place.Signature)
    },
  }
}
