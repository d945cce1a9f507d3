// npm run restore -- <archive or name of a backup> --yes: brings database, readings and files back, also onto a new machine.
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import pg from 'pg'
import pino from 'pino'
import { decrypted, isEncrypted } from '../areas/system/backup/server/archive/age.ts'
import { BackupStore } from '../areas/system/backup/server/archive/backupStore.ts'
import { checkMigrations } from '../areas/system/backup/server/archive/load.ts'
import { openSigner, type SignedManifest } from '../areas/system/backup/server/archive/manifest.ts'
import { prepareReadings, putBack } from '../areas/system/backup/server/archive/restore.ts'
import { openS3 } from '../server/files/s3.ts'
import { openFolder } from '../server/files/store.ts'
import { Fault } from '../server/http/faults.ts'
import { word } from '../server/http/words.ts'
import { platformEnterprise } from '../server/identity/setup.ts'
import { unsealed, vaultKey } from '../server/identity/vault.ts'
import { keepFilesPrivate } from './privacy.ts'
import { withDatabase } from './run.ts'
import { readSettings } from './settings.ts'

keepFilesPrivate()
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { yes: { type: 'boolean' }, unverified: { type: 'boolean' }, 'passphrase-file': { type: 'string' } },
})
const [what] = positionals
const settings = readSettings(process.env)
const signer = openSigner(vaultKey(settings.data, settings.vaultKey))
const backupStore = new BackupStore(join(settings.data, 'backups'), signer)
/** Archives are unpacked here, beside the backups of this machine, and go when this ends. */
const unpacked = new BackupStore(join(settings.data, 'backups', 'restoring'), signer)

const unverifiable = `
This installation did not sign this backup. Another installation or an earlier version made it, or the vault.key of ${settings.data} has changed.
Nobody can verify who made it or whether it was altered. Accounts, permissions, passwords, readings and the log are restored as they are.
So are the keys that verify the log.`

const ask = async (question: string): Promise<string> => {
  const file = options['passphrase-file']
  if (file) return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) throw new Error('The archive is encrypted. Give its passphrase with --passphrase-file=<file>.')
  // Nothing that is typed is shown.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stdout.write(question)
  const answer = await lines.question('').finally(() => lines.close())
  process.stdout.write('\n')
  return answer
}
/** The archive at `path`, in the clear. */
const contentOf = async (path: string): Promise<Readable> => {
  const start = createReadStream(path, { end: 999 })
  const [first = Buffer.alloc(0)] = (await Array.fromAsync(start)) as Buffer[]
  return isEncrypted(first) ? decrypted(createReadStream(path), await ask('Passphrase: ')) : createReadStream(path)
}
/** Reads and checks every byte; returns the store that has it unencrypted. */
const find = async (name: string): Promise<{ from: BackupStore; manifest: SignedManifest }> => {
  const entry = existsSync(name) ? undefined : backupStore.entry(name)
  if (entry && !('Archive' in entry)) return { from: backupStore, manifest: await backupStore.check(name, () => {}) }
  const content = await contentOf(entry ? backupStore.encryptedAt(name) : name)
  return { from: unpacked, manifest: await unpacked.addArchive(content, { foreign: true }) }
}

/** Texts of an archive must not control the terminal: escapes control characters and those that hide or reverse text. */
const printable = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`)

const describe = (m: SignedManifest) =>
  `${printable(m.Name)}, made by version ${printable(m.Version)} on ${new Date(m.Time).toISOString()}:\n  ${
    m.Kind === 'db'
      ? Object.entries(m.Things)
          .map(([thing, count]) => `${printable(word('en', thing))}: ${count}`)
          .concat(m.Readings ? `readings: ${m.Readings.readings}` : 'no readings (they lie in ClickHouse)')
          .join('\n  ')
      : `${m.Pool.length} files`
  }`

const putFiles = async (from: BackupStore, manifest: SignedManifest) => {
  const files = settings.s3Url ? openS3(settings.s3Url) : openFolder(join(settings.data, 'files'))
  for (const { Name } of manifest.Pool)
    await files.put(Name.replace('_', '/'), await readFile(from.blobs.at(Name)), 'application/octet-stream')
}

/** How many sealed secrets the key of this data folder does not open: theirs lies in the old one, and in no backup. */
const closedSecrets = async (adminUrl: string) => {
  const key = vaultKey(settings.data, settings.vaultKey)
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ EnterpriseId: string; Name: string; Value: Buffer }>(
      'select "EnterpriseId", "Name", "Value" from sealed_secret',
    )
    return rows.filter((r) => unsealed(key, Number(r.EnterpriseId), r.Name, r.Value) === undefined).length
  } finally {
    await client.end()
  }
}

const run = async () => {
  // An earlier one may have been killed.
  await rm(unpacked.folder, { recursive: true, force: true })
  if (!what) throw new Error('Which one? npm run restore -- <archive or name of a backup> --yes')
  const { from, manifest } = await find(what)
  console.log(describe(manifest))
  const own = signer.own(manifest)
  if (!own) console.log(unverifiable)
  const missing = [...(options.yes ? [] : ['--yes']), ...(own || options.unverified ? [] : ['--unverified'])].join(' ')
  if (missing)
    throw new Error(`
Nothing has been changed. With ${missing} it replaces what lies in ${settings.data}.`)
  // Otherwise later backups would store the existing content instead.
  for (const file of manifest.Pool) if (await backupStore.blobs.differs(file)) throw new Fault('backupDamaged', { file: file.Name })
  if (manifest.Kind === 'files') await putFiles(from, manifest)
  else {
    checkMigrations(manifest)
    const mark = randomUUID()
    await withDatabase(settings, pino({ level: 'error' }), async (adminUrl) => {
      await prepareReadings(settings.data, from, manifest, mark)
      await putBack(adminUrl, settings.data, from, manifest, {
        mark,
        by: { UserId: null, EnterpriseId: platformEnterprise, Title: manifest.Name },
      })
      const closed = await closedSecrets(adminUrl)
      if (closed)
        console.log(
          `${closed} stored passwords and keys of services cannot be read here: copy vault.key of the old data folder to ${settings.data}.`,
        )
    })
  }
  console.log('Restored. Start Penstock again: npm start')
}

try {
  await run()
} catch (error) {
  const lines = error instanceof Fault ? [word('en', `fault.${error.key}`, error.values)] : (error as Error).message.split('\n')
  console.error(lines.map(printable).join('\n'))
  process.exitCode = 1
} finally {
  await rm(unpacked.folder, { recursive: true, force: true })
}
