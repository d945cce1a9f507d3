import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { constants, copyFile, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../../../../server/http/faults.ts'

export type Listed = { Name: string; Size: number; Sha256: string }

/** Passes a stream through, and computes its hash, length and number of lines. */
export const measuring = () => {
  const hash = createHash('sha256')
  const count = { bytes: 0, lines: 0 }
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      count.bytes += chunk.length
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count.lines++
      done(null, chunk)
    },
  })
  return { through, sha256: () => hash.digest('hex'), count }
}

export const hashFile = async (path: string, algorithm: 'sha256' | 'md5' = 'sha256'): Promise<string> => {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export const syncPath = async (path: string) => {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

/** Streams into a file; resolves after it has been synced to disk. */
export const writeStream = async (from: Readable, path: string, ...through: Transform[]): Promise<number> => {
  await pipeline([from, ...through, createWriteStream(path, { mode: 0o600, flags: 'wx' })])
  await syncPath(path)
  return (await stat(path)).size
}

/**
 * Stores immutable files once for all backups that contain them: `<name>`, and its hash in a second file, so that a later backup need
 * not read it again. Copies instead of links, so that damage to the original does not affect backups. Uses reflinks if supported.
 */
export const openBlobs = (folder: string) => {
  const at = (name: string) => `${folder}/${name}`
  const known = async (name: string, size: number): Promise<string | undefined> => {
    const [found, hash] = await Promise.all([stat(at(name)).catch(() => undefined), readFile(at(`${name}.sha256`), 'utf8').catch(() => '')])
    return found?.size === size && /^[0-9a-f]{64}$/.test(hash) ? hash : undefined
  }
  const add = async (name: string, write: (path: string) => Promise<unknown>): Promise<Listed> => {
    const part = at(`${name}.part`)
    await rm(part, { force: true })
    await write(part)
    const Sha256 = await hashFile(part)
    await syncPath(part)
    await rename(part, at(name))
    await writeFile(at(`${name}.sha256`), Sha256, { mode: 0o600 })
    return { Name: name, Size: (await stat(at(name))).size, Sha256 }
  }
  return {
    at,
    /** Whether the store has different content under this name. */
    differs: async ({ Name, Size, Sha256 }: Listed) => existsSync(at(Name)) && (await known(Name, Size)) !== Sha256,
    /** Adds a file from disk; returns its entry, and whether it is new. */
    async addFile(path: string, name: string): Promise<Listed & { added: boolean }> {
      const { size } = await stat(path)
      const Sha256 = await known(name, size)
      if (Sha256) return { Name: name, Size: size, Sha256, added: false }
      return { ...(await add(name, (part) => copyFile(path, part, constants.COPYFILE_FICLONE))), added: true }
    },
    /** Moves a file with a known hash here, unless it exists. Different content under the same name would corrupt backups. */
    async adopt(path: string, name: string, size: number, Sha256: string): Promise<void> {
      if ((await known(name, size)) === Sha256) return
      if (await stat(at(name)).catch(() => undefined)) throw new Fault('backupDamaged', { file: name })
      await rename(path, at(name))
      await writeFile(at(`${name}.sha256`), Sha256, { mode: 0o600 })
    },
    /** Adds a stream under a name whose content never changes. */
    async addContent(
      name: string,
      size: number,
      read: () => Promise<Readable | undefined>,
    ): Promise<(Listed & { added: boolean }) | undefined> {
      const Sha256 = await known(name, size)
      if (Sha256) return { Name: name, Size: size, Sha256, added: false }
      const content = await read()
      return content && { ...(await add(name, (part) => writeStream(content, part))), added: true }
    },
  }
}
export type Blobs = ReturnType<typeof openBlobs>
