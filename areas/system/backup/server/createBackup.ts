// Creates backups of the database with its readings, or of the files, with progress.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../../../contract/version.ts'
import { format as readingsFormat } from '../../../../server/telemetry/format.ts'
import type { BackupFile, BackupJob } from '../contract.ts'
import { encrypted } from './archive/age.ts'
import type { BackupStore, Kind } from './archive/backupStore.ts'
import { dumpDatabase } from './archive/dump.ts'
import { hashFile, writeStream } from './archive/files.ts'
import { format, type Manifest, type SignedEncrypted, type SignedManifest } from './archive/manifest.ts'
import { publicKeys } from './archive/restore.ts'
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
type Draft = Awaited<ReturnType<BackupStore['begin']>>
type Parts = Pick<BackupParts, 'data' | 'urls' | 'telemetry' | 'files' | 'clock'> & {
  backupStore: BackupStore
  encrypting: BackupStore
  work: Work
}
type SignedBackup = Promise<SignedManifest | SignedEncrypted>

/** Keys of files contain a slash; names in the pool do not. */
const blobName = (key: string) => key.replace('/', '_')

export const shown = (m: SignedManifest): Omit<BackupFile, 'Sealed'> => ({
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

/** An empty manifest. */
const emptyManifest = (kind: Kind, Name: string, Time: number, by: By): Manifest => ({
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

export const makers = ({ backupStore, encrypting, work, data, urls, telemetry, files, clock }: Parts) => {
  const finish = (manifest: Manifest, added: number): Manifest => {
    const own = [...manifest.Tables, ...(manifest.Readings?.Tables ?? [])].reduce((sum, f) => sum + f.Size, 0)
    return {
      ...manifest,
      Size: own + manifest.Pool.reduce((sum, f) => sum + f.Size, 0),
      AddedSize: own + added,
      DurationMs: clock() - manifest.Time,
    }
  }

  /** Creates a backup in the store. With a passphrase it is built beside the store and added as one encrypted file. */
  const create = async (
    job: BackupJob,
    kind: Kind,
    passphrase: string | undefined,
    make: (on: BackupStore, draft: Draft, Time: number) => Promise<Manifest>,
  ): SignedBackup => {
    const Time = clock()
    const on = passphrase ? encrypting : backupStore
    const draft = await on.begin(kind, Time, backupStore)
    job.FileName = draft.name
    try {
      const signed = await draft.done(await make(on, draft, Time))
      if (!passphrase) return signed
      job.Step = 'encrypting'
      const content = encrypted(on.archive(signed.Name).content, passphrase)
      return await backupStore.addEncrypted(signed, { ...shown(signed), Sealed: true }, (path) => writeStream(content, path))
    } catch (error) {
      await draft.abandon()
      throw error
    } finally {
      if (passphrase) await rm(on.folder, { recursive: true, force: true })
    }
  }

  const backupDb = (by: By, passphrase: string | undefined): SignedBackup =>
    work('backup-db', null, 'tables', (job) =>
      create(job, 'db', passphrase, async (on, draft, Time) => {
        const manifest = { ...emptyManifest('db', draft.name, Time, by), Keys: await publicKeys(data) }
        let added = 0
        const readings = async () => {
          if (!telemetry.snapshot) return
          job.Step = 'readings'
          const snapshot = await telemetry.snapshot(draft.folder, async (path, name) => {
            const { added: isNew, ...blob } = await on.blobs.addFile(path, name)
            manifest.Pool.push(blob)
            if (isNew) added += blob.Size
          })
          const Tables = await Promise.all(
            snapshot.tables.map(async (name) => {
              const path = join(draft.folder, `${name}.parquet`)
              return { Name: `${name}.parquet`, Size: (await readFile(path)).length, Sha256: await hashFile(path) }
            }),
          )
          manifest.Readings = { ...snapshot, Format: readingsFormat, Tables }
        }
        Object.assign(manifest, await dumpDatabase(urls, draft.folder, progress(job, 0, 60), readings))
        return finish(manifest, added)
      }),
    )

  const backupFiles = (by: By, passphrase: string | undefined): SignedBackup =>
    work('backup-files', null, 'files', (job) =>
      create(job, 'files', passphrase, async (on, place, Time) => {
        const manifest = emptyManifest('files', place.name, Time, by)
        const stored = await Array.fromAsync(files.list())
        let added = 0
        for (const [i, { key, size }] of stored.entries()) {
          const blob = await on.blobs.addContent(blobName(key), size, () => files.get(key))
          if (blob) {
            manifest.Pool.push({ Name: blob.Name, Size: blob.Size, Sha256: blob.Sha256 })
            if (blob.added) added += blob.Size
          }
          progress(job, 0, 100)(i / stored.length)
        }
        return finish(manifest, added)
      }),
    )

  return { db: backupDb, files: backupFiles }
}
