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
const archiveName = 'archive.tar.age'

const ownFiles = (m: Manifest) => [...m.Tables, ...(m.Readings?.Tables ?? [])]
const writeManifest = async (path: string, manifest: object) => {
  await writeFile(path, JSON.stringify(manifest), { mode: 0o600 })
  await syncPath(path)
}

export class BackupStore {
  readonly folder: string
  readonly blobFolder: string
  readonly blobs: ReturnType<typeof openBlobs>
  readonly #signer: Signer

  constructor(folder: string, signer: Signer) {
    this.folder = folder
    this.#signer = signer
    this.blobFolder = join(folder, 'pool')
    this.blobs = openBlobs(this.blobFolder)
  }

  at(name: string, file = '') {
    return join(this.folder, name, file)
  }

  #names(kind?: Kind) {
    return (existsSync(this.folder) ? readdirSync(this.folder) : []).filter(
      (name) => (namePattern.exec(name)?.[1] ?? '') === (kind ?? namePattern.exec(name)?.[1]),
    )
  }

  /** Throws notFound unless a backup of exactly this name exists. */
  entry(name: string): SignedManifest | SignedEncrypted {
    if (!this.#names().includes(name)) throw new Fault('notFound')
    const path = this.at(name, 'manifest.json')
    if (!existsSync(path)) throw new Fault('backupDamaged', { file: 'manifest.json' })
    const manifest = this.#signer.verify(readFileSync(path, 'utf8'))
    if (manifest.Name !== name) throw new Fault('backupDamaged', { file: 'manifest.json' })
    return manifest
  }

  read(name: string): SignedManifest {
    const manifest = this.entry(name)
    if ('Archive' in manifest) throw new Fault('backupPassphrase')
    return manifest
  }

  async #sweep() {
    const used = new Set(
      this.#names().flatMap((name) => {
        const manifest = this.entry(name)
        return 'Archive' in manifest ? [] : manifest.Pool.map((p) => p.Name)
      }),
    )
    for (const name of await readdir(this.blobFolder).catch(() => []))
      if (!used.has(name.replace(/\.sha256$/, ''))) await rm(join(this.blobFolder, name), { force: true })
  }

  #packed(manifest: SignedManifest): Readable {
    const { Name: name } = manifest
    const path = this.at(name, 'manifest.json')
    const members: Member[] = [
      { name: 'manifest.json', path, size: Buffer.byteLength(readFileSync(path)) },
      ...ownFiles(manifest).map((f) => ({ name: f.Name, path: this.at(name, f.Name), size: f.Size })),
      ...manifest.Pool.map((f) => ({ name: `pool/${f.Name}`, path: this.blobs.at(f.Name), size: f.Size })),
    ]
    return packed(members)
  }

  /** Replaces the backup of this name, if any, by a folder. */
  async #replace(from: string, name: string) {
    const old = `${this.at(name)}.old.part`
    await rm(old, { recursive: true, force: true })
    if (existsSync(this.at(name))) await rename(this.at(name), old)
    await rename(from, this.at(name))
    await rm(old, { recursive: true, force: true })
    if (process.platform !== 'win32') await syncPath(this.folder)
  }

  /** Removes what a killed process left unfinished. A backup that was being replaced is restored. */
  async removeParts() {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!name.endsWith('.part')) continue
      const replaced = name.endsWith('.old.part') && this.at(name.slice(0, -'.old.part'.length))
      if (replaced && !existsSync(replaced)) await rename(this.at(name), replaced)
      else await rm(this.at(name), { recursive: true, force: true })
    }
  }

  /** Stores a backup as one encrypted file, which shares no blobs. `shown` is its entry in lists. */
  async addEncrypted(
    { Kind, Name, Time }: Manifest,
    shown: Encrypted['Shown'],
    write: (path: string) => Promise<unknown>,
  ): Promise<SignedEncrypted> {
    const part = `${this.at(Name)}.age.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(part, { recursive: true, mode: 0o700 })
    try {
      const path = join(part, archiveName)
      await write(path)
      const Archive = { Name: archiveName, Size: (await stat(path)).size, Sha256: await hashFile(path) }
      const Shown = { ...shown, Size: Archive.Size, AddedSize: Archive.Size, Encrypted: true }
      const signed = this.#signer.sign({ Format: format, Kind, Name, Time, Shown, Archive })
      await writeManifest(join(part, 'manifest.json'), signed)
      await this.#replace(part, Name)
      await this.#sweep()
      return signed
    } catch (error) {
      await rm(part, { recursive: true, force: true })
      throw error
    }
  }

  /** Newest first; skips unreadable backups. */
  list(kind: Kind): (SignedManifest | SignedEncrypted)[] {
    return this.#names(kind)
      .flatMap((name) => {
        try {
          return [this.entry(name)]
        } catch {
          return []
        }
      })
      .sort((a, b) => b.Time - a.Time || b.Name.localeCompare(a.Name))
  }

  /** A draft of a new backup. It is listed when `done` resolves, not before. Its name is unique in the store `named`, too. */
  async begin(kind: Kind, time: number, named: { at(name: string): string } = this) {
    await mkdir(this.blobFolder, { recursive: true, mode: 0o700 })
    await this.removeParts()
    const base = `penstock-${kind}-${new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')}`
    let name = base
    for (let n = 2; existsSync(named.at(name)); n++) name = `${base}-${n}`
    const part = `${this.at(name)}.part`
    await mkdir(part, { mode: 0o700 })
    return {
      name,
      folder: part,
      done: async (manifest: Manifest): Promise<SignedManifest> => {
        const signed = this.#signer.sign(manifest)
        await writeManifest(join(part, 'manifest.json'), signed)
        await rename(part, this.at(name))
        if (process.platform !== 'win32') await syncPath(this.folder)
        return signed
      },
      abandon: () => rm(part, { recursive: true, force: true }),
    }
  }

  /** Reads every byte. Throws backupDamaged with the first file that differs. */
  async check(name: string, onProgress: (part: number) => void): Promise<SignedManifest> {
    const manifest = this.read(name)
    const all = [
      ...ownFiles(manifest).map((f) => ({ ...f, path: this.at(name, f.Name) })),
      ...manifest.Pool.map((f) => ({ ...f, path: this.blobs.at(f.Name) })),
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
  }

  /**
   * Unpacks an archive into the store and replaces a backup of the same name. Changes nothing unless the archive is complete, intact and
   * without other members. Throws backupForeign for one that this installation did not sign, unless `foreign`, which needs a separate store.
   */
  async addArchive(archive: Readable, { wanted, foreign = false }: { wanted?: Kind; foreign?: boolean } = {}): Promise<SignedManifest> {
    const part = join(this.folder, 'brought.part')
    const uploadedBlob = (name: string) => join(part, 'pool', name)
    await rm(part, { recursive: true, force: true })
    await mkdir(part, { recursive: true, mode: 0o700 })
    await mkdir(this.blobFolder, { recursive: true, mode: 0o700 })
    try {
      const members = await unpack(archive, part, join(part, 'pool'))
      const manifest = this.#signer.verify(await readFile(join(part, 'manifest.json'), 'utf8'))
      if ('Archive' in manifest || (wanted && manifest.Kind !== wanted)) throw new Fault('backupDamaged', { file: 'manifest.json' })
      if (!foreign && !this.#signer.own(manifest)) throw new Fault('backupForeign')
      const files = [
        ...ownFiles(manifest).map((f) => ({ ...f, member: f.Name, path: join(part, f.Name) })),
        ...manifest.Pool.map((f) => ({ ...f, member: `pool/${f.Name}`, path: uploadedBlob(f.Name) })),
      ]
      const known = new Set(['manifest.json', ...files.map((f) => f.member)])
      for (const member of members) if (!known.has(member)) throw new Fault('backupDamaged', { file: member })
      for (const { Name, Size, Sha256, path } of files)
        if ((await stat(path).catch(() => undefined))?.size !== Size || (await hashFile(path)) !== Sha256)
          throw new Fault('backupDamaged', { file: Name })
      for (const { Name, Size, Sha256 } of manifest.Pool) await this.blobs.adopt(uploadedBlob(Name), Name, Size, Sha256)
      await rm(join(part, 'pool'), { recursive: true, force: true })
      await this.#replace(part, manifest.Name)
      return manifest
    } catch (error) {
      await rm(part, { recursive: true, force: true })
      // The reader fails on files that are not archives.
      throw error instanceof Fault || (error as { code?: string }).code?.startsWith('ENO')
        ? error
        : new Fault('backupDamaged', { file: 'tar' })
    }
  }

  /** The entire backup as one file. */
  archive(name: string): { file: string; content: Readable } {
    const manifest = this.entry(name)
    return 'Archive' in manifest
      ? { file: `${name}.tar.age`, content: createReadStream(this.at(name, archiveName)) }
      : { file: `${name}.tar`, content: this.#packed(manifest) }
  }

  /** Path of the encrypted file of a backup. */
  encryptedAt(name: string) {
    return this.at(name, archiveName)
  }

  async remove(name: string) {
    this.entry(name)
    await rm(this.at(name), { recursive: true, force: true })
    await this.#sweep()
  }

  /** Removes all but the newest `keep` of a kind. Returns how many were removed. */
  async prune(kind: Kind, keep: number): Promise<number> {
    const old = this.#names(kind).sort().reverse().slice(keep)
    for (const name of old) await rm(this.at(name), { recursive: true, force: true })
    if (old.length) await this.#sweep()
    return old.length
  }

  /** Records the last restore beside the database, which the restore replaces. */
  async note(text: string) {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const file = await open(join(this.folder, 'restore.json.part'), 'w', 0o600)
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await rename(join(this.folder, 'restore.json.part'), join(this.folder, 'restore.json'))
  }

  noted() {
    return readFile(join(this.folder, 'restore.json'), 'utf8').catch(() => undefined)
  }
}
