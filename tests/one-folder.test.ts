// Two servers on one data folder, like two containers: separate process numbers, and no reaper for dead children.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../main/testing/freePort.ts'
import { temporary, until } from './house.ts'

vi.setConfig({ testTimeout: 300_000 })

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
const apart = ['--pid', '--ipc', '--fork', '--mount-proc', '--kill-child']
const isPossible = spawnSync('unshare', [...user, ...apart, 'true'], { stdio: 'ignore' }).status === 0
/** How long the first server is watched after the second was refused. ms. */
const watchMs = Number(process.env.WATCH_MS ?? 1500)

const folder = temporary()
const data = join(folder, 'data')
const children: ChildProcess[] = []
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const env = { ...process.env, PENSTOCK_DATA: data, PENSTOCK_DEMO: 'off', PENSTOCK_LOG: 'error' }

const run = (command: string[], more: Record<string, string> = { PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0' }) => {
  const child = spawn(command[0]!, command.slice(1), { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const prints = (pattern: RegExp) => until(`${pattern} in what it prints`, () => pattern.exec(output) ?? undefined, 150_000)
  return { child, prints, ended: once(child, 'exit') as Promise<[number | null]> }
}
const program = (name: string) => [process.execPath, join(import.meta.dirname, '../main', name)]
const inContainer = (name: string) => ['unshare', ...user, ...apart, ...program(name)]
const childOf = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0]
/** All processes of a container but its first. */
const inside = (first: number) => {
  const container = readlinkSync(`/proc/${first}/ns/pid`)
  const all = readdirSync('/proc').map(Number).filter(Boolean)
  return all.filter((pid) => {
    try {
      return pid !== first && readlinkSync(`/proc/${pid}/ns/pid`) === container
    } catch {
      return false
    }
  })
}
const asAdmin = async (text: string) => {
  const [, , , at] = readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  const password = readFileSync(join(data, 'postgres/password'), 'utf8')
  const client = new pg.Client({ connectionString: `postgres://penstock:${password}@127.0.0.1:${at}/penstock` })
  await client.connect()
  return client
    .query(text)
    .then((r) => r.rows)
    .finally(() => client.end())
}

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

test.runIf(isPossible)(
  `${isPossible ? '' : 'skipped, this machine allows no PID namespaces: '}two servers on one data folder`,
  async () => {
    // An init process that does not reap its children.
    const shell = ['sh', '-c', '"$@" & exec sleep 600', 'sh', ...program('server.ts')]
    const first = run(['unshare', ...user, ...apart, ...shell], { PENSTOCK_PORT: String(port), PENSTOCK_MQTT_PORT: '0' })
    await first.prints(/ready:/)
    const container = childOf(first.child.pid!)
    const server = childOf(container)
    const started = async () => (await asAdmin('select pg_postmaster_start_time()::text as at'))[0].at
    const startedAt = await started()
    await asAdmin('create table proof as select 1 as row')

    // Beside it a new password can be set. From another container there is no way.
    const beside = (name: string) => [
      'nsenter',
      `--target=${container}`,
      ...user.slice(0, 1),
      '--pid',
      '--ipc',
      '--mount',
      ...program(name),
    ]
    const reset = [run(beside('reset-password.ts')).prints(/New password of admin/)]
    reset.push(run(inContainer('reset-password.ts')).prints(/From here there is no way to the PostgreSQL/))

    // The second is refused by name, and the first is unharmed.
    const second = run(inContainer('server.ts'))
    await second.prints(/Penstock is already running on \S+data \(process \d+ on /)
    expect(await second.ended).toEqual([1, null])
    await Promise.all(reset)
    await new Promise((done) => setTimeout(done, watchMs))
    expect(await started()).toBe(startedAt)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)

    // Its server is killed, its PostgreSQL runs on.
    process.kill(server, 'SIGKILL')
    const third = run(inContainer('server.ts'))
    await third.prints(/Another PostgreSQL, perhaps in another container, still works on \S+cluster/)
    expect(await third.ended).toEqual([1, null])
    expect(await started()).toBe(startedAt)

    // The whole tree is killed and never taken away. The next start does not wait for it.
    expect(stateOf(server)).toBe('Z')
    for (const pid of inside(container))
      try {
        process.kill(pid, 'SIGKILL')
      } catch (error) {
        // A PostgreSQL worker may have exited in the meantime.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    const fourth = run(beside('server.ts'))
    await fourth.prints(/ready:/)
    expect(stateOf(server)).toBe('Z')
    expect(await asAdmin('select row from proof')).toEqual([{ row: 1 }])
    process.kill(childOf(fourth.child.pid!), 'SIGTERM')
    expect(await fourth.ended).toEqual([0, null])
    expect(existsSync(join(data, 'postgres/cluster/postmaster.pid'))).toBe(false)
  },
)
