import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore, StoredFile } from '../../../../server/files/store.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { BackupFile, BackupJob } from '../contract.ts'
import { decrypted } from './archive/age.ts'
import { type BackupStore, type Kind, openBackupStore } from './archive/backupStore.ts'
import { hashFile, type Listed } from './archive/files.ts'
import type { Carried } from './archive/load.ts'
import { checkMigrations, markOf } from './archive/load.ts'
import { openSigner, type SignedEncrypted, type SignedManifest } from './archive/manifest.ts'
import { prepareReadings, putBack } from './archive/restore.ts'
import { type By, type JobName, makers, progress, shown, type Work } from './createBackup.ts'
import { checkPassphrase } from './passphrase.ts'
import { openUploads } from './uploads.ts'

export type BackupParts = {
  /** The data folder. */
  data: string
  /** This installation's key; what seals its backups is derived from it. */
  vaultKey: Buffer
  /** Owner's and application's sign-in. */
  urls: { adminUrl: string; applicationUrl: string }
  telemetry: Pick<Telemetry, 'snapshot'>
  files: FileStore
  clock: () => number
  log: { warn: (fields: object, text: string) => void }
  /** Closes the server, works, and starts it again; nothing where nobody can. */
  restart?: ((work: (adminUrl: string) => Promise<void>) => void) | undefined
}

const idle: BackupJob = { Status: 0, Step: 'idle', Progress: 0, FileName: null, StartTime: null, DurationMs: null, Error: null }
const keyOf = (name: string) => name.replace('_', '/')
const ticketMs = 60_000
/** A key of words, or the message of the system. */
const reasonOf = (error: unknown) => (error instanceof Fault ? `fault.${error.key}` : String((error as Error).message).slice(0, 300))

export const openBackups = async ({ data, vaultKey, urls, telemetry, files, clock, log, restart }: BackupParts) => {
  const signer = openSigner(vaultKey)
  const backupStore = openBackupStore(join(data, 'backups'), signer)
  /** Where an encrypted backup lies in the clear while it is checked or restored. */
  const opened = openBackupStore(join(data, 'backups', 'opened'), signer)
  const close = () => rm(opened.folder, { recursive: true, force: true })
  /** Where a backup with a passphrase lies in the clear until it is encrypted. */
  const encrypting = openBackupStore(join(data, 'backups', 'encrypting'), signer)
  // What processes that were killed left in the clear, `npm run restore` too.
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
  const tickets = new Map<string, { name: string; until: number }>()

  /** One work at a time, with its progress; fails as the work fails. */
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
  const make = makers({ backupStore, encrypting, work, data, urls, telemetry, files, clock })

  /** A backup that may be restored here: of this kind, signed by us, with the right passphrase. */
  const wanted = async (kind: Kind, name: string, passphrase: string | undefined): Promise<SignedManifest | SignedEncrypted> => {
    const entry = backupStore.entry(name)
    if (entry.Kind !== kind) throw new Fault('notFound')
    if (!signer.own(entry)) throw new Fault('backupForeign')
    if ('Archive' in entry) await checkPassphrase(backupStore.encryptedAt(name), passphrase)
    return entry
  }
  /** Reads every byte of it, out of the encrypted file where it is one; answers where it lies in the clear. */
  const inTheClear = async (
    entry: SignedManifest | SignedEncrypted,
    passphrase: string | undefined,
    onProgress: (part: number) => void,
  ): Promise<{ from: BackupStore; manifest: SignedManifest }> => {
    if (!('Archive' in entry)) return { from: backupStore, manifest: await backupStore.check(entry.Name, onProgress) }
    const content = decrypted(createReadStream(backupStore.encryptedAt(entry.Name)), passphrase ?? '')
    const manifest = await opened.addArchive(content, { wanted: entry.Kind })
    if (manifest.Name !== entry.Name) throw new Fault('backupDamaged', { file: 'manifest.json' })
    return { from: opened, manifest }
  }

  const restoreDb = async (name: string, by: By, passphrase?: string) => {
    if (!restart) throw new Fault('restoreElsewhere')
    const entry = await wanted('db', name, passphrase)
    if (!('Archive' in entry)) checkMigrations(entry)
    const prepare = async (job: BackupJob) => {
      const { from, manifest } = await inTheClear(entry, passphrase, progress(job, 0, 50))
      checkMigrations(manifest)
      const mark = randomUUID()
      await prepareReadings(data, from, manifest, mark)
      Object.assign(job, { Step: 'restarting', Progress: 60 })
      const carried: Carried = { mark, by: { ...by, Title: name }, ...(by.session ? { session: by.session } : {}) }
      await backupStore.note(JSON.stringify({ ...job, Mark: mark }))
      return { from, manifest, carried }
    }
    const done = work('restore-db', name, 'checking', async (job) => {
      const { from, manifest, carried } = await prepare(job).catch(async (error) => {
        await close()
        throw error
      })
      restart(async (adminUrl) => {
        const ended = (more: Partial<BackupJob>) =>
          backupStore.note(JSON.stringify({ ...job, DurationMs: clock() - job.StartTime!, ...more }))
        try {
          await putBack(adminUrl, data, from, manifest, carried)
          await ended({ Status: 2, Step: 'done', Progress: 100 })
        } catch (error) {
          await ended({ Status: 3, Step: 'failed', Error: reasonOf(error) })
          throw error
        } finally {
          await close()
        }
      })
    })
    return { done }
  }

  /** Read only where the store does not say what it has. */
  const sameContent = async (from: BackupStore, { key, md5 }: StoredFile, { Name, Sha256 }: Listed): Promise<boolean> => {
    if (md5) return (await hashFile(from.blobs.at(Name), 'md5')) === md5
    const hash = createHash('sha256')
    for await (const chunk of (await files.get(key)) ?? []) hash.update(chunk as Buffer)
    return hash.digest('hex') === Sha256
  }

  const restoreFiles = async (name: string, passphrase?: string) => {
    const entry = await wanted('files', name, passphrase)
    const done = work('restore-files', name, 'checking', async (job) => {
      try {
        const { from, manifest } = await inTheClear(entry, passphrase, progress(job, 0, 40))
        job.Step = 'files'
        const stored = new Map<string, StoredFile>()
        for await (const file of files.list()) stored.set(file.key, file)
        for (const [i, file] of manifest.Pool.entries()) {
          const there = stored.get(keyOf(file.Name))
          if (there?.size !== file.Size || !(await sameContent(from, there, file)))
            await files.put(keyOf(file.Name), await readFile(from.blobs.at(file.Name)), 'application/octet-stream')
          progress(job, 40, 100)(i / manifest.Pool.length)
        }
      } finally {
        await close()
      }
    })
    return { done }
  }

  /** Checks an encrypted archive in the clear, and keeps it as it came. */
  const addEncrypted = async (path: string, wanted: Kind, passphrase: string) => {
    try {
      const manifest = await opened.addArchive(decrypted(createReadStream(path), passphrase), { wanted })
      return await backupStore.addEncrypted(manifest, { ...shown(manifest), Sealed: true }, (to) => rename(path, to))
    } finally {
      await close()
    }
  }

  return {
    job: (name: JobName): BackupJob => ({ ...jobs[name] }),
    list: (kind: Kind): BackupFile[] =>
      backupStore.list(kind).map((entry) => ({ ...('Archive' in entry ? entry.Shown : shown(entry)), Sealed: signer.own(entry) })),
    backup: (kind: Kind, by: By, passphrase?: string): Promise<SignedManifest | SignedEncrypted> => make[kind](by, passphrase),
    /** Answers once it has begun, with how it ends. */
    restore: (kind: Kind, name: string, by: By, passphrase?: string): Promise<{ done: Promise<void> }> =>
      kind === 'db' ? restoreDb(name, by, passphrase) : restoreFiles(name, passphrase),
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
    /** For a download that a browser does by itself; good once. */
    ticket(name: string): string {
      backupStore.entry(name)
      for (const [key, { until }] of tickets) if (until < clock()) tickets.delete(key)
      const key = randomUUID()
      tickets.set(key, { name, until: clock() + ticketMs })
      return key
    },
    redeem(key: string): string {
      const ticket = tickets.get(key)
      tickets.delete(key)
      if (!ticket || ticket.until < clock()) throw new Fault('notFound')
      return ticket.name
    },
    close: async () => {
      await busy
    },
  }
}
export type Backups = Awaited<ReturnType<typeof openBackups>>
