// The server with a clock that its parent sets, and housekeeping when its parent says so.
import pino from 'pino'
import { readSettings } from '../../server/settings.ts'
import { startServer } from '../../server/start.ts'

const { CLOCK_OFFSET, ...env } = process.env
let offset = Number(CLOCK_OFFSET ?? 0)
const log = pino({ level: 'warn' }, pino.destination(2))
const started = await startServer(readSettings(env), log, () => Date.now() + offset)
console.log('ready')
process.on('message', async (message: { offset?: number; keep?: true }) => {
  if (message.offset !== undefined) offset = message.offset
  if (!message.keep) return
  await started.telemetry.keep()
  process.send?.('kept')
})
const stop = () => void started.close().then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)
