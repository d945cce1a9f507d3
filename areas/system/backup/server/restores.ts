import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import type { FileStore, StoredFile } from '../../../../server/files/store.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { BackupJob } from '../contract.ts'
import { decrypted } from './archive/age.ts'
import type { BackupStore, Kind } from './archive/backupStore.ts'
import { hashFile, type Listed } from './archive/files.ts'
import { type Carried, checkMigrations } from './archive/load.ts'
import type { SignedEncrypted, SignedManifest, Signer } from './archive/manifest.ts'
import { prepareReadings, putBack } from './archive/restore.ts'
import { type By, progress, shown, type Work } from './createBackup.ts'
import { checkPassphrase } from './passphrase.ts'
import type { BackupParts } from './service.ts'

type Parts = Pick<BackupParts, 'data' | 'restart' | 'clock'> & {
  files: FileStore
  signer: Signer
  backupStore: BackupStore
  /** Decrypted copy of an encrypted backup while it is checked or restored. */
  opened: BackupStore
  work: Work
}

const keyOf = (name: string) => name.replace('_', '/')
/** A key of the words, or the system's error message. */
export const reasonOf = (error: unknown) => (error instanceof Fault ? `fault.${error.key}` : String((error as Error).message).slice(0, 300))

/** Compares content. Reads the file only if the store reports no checksum. */
const sameContent = async (files: FileStore, from: BackupStore, { key, md5 }: StoredFile, { Name, Sha256 }: Listed): Promise<boolean> => {
  if (md5) return (await hashFile(from.blobs.at(Name), 'md5')) === md5
  const hash = createHash('sha256')
  for await (const chunk of (await files.get(key)) ?? []) hash.update(chunk as Buffer)
  return hash.digest('hex') === Sha256
}

/** Runs restores, and checks of encrypted archives. */
export const restores = ({ data, restart, clock, files, signer, backupStore, opened, work }: Parts) => {
  const close = () => rm(opened.folder, { recursive: true, force: true })

  /** A backup that can be restored here: of this kind, signed by this installation, with the right passphrase. */
  const wanted = async (kind: Kind, name: string, passphrase: string | undefined): Promise<SignedManifest | SignedEncrypted> => {
    const entry = backupStore.entry(name)
    if (entry.Kind !== kind) throw new Fault('notFound')
    if (!signer.own(entry)) throw new Fault('backupForeign')
    if ('Archive' in entry) await checkPassphrase(backupStore.encryptedAt(name), passphrase)
    return entry
  }
  /** Reads every byte, decrypted if necessary; returns the path of the decrypted copy. */
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
          if (there?.size !== file.Size || !(await sameContent(files, from, there, file)))
            await files.put(keyOf(file.Name), await readFile(from.blobs.at(file.Name)), 'application/octet-stream')
          progress(job, 40, 100)(i / manifest.Pool.length)
        }
      } finally {
        await close()
      }
    })
    return { done }
  }

  /** Checks the decrypted content of an archive, and stores the archive encrypted. */
  const addEncrypted = async (path: string, wanted: Kind, passphrase: string) => {
    try {
      const manifest = await opened.addArchive(decrypted(createReadStream(path), passphrase), { wanted })
      return await backupStore.addEncrypted(manifest, { ...shown(manifest), Sealed: true }, (to) => rename(path, to))
    } finally {
      await close()
    }
  }

  return {
    addEncrypted,
    /** Resolves when the restore has started, with a promise of its end. */
    restore: (kind: Kind, name: string, by: By, passphrase?: string): Promise<{ done: Promise<void> }> =>
      kind === 'db' ? restoreDb(name, by, passphrase) : restoreFiles(name, passphrase),
  }
}
