// A server of a test file's own, in a process, on a database that the test may look into.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import type { FrontDoor } from '../front-door.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** PENSTOCK_METRICS_TOKEN of a process that trusts this machine as a proxy; others need none. */
export const metricsToken = 'token of the tests'

/** One figure of /metrics; 0 while it has no value. */
export const figureOf = async (origin: string, name: string, labels = '') => {
  const text = await (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
  const line = text
    .split('\n')
    .find((l) => l.startsWith(`penstock_${name}${labels}`) && ' {'.includes(l[`penstock_${name}${labels}`.length]!))
  return Number(line?.split(' ')[1] ?? 0)
}

/** Resident memory of a process, bytes. */
export const residentBytes = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** Starts before the tests of the file and ends after them; filled when they run. */
export const ownServer = (env: Record<string, string> = {}) => {
  const own = {} as { process: ServerProcess; door: FrontDoor }
  let fresh: Awaited<ReturnType<typeof freshDatabase>> | undefined
  // Connections stay: a new one for each query costs more than the query.
  let pool: pg.Pool | undefined
  beforeAll(async () => {
    fresh = await freshDatabase()
    pool = new pg.Pool({ connectionString: fresh.adminUrl })
    own.process = await startServerProcess({ DATABASE_URL: fresh.adminUrl, ...env })
    own.door = await own.process.door()
  })
  afterAll(async () => {
    await own.process?.stop()
    own.process?.remove()
    await pool?.end()
    await fresh?.drop()
  })
  return Object.assign(own, {
    figure: (name: string, labels?: string) => figureOf(own.process.origin, name, labels),
    resident: () => residentBytes(own.process.pid()),
    /** A session of the database, for a transaction; released by who asks. */
    session: () => pool!.connect(),
    query: async <T>(text: string): Promise<T[]> => (await pool!.query(text)).rows as T[],
  })
}
