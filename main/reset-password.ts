import { join } from 'node:path'
import { connect } from '../server/database/connect.ts'
import { startPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { resetPassword } from '../server/identity/setup.ts'
import { tryLockFolder } from './lock.ts'
import { readSettings } from './settings.ts'
import { addressOf, newPassword } from './welcome.ts'

const account = process.argv[2] ?? 'admin'
const settings = readSettings(process.env)
const log = { info: () => undefined, error: console.error }
const run = async () => {
  // While a server runs it has the lock, and its PostgreSQL is used.
  const unlock = settings.databaseUrl ? undefined : await tryLockFolder(settings.data)
  const own = () => startPostgres({ folder: join(settings.data, 'postgres'), log, borrow: !unlock })
  const postgres = settings.databaseUrl ? undefined : await own()
  const database = connect(await migrate(settings.databaseUrl ?? postgres!.url), 2)
  try {
    const password = await resetPassword(database, account)
    const address = settings.url ?? addressOf(settings, settings.port)
    const at = { account, address, demo: settings.demo, isRunning: !unlock }
    console.log(password ? newPassword({ ...at, password }) : `There is no account ${account}.`)
    process.exitCode = password ? 0 : 1
  } finally {
    await database.close()
    await postgres?.stop()
    unlock?.()
  }
}

run().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
