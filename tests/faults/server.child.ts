// The server with a clock that its parent sets, housekeeping when its parent says so, and, where POSTGRES_BIN names them, its
// embedded PostgreSQL by other programs.
import { join } from 'node:path'
import pino from 'pino'
import { readSettings } from '../../main/settings.ts'
import { startServer } from '../../main/start.ts'
import { startPostgres } from '../../server/database/embedded.ts'

const { CLOCK_OFFSET, POSTGRES_BIN, ...env } = process.env
let offset = Number(CLOCK_OFFSET ?? 0)
const log = pino({ level: 'warn' }, pino.destination(2))
const postgres = POSTGRES_BIN ? await startPostgres({ folder: join(env.PENSTOCK_DATA!, 'postgres'), log, bin: POSTGRES_BIN }) : undefined
const settings = readSettings({ ...env, ...(postgres ? { DATABASE_URL: postgres.url } : {}) })
const started = await startServer(settings, log, () => Date.now() + offset)
console.log('ready')
process.on('message', async (message: { offset?: number; keep?: true }) => {
  if (message.offset !== undefined) offset = message.offset
  if (!message.keep) return
  await started.telemetry.keep()
  process.send?.('kept')
})
const stop = () =>
  void started
    .close()
    .then(() => postgres?.stop())
    .then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)
