import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accepts, freePort } from './freePort.ts'

const binary = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((d) => join(d, 'nats-server')).find(existsSync)

/** False where Debian's package `nats-server` is not installed; tests that need it are skipped then. */
export const hasNats = binary !== undefined

/** A cluster of so many real NATS servers on free ports of loopback, which ask for a password. `more`: lines of their configuration. */
export const startNats = async (count = 1, more = '') => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-nats-'))
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const clusterPorts = await Promise.all(Array.from({ length: count }, freePort))
  const routes = clusterPorts.map((port) => `nats://127.0.0.1:${port}`).join(', ')
  const servers: (ChildProcess | undefined)[] = []
  const start = async (i: number) => {
    const conf = join(folder, `${i}.conf`)
    const cluster = count > 1 ? `cluster { name: fleet, listen: "127.0.0.1:${clusterPorts[i]}", routes: [${routes}] }\n` : ''
    writeFileSync(
      conf,
      `listen: "127.0.0.1:${ports[i]}"\nserver_name: "n${i}"\nauthorization { users = [{ user: penstock, password: secret }] }\n${cluster}${more}`,
    )
    const server = spawn(binary!, ['-c', conf], { stdio: 'ignore' })
    servers[i] = server
    while (!(await accepts(ports[i]!))) {
      if (server.exitCode !== null) throw new Error(`nats-server ended with ${server.exitCode}.`)
      await pause(20)
    }
  }
  for (let i = 0; i < count; i++) await start(i)
  const kill = async (i: number) => {
    const server = servers[i]
    servers[i] = undefined
    if (!server || server.exitCode !== null) return
    const gone = new Promise((done) => server.once('exit', done))
    server.kill('SIGKILL')
    await gone
  }
  return {
    url: ports.map((port) => `nats://penstock:secret@127.0.0.1:${port}`).join(','),
    ports,
    pids: () => servers.map((server) => server!.pid!),
    kill,
    start,
    signal: (i: number, signal: 'SIGSTOP' | 'SIGCONT') => servers[i]?.kill(signal),
    remove: async () => {
      for (let i = 0; i < count; i++) {
        servers[i]?.kill('SIGCONT')
        await kill(i)
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
