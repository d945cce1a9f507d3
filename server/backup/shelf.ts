// Backups as they lie on the disk: a folder each, with its manifest, and a pool of contents that several share.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Fault } from '../http/faults.ts'
import { type Member, packed, unpack } from './archive.ts'
import { hashFile, openPool, syncPath } from './files.ts'
import { type Manifest, type Sealed, seal, unseal } from './manifest.ts'

export type Kind = Manifest['Kind']
export type Shelf = ReturnType<typeof openShelf>

const namePattern = /^penstock-(db|files)-\d{8}T\d{6}Z(-\d+)?$/

export const openShelf = (folder: string) => {
  const poolFolder = join(folder, 'pool')
  const pool = openPool(poolFolder)
  const at = (name: string, file = '') => join(folder, name, file)
  const names = (kind?: Kind) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter(
      (name) => (namePattern.exec(name)?.[1] ?? '') === (kind ?? namePattern.exec(name)?.[1]),
    )
  /** Throws notFound for a name that is not on the shelf, whatever it may look like. */
  const read = (name: string): Sealed => {
    if (!names().includes(name)) throw new Fault('notFound')
    const path = at(name, 'manifest.json')
    if (!existsSync(path)) throw new Fault('backupDamaged', { file: 'manifest.json' })
    const manifest = unseal(readFileSync(path, 'utf8'))
    if (manifest.Name !== name) throw new Fault('backupDamaged', { file: 'manifest.json' })
    return manifest
  }
  const own = (m: Manifest) => [...m.Tables, ...(m.Readings?.Tables ?? [])]
  const sweep = async () => {
    const used = new Set(names().flatMap((name) => read(name).Pool.map((p) => p.Name)))
    for (const name of await readdir(poolFolder).catch(() => []))
      if (!used.has(name.replace(/\.sha256$/, ''))) await rm(join(poolFolder, name), { force: true })
  }

  return {
    folder,
    poolFolder,
    pool,
    at,
    read,
    /** Newest first; what cannot be read is left out. */
    list: (kind: Kind): Sealed[] =>
      names(kind)
        .flatMap((name) => {
          try {
            return [read(name)]
          } catch {
            return []
          }
        })
        .sort((a, b) => b.Time - a.Time || b.Name.localeCompare(a.Name)),
    /** A place for a new backup: it is on the shelf when `done` resolves, and nowhere before. */
    async begin(kind: Kind, time: number) {
      await mkdir(poolFolder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) if (name.endsWith('.part')) await rm(join(folder, name), { recursive: true, force: true })
      const base = `penstock-${kind}-${new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')}`
      let name = base
      for (let n = 2; existsSync(at(name)); n++) name = `${base}-${n}`
      const part = `${at(name)}.part`
      await mkdir(part, { mode: 0o700 })
      return {
        name,
        folder: part,
        async done(manifest: Manifest): Promise<Sealed> {
          const sealed = seal(manifest)
          await writeFile(join(part, 'manifest.json'), JSON.stringify(sealed), { mode: 0o600 })
          await syncPath(join(part, 'manifest.json'))
          await rename(part, at(name))
          if (process.platform !== 'win32') await syncPath(folder)
          return sealed
        },
        abandon: () => rm(part, { recursive: true, force: true }),
      }
    },
    /** Reads every byte. Throws backupDamaged with the first file that is not what it was. */
    async check(name: string, told: (part: number) => void): Promise<Sealed> {
      const manifest = read(name)
      const all = [
        ...own(manifest).map((f) => ({ ...f, path: at(name, f.Name) })),
        ...manifest.Pool.map((f) => ({ ...f, path: pool.at(f.Name) })),
      ]
      const total = all.reduce((sum, f) => sum + f.Size, 1)
      let done = 0
      for (const { Name, Size, Sha256, path } of all) {
        const held = await stat(path).catch(() => undefined)
        if (held?.size !== Size || (await hashFile(path)) !== Sha256) throw new Fault('backupDamaged', { file: Name })
        done += Size
        told(done / total)
      }
      return manifest
    },
    /** Puts an archive that somebody brought on the shelf, where one of the same name lay too; nothing changes unless all of it is sound. */
    async bring(archive: Readable, wanted?: Kind): Promise<Sealed> {
      const part = join(folder, 'brought.part')
      const held = (name: string) => join(part, 'pool', name)
      await rm(part, { recursive: true, force: true })
      await mkdir(part, { recursive: true, mode: 0o700 })
      await mkdir(poolFolder, { recursive: true, mode: 0o700 })
      try {
        await unpack(archive, part, join(part, 'pool'))
        const manifest = unseal(await readFile(join(part, 'manifest.json'), 'utf8'))
        if (namePattern.exec(manifest.Name)?.[1] !== manifest.Kind || (wanted && manifest.Kind !== wanted))
          throw new Fault('backupDamaged', { file: 'manifest.json' })
        for (const { Name, Size, Sha256, path } of [
          ...own(manifest).map((f) => ({ ...f, path: join(part, f.Name) })),
          ...manifest.Pool.map((f) => ({ ...f, path: held(f.Name) })),
        ])
          if ((await stat(path).catch(() => undefined))?.size !== Size || (await hashFile(path)) !== Sha256)
            throw new Fault('backupDamaged', { file: Name })
        for (const { Name, Size, Sha256 } of manifest.Pool) await pool.adopt(held(Name), Name, Size, Sha256)
        await rm(join(part, 'pool'), { recursive: true, force: true })
        await rm(at(manifest.Name), { recursive: true, force: true })
        await rename(part, at(manifest.Name))
        if (process.platform !== 'win32') await syncPath(folder)
        return manifest
      } catch (error) {
        await rm(part, { recursive: true, force: true })
        // What is no archive at all breaks in the reader.
        throw error instanceof Fault || (error as { code?: string }).code?.startsWith('ENO')
          ? error
          : new Fault('backupDamaged', { file: 'tar' })
      }
    },
    archive(name: string): Readable {
      const manifest = read(name)
      const members: Member[] = [
        { name: 'manifest.json', path: at(name, 'manifest.json'), size: Buffer.byteLength(readFileSync(at(name, 'manifest.json'))) },
        ...own(manifest).map((f) => ({ name: f.Name, path: at(name, f.Name), size: f.Size })),
        ...manifest.Pool.map((f) => ({ name: `pool/${f.Name}`, path: pool.at(f.Name), size: f.Size })),
      ]
      return packed(members)
    },
    async remove(name: string) {
      read(name)
      await rm(at(name), { recursive: true, force: true })
      await sweep()
    },
    /** Keeps the newest ones of a kind. Answers how many went. */
    async prune(kind: Kind, keep: number): Promise<number> {
      const old = names(kind).sort().reverse().slice(keep)
      for (const name of old) await rm(at(name), { recursive: true, force: true })
      if (old.length) await sweep()
      return old.length
    },
    /** What outlives the database, about the last restore. */
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
