import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accepts, freePort } from './freePort.ts'

const binary = ['/usr/sbin', '/usr/bin', '/usr/local/sbin'].map((d) => join(d, 'haproxy')).find(existsSync)
const configuration = join(import.meta.dirname, '../../deploy/haproxy.cfg')

/** False where Debian's package `haproxy` is not installed; tests that need it are skipped then. */
export const hasHaproxy = binary !== undefined

type Process = { port: number; mqttPort: number }

type Fleet = Record<'gateways' | 'apis' | 'servers', readonly Process[]>
/** A real HAProxy with deploy/haproxy.cfg, in front of at most two processes of each kind on this machine. */
export const startHaproxy = async (fleet: Fleet) => {
  const [mqttPort, httpPort] = [await freePort(), await freePort()]
  const env: Record<string, string> = { MQTT_BIND: `127.0.0.1:${mqttPort}`, HTTP_BIND: `127.0.0.1:${httpPort}` }
  const named = { GATEWAYS: fleet.gateways, API: fleet.apis, SERVER: fleet.servers }
  for (const [name, processes] of Object.entries(named))
    for (const i of [0, 1]) {
      // Nothing listens on port 1.
      const { port, mqttPort: mqtt } = processes[i] ?? { port: 1, mqttPort: 1 }
      const at = `${name}_${i + 1}`
      Object.assign(env, { [at]: '127.0.0.1', [`${at}_MQTT`]: `${mqtt}`, [`${at}_HTTP`]: `${port}` })
    }
  const child = spawn(binary!, ['-db', '-f', configuration], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  while (!(await accepts(mqttPort))) {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}.`)
    await pause(20)
  }
  return {
    mqttPort,
    origin: `http://127.0.0.1:${httpPort}`,
    stop: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
