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

/** A real HAProxy with deploy/haproxy.cfg, in front of two gateway processes and two servers of this machine. */
export const startHaproxy = async (gateways: readonly Process[], servers: readonly Process[]) => {
  const [mqttPort, httpPort] = [await freePort(), await freePort()]
  const env: Record<string, string> = { MQTT_BIND: `127.0.0.1:${mqttPort}`, HTTP_BIND: `127.0.0.1:${httpPort}` }
  for (const [i, { port, mqttPort: mqtt }] of gateways.entries())
    Object.assign(env, { [`GATEWAYS_${i + 1}`]: '127.0.0.1', [`GATEWAYS_${i + 1}_MQTT`]: `${mqtt}`, [`GATEWAYS_${i + 1}_HTTP`]: `${port}` })
  for (const [i, { port }] of servers.entries())
    Object.assign(env, { [`SERVER_${i + 1}`]: '127.0.0.1', [`SERVER_${i + 1}_HTTP`]: `${port}` })
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
