// Backups in the making: the database with its readings, or the files, each with its progress.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { format as readingsFormat } from '../../../../server/telemetry/format.ts'
import type { BackupFile, BackupJob } from '../contract.ts'
import { encrypted } from './archive/age.ts'
import { dumpDatabase } from './archive/dump.ts'
import { hashFile, keepStream } from './archive/files.ts'
import { format, type Manifest, type Sealed, type SealedEncrypted, version } from './archive/manifest.ts'
import { publicKeys } from './archive/restore.ts'
import type { Kind, Shelf } from './archive/shelf.ts'
import type { BackupParts } from './service.ts'

export type By = {
  UserId: number | null
  EnterpriseId: number
  UserNO: string | null
  session?: string
  Ip?: string | undefined
  RequestId?: string | undefined
}
export type JobName = `${'backup' | 'restore'}-${Kind}`
export type Work = <T>(name: JobName, FileName: string | null, step: string, run: (job: BackupJob) => Promise<T>) => Promise<T>
type Place = Awaited<ReturnType<Shelf['begin']>>
type Parts = Pick<BackupParts, 'data' | 'urls' | 'telemetry' | 'files' | 'clock'> & { shelf: Shelf; encrypting: Shelf; work: Work }
type Made = Promise<Sealed | SealedEncrypted>

/** Keys of files hold a slash; names in the pool do not. */
const poolName = (key: string) => key.replace('/', '_')

export const shown = (m: Sealed): Omit<BackupFile, 'Sealed'> => ({
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
  Encrypted: false,
})

export const progress = (job: BackupJob, from: number, to: number) => (part: number) => {
  job.Progress = Math.max(job.Progress, Math.min(to, Math.round(from + (to - from) * part)))
}

export const makers = ({ shelf, encrypting, work, data, urls, telemetry, files, clock }: Parts) => {
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

  /** Makes a backup on the shelf, or beside it and puts it there as one encrypted file where there is a passphrase. */
  const making = async (
    job: BackupJob,
    kind: Kind,
    passphrase: string | undefined,
    make: (on: Shelf, place: Place, Time: number) => Promise<Manifest>,
  ): Made => {
    const Time = clock()
    const on = passphrase ? encrypting : shelf
    const place = await on.begin(kind, Time, shelf)
    job.FileName = place.name
    try {
      const kept = await place.done(await make(on, place, Time))
      if (!passphrase) return kept
      job.Step = 'encrypting'
      const content = encrypted(on.archive(kept.Name).content, passphrase)
      return await shelf.keepEncrypted(kept, { ...shown(kept), Sealed: true }, (path) => keepStream(content, path))
    } catch (error) {
      await place.abandon()
      throw error
    } finally {
      if (passphrase) await rm(on.folder, { recursive: true, force: true })
    }
  }

  const db = (by: By, passphrase: string | undefined): Made =>
    work('backup-db', null, 'tables', (job) =>
      making(job, 'db', passphrase, async (on, place, Time) => {
        const manifest = { ...base('db', place.name, Time, by), Keys: await publicKeys(data) }
        let added = 0
        const readings = async () => {
          if (!telemetry.snapshot) return
          job.Step = 'readings'
          const snapshot = await telemetry.snapshot(place.folder, async (path, name) => {
            const { added: isNew, ...kept } = await on.pool.keep(path, name)
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
        return finish(manifest, added)
      }),
    )

  const stored = (by: By, passphrase: string | undefined): Made =>
    work('backup-files', null, 'files', (job) =>
      making(job, 'files', passphrase, async (on, place, Time) => {
        const manifest = base('files', place.name, Time, by)
        const held = await Array.fromAsync(files.list())
        let added = 0
        for (const [i, { key, size }] of held.entries()) {
          const kept = await on.pool.keepContent(poolName(key), size, () => files.get(key))
          if (kept) {
            manifest.Pool.push({ Name: kept.Name, Size: kept.Size, Sha256: kept.Sha256 })
            if (kept.added) added += kept.Size
          }
          progress(job, 0, 100)(i / held.length)
        }
        return finish(manifest, added)
      }),
    )

  return { db, files: stored }
}
