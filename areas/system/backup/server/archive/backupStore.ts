// Backups on disk: one folder each, with a manifest, and a folder of blobs that several backups share.
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Fault } from '../../../../../server/http/faults.ts'
import { type Member, packed, unpack } from './archive.ts'
import { hashFile, openBlobs, syncPath } from './files.ts'
import { type Encrypted, format, type Manifest, type SignedEncrypted, type SignedManifest, type Signer } from './manifest.ts'
import { namePattern } from './manifestSchema.ts'

export type Kind = Manifest['Kind']
export type BackupStore = ReturnType<typeof openBackupStore>
const archiveName = 'archive.tar.age'

export const openBackupStore = (folder: string, signer: Signer) => {
  const blobFolder = join(folder, 'pool')
  const blobs = openBlobs(blobFolder)
  const at = (name: string, file = '') => join(folder, name, file)
  const names = (kind?: Kind) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter(
      (name) => (namePattern.exec(name)?.[1] ?? '') === (kind ?? namePattern.exec(name)?.[1]),
    )
  /** Throws notFound unless a backup of exactly this name exists. */
  const entry = (name: string): SignedManifest | SignedEncrypted => {
    if (!names().includes(name)) throw new Fault('notFound')
    const path = at(name, 'manifest.json')
    if (!existsSync(path)) throw new Fault('backupDamaged', { file: 'manifest.json' })
    const manifest = signer.verify(readFileSync(path, 'utf8'))
    if (manifest.Name !== name) throw new Fault('backupDamaged', { file: 'manifest.json' })
    return manifest
  }
  const read = (name: string): SignedManifest => {
    const manifest = entry(name)
    if ('Archive' in manifest) throw new Fault('backupPassphrase')
    return manifest
  }
  const ownFiles = (m: Manifest) => [...m.Tables, ...(m.Readings?.Tables ?? [])]
  const sweep = async () => {
    const used = new Set(
      names().flatMap((name) => {
        const manifest = entry(name)
        return 'Archive' in manifest ? [] : manifest.Pool.map((p) => p.Name)
      }),
    )
    for (const name of await readdir(blobFolder).catch(() => []))
      if (!used.has(name.replace(/\.sha256$/, ''))) await rm(join(blobFolder, name), { force: true })
  }

  const archive = (manifest: SignedManifest): Readable => {
    const { Name: name } = manifest
    const path = at(name, 'manifest.json')
    const members: Member[] = [
      { name: 'manifest.json', path, size: Buffer.byteLength(readFileSync(path)) },
      ...ownFiles(manifest).map((f) => ({ name: f.Name, path: at(name, f.Name), size: f.Size })),
      ...manifest.Pool.map((f) => ({ name: `pool/${f.Name}`, path: blobs.at(f.Name), size: f.Size })),
    ]
    return packed(members)
  }
  /** Replaces the backup of this name, if any, by a folder. */
  const replace = async (from: string, name: string) => {
    const old = `${at(name)}.old.part`
    await rm(old, { recursive: true, force: true })
    if (existsSync(at(name))) await rename(at(name), old)
    await rename(from, at(name))
    await rm(old, { recursive: true, force: true })
    if (process.platform !== 'win32') await syncPath(folder)
  }
  /** Removes what a killed process left unfinished. A backup that was being replaced is restored. */
  const removeParts = async () => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.part')) continue
      const replaced = name.endsWith('.old.part') && at(name.slice(0, -'.old.part'.length))
      if (replaced && !existsSync(replaced)) await rename(at(name), replaced)
      else await rm(at(name), { recursive: true, force: true })
    }
  }
  const writeManifest = async (path: string, manifest: object) => {
    await writeFile(path, JSON.stringify(manifest), { mode: 0o600 })
    await syncPath(path)
  }
  /** Stores a backup as one encrypted file, which shares no blobs. `shown` is its entry in lists. */
  const addEncrypted = async (
    { Kind, Name, Time }: Manifest,
    shown: Encrypted['Shown'],
    write: (path: string) => Promise<unknown>,
  ): Promise<SignedEncrypted> => {
    const part = `${at(Name)}.age.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(part, { recursive: true, mode: 0o700 })
    try {
      const path = join(part, archiveName)
      await write(path)
      const Archive = { Name: archiveName, Size: (await stat(path)).size, Sha256: await hashFile(path) }
      const Shown = { ...shown, Size: Archive.Size, AddedSize: Archive.Size, Encrypted: true }
      const signed = signer.sign({ Format: format, Kind, Name, Time, Shown, Archive })
      await writeManifest(join(part, 'manifest.json'), signed)
      await replace(part, Name)
      await sweep()
      return signed
    } catch (error) {
      await rm(part, { recursive: true, force: true })
      throw error
    }
  }

  return {
    folder,
    blobFolder,
    blobs,
    at,
    read,
    entry,
    /** Newest first; what cannot be read is left out. */
    list: (kind: Kind): (SignedManifest | SignedEncrypted)[] =>
      names(kind)
        .flatMap((name) => {
          try {
            return [entry(name)]
          } catch {
            return []
          }
        })
        .sort((a, b) => b.Time - a.Time || b.Name.localeCompare(a.Name)),
    removeParts,
    /** A draft of a new backup. It is listed when `done` resolves, not before. Its name is unique in the store `named`, too. */
    async begin(kind: Kind, time: number, named: { at: typeof at } = { at }) {
      await mkdir(blobFolder, { recursive: true, mode: 0o700 })
      await removeParts()
      const base = `penstock-${kind}-${new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')}`
      let name = base
      for (let n = 2; existsSync(named.at(name)); n++) name = `${base}-${n}`
      const part = `${at(name)}.part`
      await mkdir(part, { mode: 0o700 })
      return {
        name,
        folder: part,
        async done(manifest: Manifest): Promise<SignedManifest> {
          const signed = signer.sign(manifest)
          await writeManifest(join(part, 'manifest.json'), signed)
          await rename(part, at(name))
          if (process.platform !== 'win32') await syncPath(folder)
          return signed
        },
        abandon: () => rm(part, { recursive: true, force: true }),
      }
    },
    /** Reads every byte. Throws backupDamaged with the first file that is not what it was. */
    async check(name: string, onProgress: (part: number) => void): Promise<SignedManifest> {
      const manifest = read(name)
      const all = [
        ...ownFiles(manifest).map((f) => ({ ...f, path: at(name, f.Name) })),
        ...manifest.Pool.map((f) => ({ ...f, path: blobs.at(f.Name) })),
      ]
      const total = all.reduce((sum, f) => sum + f.Size, 1)
      let done = 0
      for (const { Name, Size, Sha256, path } of all) {
        const found = await stat(path).catch(() => undefined)
        if (found?.size !== Size || (await hashFile(path)) !== Sha256) throw new Fault('backupDamaged', { file: Name })
        done += Size
        onProgress(done / total)
      }
      return manifest
    },
    /**
     * Unpacks an archive into the store, replacing one of the same name. Nothing changes unless it is complete, intact and has no other
     * members. Throws backupForeign for one that this installation did not sign, unless `foreign`, which needs a store of its own.
     */
    async addArchive(archive: Readable, { wanted, foreign = false }: { wanted?: Kind; foreign?: boolean } = {}): Promise<SignedManifest> {
      const part = join(folder, 'brought.part')
      const uploadedBlob = (name: string) => join(part, 'pool', name)
      await rm(part, { recursive: true, force: true })
      await mkdir(part, { recursive: true, mode: 0o700 })
      await mkdir(blobFolder, { recursive: true, mode: 0o700 })
      try {
        const members = await unpack(archive, part, join(part, 'pool'))
        const manifest = signer.verify(await readFile(join(part, 'manifest.json'), 'utf8'))
        if ('Archive' in manifest || (wanted && manifest.Kind !== wanted)) throw new Fault('backupDamaged', { file: 'manifest.json' })
        if (!foreign && !signer.own(manifest)) throw new Fault('backupForeign')
        const files = [
          ...ownFiles(manifest).map((f) => ({ ...f, member: f.Name, path: join(part, f.Name) })),
          ...manifest.Pool.map((f) => ({ ...f, member: `pool/${f.Name}`, path: uploadedBlob(f.Name) })),
        ]
        const known = new Set(['manifest.json', ...files.map((f) => f.member)])
        for (const member of members) if (!known.has(member)) throw new Fault('backupDamaged', { file: member })
        for (const { Name, Size, Sha256, path } of files)
          if ((await stat(path).catch(() => undefined))?.size !== Size || (await hashFile(path)) !== Sha256)
            throw new Fault('backupDamaged', { file: Name })
        for (const { Name, Size, Sha256 } of manifest.Pool) await blobs.adopt(uploadedBlob(Name), Name, Size, Sha256)
        await rm(join(part, 'pool'), { recursive: true, force: true })
        await replace(part, manifest.Name)
        return manifest
      } catch (error) {
        await rm(part, { recursive: true, force: true })
        // What is no archive at all breaks in the reader.
        throw error instanceof Fault || (error as { code?: string }).code?.startsWith('ENO')
          ? error
          : new Fault('backupDamaged', { file: 'tar' })
      }
    },
    addEncrypted,
    /** The whole backup as one file to take along. */
    archive(name: string): { file: string; content: Readable } {
      const manifest = entry(name)
      return 'Archive' in manifest
        ? { file: `${name}.tar.age`, content: createReadStream(at(name, archiveName)) }
        : { file: `${name}.tar`, content: archive(manifest) }
    },
    /** Where the encrypted file of a backup lies. */
    encryptedAt: (name: string) => at(name, archiveName),
    async remove(name: string) {
      entry(name)
      await rm(at(name), { recursive: true, force: true })
      await sweep()
    },
    /** Removes all but the newest `keep` of a kind. Returns how many were removed. */
    async prune(kind: Kind, keep: number): Promise<number> {
      const old = names(kind).sort().reverse().slice(keep)
      for (const name of old) await rm(at(name), { recursive: true, force: true })
      if (old.length) await sweep()
      return old.length
    },
    /** Records the last restore beside the database, which the restore replaces. */
    note: async (text: string) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(join(folder, 'restore.json.part'), 'w', 0o600)
      await file.writeFile(text)
      await file.sync()
      await file.close()
      await rename(join(folder, 'restore.json.part'), join(folder, 'restore.json'))
    },
    noted: () => readFile(join(folder, 'restore.json'), 'utf8').catch(() => undefined),
  }
}
