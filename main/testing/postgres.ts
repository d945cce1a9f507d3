// Vitest's global set-up: one PostgreSQL for the whole test run. Tests get databases of their own from testing/database.ts.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../server/database/embedded.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser's URL of the run's PostgreSQL. */
    postgresUrl: string
  }
}

const prefix = 'penstock-test-postgres-'
const log = { info: () => undefined, error: console.error }
// Nothing in it outlives the run, so nothing has to reach the disk.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** What a killed test run left behind. */
const sweep = async () => {
  for (const name of readdirSync(tmpdir()).filter((n) => n.startsWith(prefix) && !isRunning(Number(n.slice(prefix.length))))) {
    const folder = join(tmpdir(), name)
    await startPostgres({ folder, log, settings }).then(
      (left) => left.stop(),
      () => undefined,
    )
    rmSync(folder, { recursive: true, force: true })
  }
}

export default async ({ vitest }: TestProject) => {
  // Projects are set up one after the other.
  if (vitest.getProvidedContext().postgresUrl) return
  await sweep()
  const folder = join(tmpdir(), `${prefix}${process.pid}`)
  mkdirSync(folder, { mode: 0o700 })
  const postgres = await startPostgres({ folder, log, settings })
  vitest.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
