import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupFile, BackupJob } from '../../../contract/areas/backup.ts'
import { dumpDatabase } from '../../backup/dump.ts'
import { hashFile, type Listed } from '../../backup/files.ts'
import type { Carried } from '../../backup/load.ts'
import { checkMigrations } from '../../backup/load.ts'
import { format, type Manifest, type Sealed, version } from '../../backup/manifest.ts'
import { prepareReadings, publicKeys, putBack } from '../../backup/restore.ts'
import { type Kind, openShelf } from '../../backup/shelf.ts'
import type { FileStore, Held } from '../../files/store.ts'
import { Fault } from '../../http/faults.ts'
import { format as readingsFormat } from '../../telemetry/format.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { openArrivals } from './arrivals.ts'

export type BackupParts = {
  /** The data folder. */
  data: string
  /** Owner's and application's sign-in. */
  urls: { adminUrl: string; applicationUrl: string }
  telemetry: Pick<Telemetry, 'snapshot'>
  files: FileStore
  clock: () => number
  log: { warn: (fields: object, text: string) => void }
  /** Closes the server, works, and starts it again; nothing where nobody can. */
  restart?: ((work: (adminUrl: string) => Promise<void>) => void) | undefined
}
type By = {
  UserId: number | null
  EnterpriseId: number
  UserNO: string | null
  session?: string
  Ip?: string | undefined
  RequestId?: string | undefined
}
type JobName = `${'backup' | 'restore'}-${Kind}`

const idle: BackupJob = { Status: 0, Step: 'idle', Progress: 0, FileName: null, StartTime: null, DurationMs: null, Error: null }
/** Keys of files hold a slash; names in the pool do not. */
const poolName = (key: string) => key.replace('/', '_')
const keyOf = (name: string) => name.replace('_', '/')
const ticketMs = 60_000
/** A key of words, or what the system said. */
const reasonOf = (error: unknown) => (error instanceof Fault ? `fault.${error.key}` : String((error as Error).message).slice(0, 300))

export const shown = (m: Sealed): BackupFile => ({
  FileName: m.Name,
  Time: m.Time,
  DurationMs: m.DurationMs,
  Size: m.Size,
  AddedSize: m.AddedSize,
  Sha256: m.Sha256,
  Version: m.Version,
  By: m.By,
  Things: m.Things,
  Rows: m.Tables.reduce((sum, t) => sum + t.Rows, 0),
  Readings: m.Readings?.readings ?? 0,
  Files: m.Kind === 'files' ? m.Pool.length : 0,
  WithReadings: m.Readings !== null,
})

export const openBackups = async ({ data, urls, telemetry, files, clock, log, restart }: BackupParts) => {
  const shelf = openShelf(join(data, 'backups'))
  const jobs: Record<JobName, BackupJob> = { 'backup-db': idle, 'backup-files': idle, 'restore-db': idle, 'restore-files': idle }
  const noted = await shelf.noted()
  if (noted) {
    const last = JSON.parse(noted) as BackupJob
    // The server ended in the middle of it, and the database stayed as it was.
    jobs['restore-db'] = last.Status === 1 ? { ...last, Status: 3, Step: 'failed' } : last
  }
  let busy: Promise<unknown> | undefined
  const arrivals = openArrivals(join(data, 'backups', 'arriving.tar'), clock)
  await arrivals.forget()
  const tickets = new Map<string, { name: string; until: number }>()

  /** One work at a time, with its progress; fails as the work fails. */
  const work = <T>(name: JobName, FileName: string | null, step: string, run: (job: BackupJob) => Promise<T>): Promise<T> => {
    if (busy) throw new Fault('backupBusy')
    const StartTime = clock()
    const job: BackupJob = { ...idle, Status: 1, Step: step, StartTime, FileName }
    jobs[name] = job
    const running = run(job).then(
      (result) => {
        if (job.Step !== 'restarting') Object.assign(job, { Status: 2, Step: 'done', Progress: 100, DurationMs: clock() - StartTime })
        return result
      },
      (error) => {
        log.warn({ err: error }, 'a backup or restore failed')
        Object.assign(job, { Status: 3, Step: 'failed', DurationMs: clock() - StartTime, Error: reasonOf(error) })
        throw error
      },
    )
    busy = running
      .catch(() => {})
      .finally(() => {
        busy = undefined
      })
    return running
  }
  const progress = (job: BackupJob, from: number, to: number) => (part: number) => {
    job.Progress = Math.max(job.Progress, Math.min(to, Math.round(from + (to - from) * part)))
  }
  const base = (kind: Kind, Name: string, Time: number, by: By): Manifest => ({
    Format: format,
    Kind: kind,
    Name,
    Time,
    DurationMs: 0,
    Version: version,
    By: by.UserNO,
    Size: 0,
    AddedSize: 0,
    Migrations: [],
    Tables: [],
    Sequences: [],
    Readings: null,
    Pool: [],
    Keys: {},
    Things: {},
  })
  const finish = (manifest: Manifest, added: number): Manifest => {
    const own = [...manifest.Tables, ...(manifest.Readings?.Tables ?? [])].reduce((sum, f) => sum + f.Size, 0)
    return {
      ...manifest,
      Size: own + manifest.Pool.reduce((sum, f) => sum + f.Size, 0),
      AddedSize: own + added,
      DurationMs: clock() - manifest.Time,
    }
  }

  const backupDb = (by: By) =>
    work('backup-db', null, 'tables', async (job) => {
      const Time = clock()
      const place = await shelf.begin('db', Time)
      job.FileName = place.name
      try {
        const manifest = { ...base('db', place.name, Time, by), Keys: await publicKeys(data) }
        let added = 0
        const readings = async () => {
          if (!telemetry.snapshot) return
          job.Step = 'readings'
          const snapshot = await telemetry.snapshot(place.folder, async (path, name) => {
            const { added: isNew, ...kept } = await shelf.pool.keep(path, name)
            manifest.Pool.push(kept)
            if (isNew) added += kept.Size
          })
          const Tables = await Promise.all(
            snapshot.tables.map(async (name) => {
              const path = join(place.folder, `${name}.parquet`)
              return { Name: `${name}.parquet`, Size: (await readFile(path)).length, Sha256: await hashFile(path) }
            }),
          )
          manifest.Readings = { ...snapshot, Format: readingsFormat, Tables }
        }
        Object.assign(manifest, await dumpDatabase(urls, place.folder, progress(job, 0, 60), readings))
        return await place.done(finish(manifest, added))
      } catch (error) {
        await place.abandon()
        throw error
      }
    })

  const backupFiles = (by: By) =>
    work('backup-files', null, 'files', async (job) => {
      const Time = clock()
      const place = await shelf.begin('files', Time)
      job.FileName = place.name
      try {
        const manifest = base('files', place.name, Time, by)
        const held = await Array.fromAsync(files.list())
        let added = 0
        for (const [i, { key, size }] of held.entries()) {
          const kept = await shelf.pool.keepContent(poolName(key), size, () => files.get(key))
          if (kept) {
            manifest.Pool.push({ Name: kept.Name, Size: kept.Size, Sha256: kept.Sha256 })
            if (kept.added) added += kept.Size
          }
          progress(job, 0, 100)(i / held.length)
        }
        return await place.done(finish(manifest, added))
      } catch (error) {
        await place.abandon()
        throw error
      }
    })

  const restoreDb = (name: string, by: By) => {
    if (!restart) throw new Fault('restoreElsewhere')
    const manifest = shelf.read(name)
    if (manifest.Kind !== 'db') throw new Fault('notFound')
    checkMigrations(manifest)
    return work('restore-db', name, 'checking', async (job) => {
      await shelf.check(name, progress(job, 0, 50))
      const mark = randomUUID()
      await prepareReadings(data, shelf, manifest, mark)
      Object.assign(job, { Step: 'restarting', Progress: 60 })
      const carried: Carried = { mark, by: { ...by, Title: name }, ...(by.session ? { session: by.session } : {}) }
      await shelf.note(JSON.stringify(job))
      restart(async (adminUrl) => {
        const ended = (more: Partial<BackupJob>) => shelf.note(JSON.stringify({ ...job, DurationMs: clock() - job.StartTime!, ...more }))
        try {
          await putBack(adminUrl, data, shelf, manifest, carried)
          await ended({ Status: 2, Step: 'done', Progress: 100 })
        } catch (error) {
          await ended({ Status: 3, Step: 'failed', Error: reasonOf(error) })
          throw error
        }
      })
    })
  }

  /** Read only where the store does not say what it has. */
  const sameContent = async ({ key, md5 }: Held, { Name, Sha256 }: Listed): Promise<boolean> => {
    if (md5) return (await hashFile(shelf.pool.at(Name), 'md5')) === md5
    const hash = createHash('sha256')
    for await (const chunk of (await files.get(key)) ?? []) hash.update(chunk as Buffer)
    return hash.digest('hex') === Sha256
  }

  const restoreFiles = (name: string) => {
    const manifest = shelf.read(name)
    if (manifest.Kind !== 'files') throw new Fault('notFound')
    return work('restore-files', name, 'checking', async (job) => {
      await shelf.check(name, progress(job, 0, 40))
      job.Step = 'files'
      const held = new Map<string, Held>()
      for await (const file of files.list()) held.set(file.key, file)
      for (const [i, file] of manifest.Pool.entries()) {
        const there = held.get(keyOf(file.Name))
        if (there?.size !== file.Size || !(await sameContent(there, file)))
          await files.put(keyOf(file.Name), await readFile(shelf.pool.at(file.Name)), 'application/octet-stream')
        progress(job, 40, 100)(i / manifest.Pool.length)
      }
    })
  }

  return {
    job: (name: JobName): BackupJob => ({ ...jobs[name] }),
    list: (kind: Kind) => shelf.list(kind).map(shown),
    backup: (kind: Kind, by: By): Promise<Sealed> => (kind === 'db' ? backupDb(by) : backupFiles(by)),
    restore: (kind: Kind, name: string, by: By): Promise<void> => (kind === 'db' ? restoreDb(name, by) : restoreFiles(name)),
    archive: (name: string) => shelf.archive(name),
    async remove(name: string) {
      if (busy) throw new Fault('backupBusy')
      await shelf.remove(name)
      return { Removed: 1 }
    },
    arrivals,
    /** Puts what has arrived on the shelf; the status of the backups of its kind tells how it goes. */
    brought(ticket: string): { kind: Kind; done: Promise<Sealed> } {
      if (busy) throw new Fault('backupBusy')
      const { kind, path } = arrivals.complete(ticket)
      return {
        kind,
        done: work(`backup-${kind}`, null, 'checking', () => shelf.bring(createReadStream(path), kind)).finally(arrivals.forget),
      }
    },
    prune: (kind: Kind, keep: number) => shelf.prune(kind, keep),
    /** For a download that a browser does by itself; good once. */
    ticket(name: string): string {
      shelf.read(name)
      for (const [key, { until }] of tickets) if (until < clock()) tickets.delete(key)
      const key = randomUUID()
      tickets.set(key, { name, until: clock() + ticketMs })
      return key
    },
    redeem(key: string): string {
      const held = tickets.get(key)
      tickets.delete(key)
      if (!held || held.until < clock()) throw new Fault('notFound')
      return held.name
    },
    close: async () => {
      await busy
    },
  }
}
export type Backups = Awaited<ReturnType<typeof openBackups>>
