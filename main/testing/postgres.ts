// Vitest's global set-up: one PostgreSQL for the whole test run. Tests get databases of their own from testing/database.ts.
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
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
// Its data does not outlive the run, so nothing has to reach the disk.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  max_connections: '300',
}

const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3
/** A database is 300 files. In memory, copying one costs 0.06 s of a processor; on ext4 0.4, which passes over inodes that were just freed. */
const parentFolder = () => {
  if (process.platform !== 'linux' || !existsSync(memory) || process.availableMemory() < neededBytes) return tmpdir()
  const { type, bavail, bsize } = statfsSync(memory)
  const tmpfs = 0x01021994
  return type === tmpfs && bavail * bsize >= neededBytes ? memory : tmpdir()
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** What a killed test run left behind. */
const sweep = async (parent: string) => {
  if (!existsSync(parent)) return
  for (const name of readdirSync(parent).filter((n) => n.startsWith(prefix) && !isRunning(Number(n.slice(prefix.length))))) {
    const folder = join(parent, name)
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
  await sweep(tmpdir())
  await sweep(memory)
  const folder = join(parentFolder(), `${prefix}${process.pid}`)
  mkdirSync(folder, { mode: 0o700 })
  const postgres = await startPostgres({ folder, log, settings })
  vitest.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
