// Restores the database and the readings from a backup, while only PostgreSQL runs.
import { createHash, createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../../../../../server/http/faults.ts'
import { prepareFolder } from '../../../../../server/telemetry/format.ts'
import { buildStore } from '../../../../../server/telemetry/store/duckdb/snapshot.ts'
import type { BackupStore } from './backupStore.ts'
import { type Carried, loadDatabase, markOf } from './load.ts'
import type { SignedManifest } from './manifest.ts'

/** Id of a public key, as in openLogKeys; undefined for an invalid key. */
const publicKeyId = (pem: string): string | undefined => {
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType !== 'ed25519' || !pem.includes('BEGIN PUBLIC KEY')) return
    return createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex')
      .slice(0, 16)
  } catch {
    return
  }
}

const fresh = (data: string) => join(data, 'telemetry', 'store.new')

/** Stores the public keys of a backup's log. Existing keys are not replaced, and each key must match its name. */
const keepPublicKeys = async (data: string, keys: SignedManifest['Keys']) => {
  await mkdir(join(data, 'keys'), { recursive: true, mode: 0o700 })
  for (const [id, pem] of Object.entries(keys)) {
    if (publicKeyId(pem) !== id) throw new Fault('backupDamaged', { file: `${id}.pub` })
    await writeFile(join(data, 'keys', `${id}.pub`), pem, { mode: 0o600, flag: 'wx', flush: true }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Creates the store of the backup's readings next to the one in use, and adds the public keys of its log. */
export const prepareReadings = async (data: string, backupStore: BackupStore, manifest: SignedManifest, mark: string) => {
  const folder = fresh(data)
  await rm(folder, { recursive: true, force: true })
  await keepPublicKeys(data, manifest.Keys)
  if (!manifest.Readings) return
  await prepareFolder(join(data, 'telemetry'))
  await buildStore(folder, manifest.Readings, {
    table: (name) => backupStore.at(manifest.Name, `${name}.parquet`),
    file: (name) => backupStore.blobs.at(name),
  })
  await writeFile(join(folder, 'mark'), mark, { flush: true })
}

/** Completes or undoes the swap of readings: the new store replaces the old one if the database was restored; otherwise it is removed. */
export const settleReadings = async (adminUrl: string, data: string) => {
  const folder = fresh(data)
  const [store, old] = [join(data, 'telemetry', 'store'), join(data, 'telemetry', 'store.old')]
  if (existsSync(folder)) {
    const mark = await readFile(join(folder, 'mark'), 'utf8').catch(() => '')
    if (mark && (await markOf(adminUrl)) === mark) {
      await rm(old, { recursive: true, force: true })
      if (existsSync(store)) await rename(store, old)
      await rename(folder, store)
    } else await rm(folder, { recursive: true, force: true })
  } else if (existsSync(old) && !existsSync(store)) await rename(old, store)
  await rm(old, { recursive: true, force: true })
}

/** Restores database and readings while nothing else runs. A failure leaves the database unchanged. */
export const putBack = async (
  adminUrl: string,
  data: string,
  backupStore: BackupStore,
  manifest: SignedManifest,
  carried: Carried,
  onProgress: (part: number) => void = () => {},
) => {
  await loadDatabase(adminUrl, manifest, (file) => backupStore.at(manifest.Name, file), carried, onProgress)
  await settleReadings(adminUrl, data)
}

export const publicKeys = async (data: string): Promise<Record<string, string>> => {
  const folder = join(data, 'keys')
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f]{16}\.pub$/.test(name))
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name.slice(0, 16), await readFile(join(folder, name), 'utf8')])))
}
