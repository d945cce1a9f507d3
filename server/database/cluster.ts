import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { accountFor } from './account.ts'
import { clusterRuns, openClusterSocket } from './clusterSocket.ts'

export type Log = { info(message: string): void; error(message: string): void }

export const user = 'penstock'
const standard = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '50',
  // A restore holds a lock on each table, index and constraint, those before and those of the backup.
  max_locks_per_transaction: '512',
  shared_buffers: '128MB',
  jit: 'off',
  // For disks without heads: indexes of small tables are used too.
  random_page_cost: '1.1',
  synchronous_commit: 'on',
  timezone: 'UTC',
  // Refused statements are answered to the caller; they would put people's data into the log.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

const freePort = () =>
  new Promise<number>((done, failed) => {
    const probe = createServer().once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })

/** Windows has no handle on a folder; its file system logs renames by itself. */
const syncFolder = (path: string) => {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** postmaster.pid, line by line: pid, data folder, start, port, socket folder, address, memory key, state. */
const lockOf = (cluster: string) => {
  let text: string
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    // Not running, or it ended between two looks.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const lines = text.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether a process is the postmaster of this cluster: numbers are given again, and a stale lock must never stop a stranger. */
const serves = (pid: number, cluster: string) => {
  if (!alive(pid)) return false
  if (process.platform === 'win32') return true
  if (process.platform === 'linux')
    return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster)
  return spawnSync('ps', ['-o', 'args=', '-ww', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster)
}

export const query = async <T extends object>(url: string, text: string) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** How long what was killed may take to end, s. */
const endSeconds = 5

const run = promisify(execFile)

type Account = ReturnType<typeof accountFor>

/** One cluster of PostgreSQL in a folder of ours, and the programs that serve it. */
export class Cluster {
  readonly #folder: string
  readonly #log: Log
  readonly #settings: Record<string, string>
  readonly #command: Account['command']
  readonly #own: Account['own']
  readonly #options: { cwd: string; env: { PATH: string | undefined; LC_ALL: string } } & Account['as']
  readonly #cluster: string
  readonly #secret: string
  readonly #journal: string
  #password: string | undefined

  constructor(folder: string, log: Log, settings: Record<string, string>, bin: string) {
    const { command, as, own } = accountFor(folder, bin)
    this.#folder = folder
    this.#log = log
    this.#settings = settings
    this.#command = command
    this.#own = own
    this.#options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...as }
    this.#cluster = join(realpathSync(folder), 'cluster')
    this.#secret = join(folder, 'password')
    this.#journal = join(folder, 'postgres.log')
  }

  get exists() {
    return existsSync(this.#cluster)
  }
  /** Major version of the programs at hand. */
  async release() {
    const version = await run(...this.#command('postgres', ['--version']), this.#options).catch((e: Error) => {
      throw new Error(`PostgreSQL cannot run here: ${e.message}. Set DATABASE_URL to a PostgreSQL server, 15 or newer.`)
    })
    return Number(/ (\d+)/.exec(version.stdout)?.[1])
  }
  /** Major version of the programs that made it. */
  madeBy() {
    return Number(readFileSync(join(this.#cluster, 'PG_VERSION'), 'utf8'))
  }

  async make(release: number) {
    const fresh = `${this.#cluster}.new`
    rmSync(fresh, { recursive: true, force: true })
    writeFileSync(this.#secret, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    this.#own(this.#secret)
    const args = ['-D', fresh, '-U', user, `--pwfile=${this.#secret}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
    args.push(...(release >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--lc-ctype=C.UTF-8']))
    if (this.#settings.fsync === 'off') args.push('--no-sync')
    await run(...this.#command('initdb', args), this.#options)
    renameSync(fresh, this.#cluster)
    // A power cut must not undo the rename: the next start would begin from nothing.
    for (const path of [this.#folder, dirname(this.#folder)]) syncFolder(path)
  }

  address(port: number, database: string) {
    this.#password ??= readFileSync(this.#secret, 'utf8').trim()
    return `postgres://${user}:${this.#password}@127.0.0.1:${port}/${database}`
  }
  runs() {
    const lock = lockOf(this.#cluster)
    return lock && (process.platform === 'linux' ? serves(lock.pid, this.#cluster) : alive(lock.pid))
  }
  /** Port of the PostgreSQL that serves this very cluster, once it answers. */
  async serving() {
    const lock = lockOf(this.#cluster)
    if (!lock?.ready || !serves(lock.pid, this.#cluster)) return undefined
    const rows = await query<{ data_directory: string }>(this.address(lock.port, 'postgres'), 'show data_directory').catch(() => [])
    return rows[0]?.data_directory === this.#cluster ? lock.port : undefined
  }
  async #gone(seconds: number) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(20)) {
      const lock = lockOf(this.#cluster)
      if (!lock || !serves(lock.pid, this.#cluster)) return true
    }
    return false
  }
  async stop() {
    const lock = lockOf(this.#cluster)
    if (!lock || !serves(lock.pid, this.#cluster)) return
    // Windows has no signals; everywhere else pg_ctl would only send this one, and refuse to as root.
    if (process.platform === 'win32') await run(...this.#command('pg_ctl', ['stop', '-D', this.#cluster, '-m', 'fast']), this.#options)
    else process.kill(lock.pid, 'SIGINT')
    if (await this.#gone(60)) return
    this.#log.error('PostgreSQL did not stop within a minute; it is stopped hard and will replay its journal at the next start.')
    process.kill(lock.pid, 'SIGQUIT')
    await this.#gone(10)
  }

  async launch(wanted?: number) {
    // One that is still starting or stopping must go first: with its memory in use, a second would not start.
    await this.stop()
    for (let left = endSeconds * 20; await clusterRuns(this.#folder); left--) {
      if (!left)
        throw new Error(
          `Another PostgreSQL, perhaps in another container, still works on ${this.#cluster}. Stop that container, or its process.`,
        )
      await pause(50)
    }
    // Nothing of the old one runs. The number in its lock may be another program's by now, which PostgreSQL would respect. It ignores
    // its parent's.
    const stale = join(this.#cluster, 'postmaster.pid')
    if (existsSync(stale)) writeFileSync(stale, readFileSync(stale, 'utf8').replace(/^\d+/, String(process.pid)))
    if (existsSync(this.#journal)) renameSync(this.#journal, `${this.#journal}.1`)
    const flags = Object.entries({ ...standard, ...this.#settings, port: String(wanted ?? (await freePort())) }).flatMap(([k, v]) => [
      '-c',
      `${k}=${v}`,
    ])
    const output = openSync(this.#journal, 'w', 0o600)
    // In a process group of its own: Ctrl-C reaches us alone, and we stop it last.
    const socket = await openClusterSocket(this.#folder)
    const stdio: (number | 'ignore')[] = ['ignore', output, output, ...(socket ? [socket.handle] : [])]
    const child = spawn(...this.#command('postgres', ['-D', this.#cluster, ...flags]), { ...this.#options, detached: true, stdio })
    closeSync(output)
    socket?.close()
    const failed = new Promise<string>((done) => child.once('error', (e) => done(e.message)).once('exit', (code) => done(`exit ${code}`)))
    child.unref()
    for (;;) {
      const reason = await Promise.race([failed, pause(25)])
      if (reason) throw new Error(`PostgreSQL did not start (${reason}):\n${readFileSync(this.#journal, 'utf8').slice(-2000)}`)
      const port = await this.serving()
      if (port) return port
    }
  }
}
