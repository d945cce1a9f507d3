import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '../../../../server/files/store.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { BackupFile, BackupJob } from '../contract.ts'
import { BackupStore, type Kind } from './archive/backupStore.ts'
import { markOf } from './archive/load.ts'
import { openSigner, type SignedEncrypted, type SignedManifest } from './archive/manifest.ts'
import { type By, type JobName, makers, shown, type Work } from './createBackup.ts'
import { downloadTickets } from './downloadTickets.ts'
import { checkPassphrase } from './passphrase.ts'
import { reasonOf, restores } from './restores.ts'
import { openUploads } from './uploads.ts'

export type BackupParts = {
  /** The data folder. */
  data: string
  /** This installation's key; the signing key of backups is derived from it. */
  vaultKey: Buffer
  /** Connections of the owner and the application. */
  urls: { adminUrl: string; applicationUrl: string }
  telemetry: Pick<Telemetry, 'snapshot'>
  files: FileStore
  clock: () => number
  log: { warn: (fields: object, text: string) => void }
  /** Stops the server, runs the work, and starts the server again; undefined if that is impossible. */
  restart?: ((work: (adminUrl: string) => Promise<void>) => void) | undefined
}

const idle: BackupJob = { Status: 0, Step: 'idle', Progress: 0, FileName: null, StartTime: null, DurationMs: null, Error: null }
export const openBackups = async ({ data, vaultKey, urls, telemetry, files, clock, log, restart }: BackupParts) => {
  const signer = openSigner(vaultKey)
  const backupStore = new BackupStore(join(data, 'backups'), signer)
  /** Decrypted copies of encrypted backups while they are checked or restored. */
  const opened = new BackupStore(join(data, 'backups', 'opened'), signer)
  /** Unencrypted copy of a backup until it is encrypted. */
  const encrypting = new BackupStore(join(data, 'backups', 'encrypting'), signer)
  // Removes decrypted copies of killed processes, including those of `npm run restore`.
  for (const name of ['opened', 'encrypting', 'restoring']) await rm(join(data, 'backups', name), { recursive: true, force: true })
  await backupStore.removeParts()
  const jobs: Record<JobName, BackupJob> = { 'backup-db': idle, 'backup-files': idle, 'restore-db': idle, 'restore-files': idle }
  const noted = await backupStore.noted()
  if (noted) {
    const { Mark, ...last } = JSON.parse(noted) as BackupJob & { Mark?: string }
    // The server stopped during the restore. The database is either restored or unchanged.
    const isRestored = last.Status === 1 && Mark !== undefined && (await markOf(urls.adminUrl)) === Mark
    const end: Partial<BackupJob> = isRestored ? { Status: 2, Step: 'done', Progress: 100 } : { Status: 3, Step: 'failed' }
    jobs['restore-db'] = { ...last, ...(last.Status === 1 ? end : {}) }
  }
  let busy: Promise<unknown> | undefined
  const uploads = openUploads(join(data, 'backups', 'arriving.tar'), clock)
  await uploads.forget()

  /** Runs one job at a time, with its progress; rejects if the job fails. */
  const work: Work = (name, FileName, step, run) => {
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
  const { addEncrypted, restore } = restores({ data, restart, clock, files, signer, backupStore, opened, work })
  const make = makers({ backupStore, encrypting, work, data, urls, telemetry, files, clock })

  return {
    job: (name: JobName): BackupJob => ({ ...jobs[name] }),
    list: (kind: Kind): BackupFile[] =>
      backupStore.list(kind).map((entry) => ({ ...('Archive' in entry ? entry.Shown : shown(entry)), Sealed: signer.own(entry) })),
    backup: (kind: Kind, by: By, passphrase?: string): Promise<SignedManifest | SignedEncrypted> => make[kind](by, passphrase),
    restore,
    archive: (name: string) => backupStore.archive(name),
    async remove(name: string) {
      if (busy) throw new Fault('backupBusy')
      await backupStore.remove(name)
      return { Removed: 1 }
    },
    uploads,
    /** Adds the uploaded archive; the status of backups shows the progress. After a wrong passphrase the upload can be tried again. */
    async uploaded(ticket: string, passphrase?: string): Promise<{ kind: Kind; done: Promise<SignedManifest | SignedEncrypted> }> {
      const { kind, path } = uploads.whole(ticket)
      const encrypted = await checkPassphrase(path, passphrase)
      if (busy) throw new Fault('backupBusy')
      uploads.take(ticket)
      const add = (): Promise<SignedManifest | SignedEncrypted> =>
        encrypted ? addEncrypted(path, kind, passphrase ?? '') : backupStore.addArchive(createReadStream(path), { wanted: kind })
      return { kind, done: work(`backup-${kind}`, null, 'checking', add).finally(uploads.forget) }
    },
    prune: (kind: Kind, keep: number) => backupStore.prune(kind, keep),
    ...downloadTickets((name) => backupStore.entry(name), clock),
    close: async () => {
      await busy
    },
  }
}
export type Backups = Awaited<ReturnType<typeof openBackups>>
