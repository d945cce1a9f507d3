// A newcomer's Penstock as a separate process, which can be killed and restarted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freshDatabase } from '../../main/testing/database.ts'
import { programOf } from '../../main/testing/serverProgram.ts'
import { temporary, until } from '../front-door.ts'
import { giveTurn, takeTurn } from './turn.ts'

/**
 * As `npm start` runs it, on a database of its own in the run's PostgreSQL, which is there at once; `embedded`: on the engines that
 * `npm start` brings. It is there when it is this file's turn to walk.
 */
export const startServer = async (env: Record<string, string> = {}, { embedded = false } = {}) => {
  const folder = temporary()
  const fresh = embedded ? undefined : await freshDatabase()
  let said = ''
  const start = async (more: Record<string, string> = {}) => {
    // A newcomer's first start is that of the sources.
    const program = embedded ? join(import.meta.dirname, '../../main/server.ts') : programOf('main/server.ts')
    const child = spawn(process.execPath, [program], {
      env: {
        ...process.env,
        PENSTOCK_DATA: folder,
        PENSTOCK_PORT: '0',
        PENSTOCK_MQTT_PORT: '0',
        PENSTOCK_LOG: 'warn',
        PENSTOCK_DEMO_HISTORY: '0',
        ...(fresh && { DATABASE_URL: fresh.adminUrl }),
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    const [, origin] = await until(
      'the address',
      () => /ready:\s+(http:\/\/\S+)/.exec(said) ?? (child.exitCode === null ? undefined : Promise.reject(new Error(said))),
      180_000,
    )
    return { child, origin: origin!, mqttPort: Number(/mqtts?:\/\/[^:\s]+:(\d+)/.exec(said)?.[1]) }
  }
  let running = await start()
  await takeTurn()
  const { origin, mqttPort } = running
  const password = /admin \/ (\S+)/.exec(said)?.[1]
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const { child } = running
    if (child.exitCode !== null || child.signalCode) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    ...{ origin, mqttPort, folder, password },
    /** Signs in as the superuser of the database, where the process has its own. */
    databaseUrl: fresh?.adminUrl,
    said: () => said,
    /** Like a power cut: nothing more is written. */
    kill: () => end('SIGKILL'),
    /** Starts again at the same addresses. */
    again: async () => {
      running = await start({ PENSTOCK_PORT: new URL(origin).port, PENSTOCK_MQTT_PORT: String(mqttPort) })
    },
    close: async () => {
      await giveTurn()
      await end('SIGTERM')
      await fresh?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
