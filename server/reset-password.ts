import { join } from 'node:path'
import { connect } from './database/connect.ts'
import { startPostgres } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { resetPassword } from './identity/setup.ts'
import { readSettings } from './settings.ts'

const account = process.argv[2] ?? 'admin'
const settings = readSettings(process.env)
const log = { info: () => undefined, error: console.error }
const postgres = settings.databaseUrl ? undefined : await startPostgres({ folder: join(settings.data, 'postgres'), log })
const database = connect(await migrate(settings.databaseUrl ?? postgres!.url), 2)
try {
  const password = await resetPassword(database, account)
  console.log(
    password ? `New password of ${account}: ${password}\nIt must be changed at the next sign-in.` : `There is no account ${account}.`,
  )
  process.exitCode = password ? 0 : 1
} finally {
  await database.close()
  // A PostgreSQL that was running belongs to the server that runs.
  if (postgres && !postgres.adopted) await postgres.stop()
}
