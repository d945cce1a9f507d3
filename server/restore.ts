// npm run restore -- <archive.tar or name of a backup> --yes: brings database, readings and files back, also onto a new machine.
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { checkMigrations } from './backup/load.ts'
import type { Sealed } from './backup/manifest.ts'
import { prepareReadings, putBack } from './backup/restore.ts'
import { openShelf } from './backup/shelf.ts'
import { openS3 } from './files/s3.ts'
import { openFolder } from './files/store.ts'
import { Fault } from './http/faults.ts'
import { word } from './http/words.ts'
import { platformEnterprise } from './identity/setup.ts'
import { unsealed, vaultKey } from './identity/vault.ts'
import { withDatabase } from './run.ts'
import { readSettings } from './settings.ts'

const [what, ...options] = process.argv.slice(2)
const settings = readSettings(process.env)
const shelf = openShelf(join(settings.data, 'backups'))

const describe = (m: Sealed) =>
  `${m.Name}, made by version ${m.Version} on ${new Date(m.Time).toISOString()}:\n  ${
    m.Kind === 'db'
      ? Object.entries(m.Things)
          .map(([thing, count]) => `${word('en', thing)}: ${count}`)
          .concat(m.Readings ? `readings: ${m.Readings.readings}` : 'no readings (they lie in ClickHouse)')
          .join('\n  ')
      : `${m.Pool.length} files`
  }`

const putFiles = async (manifest: Sealed) => {
  const files = settings.s3Url ? openS3(settings.s3Url) : openFolder(join(settings.data, 'files'))
  for (const { Name } of manifest.Pool)
    await files.put(Name.replace('_', '/'), await readFile(shelf.pool.at(Name)), 'application/octet-stream')
}

/** How many sealed secrets the key of this data folder does not open: theirs lies in the old one, and in no backup. */
const closedSecrets = async (adminUrl: string) => {
  const key = vaultKey(settings.data)
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
  if (!what) throw new Error('Which one? npm run restore -- <archive.tar or name of a backup> --yes')
  const name = existsSync(what) && what.endsWith('.tar') ? (await shelf.bring(createReadStream(what))).Name : what
  const manifest = await shelf.check(name, () => {})
  console.log(describe(manifest))
  if (!options.includes('--yes')) throw new Error(`Nothing has been changed. With --yes it replaces what lies in ${settings.data}.`)
  if (manifest.Kind === 'files') await putFiles(manifest)
  else {
    checkMigrations(manifest)
    const mark = randomUUID()
    await withDatabase(settings, pino({ level: 'error' }), async (adminUrl) => {
      await prepareReadings(settings.data, shelf, manifest, mark)
      await putBack(adminUrl, settings.data, shelf, manifest, { mark, by: { UserId: null, EnterpriseId: platformEnterprise, Title: name } })
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
  console.error(error instanceof Fault ? word('en', `fault.${error.key}`, error.values) : (error as Error).message)
  process.exitCode = 1
}
