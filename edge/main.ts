import { chmodSync, existsSync } from 'node:fs'
import { freezePrototypes } from '../contract/prototypes.ts'
import { startGateway } from './agent.ts'
import { readSettings } from './settings.ts'

const complain = (error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

// Only this account can read the readings and the gateway's key.
if (process.platform !== 'win32') process.umask(0o077)

try {
  const settings = readSettings(process.env)
  // What an earlier version left open is closed by its folder.
  if (process.platform !== 'win32' && existsSync(settings.data)) chmodSync(settings.data, 0o700)
  const gateway = await startGateway({
    ...settings,
    log: (line) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`),
  })
  freezePrototypes()
  let isClosing = false
  const stop = () => {
    if (isClosing) return
    isClosing = true
    gateway.close().then(() => process.exit(0), complain)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The parent process that started this gateway has ended, so nothing else would stop it.
  process.on('disconnect', stop)
} catch (error) {
  complain(error)
}
