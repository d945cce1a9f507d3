import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** `md5` in hex, where the store knows it without reading. */
export type StoredFile = { key: string; size: number; time: number; md5?: string | undefined }

/** Where the contents of files lie. Keys are ours alone: `<tenant>/<hex>.<kind>`; contents never change once they are put. */
export type FileStore = {
  put(key: string, content: Buffer, type: string): Promise<void>
  /** Nothing for a key that is not there. */
  get(key: string): Promise<Readable | undefined>
  remove(key: string): Promise<void>
  list(): AsyncIterable<StoredFile>
}

export const keyPattern = /^\d{1,16}\/[0-9a-f]{32}\.[a-z0-9]{2,5}$/

/** Files of a folder. A file is there whole or not at all: written under another name, synced, renamed. */
export const openFolder = (folder: string): FileStore => {
  const at = (key: string) => {
    if (!keyPattern.test(key)) throw new Error('Not a key of a file.')
    return join(folder, key)
  }
  return {
    async put(key, content) {
      const path = at(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // A name of its own: the same file may be sent twice at once.
      const part = `${path}.${randomBytes(6).toString('hex')}.part`
      const file = await open(part, 'wx', 0o600)
      try {
        await file.writeFile(content)
        await file.sync()
      } catch (error) {
        await rm(part, { force: true })
        throw error
      } finally {
        await file.close()
      }
      await rename(part, path)
    },
    get: async (key) => (existsSync(at(key)) ? createReadStream(at(key)) : undefined),
    remove: (key) => rm(at(key), { force: true }),
    async *list() {
      for (const tenant of await readdir(folder).catch(() => []))
        for (const name of await readdir(join(folder, tenant)).catch(() => [])) {
          const key = `${tenant}/${name}`
          if (!keyPattern.test(key)) continue
          const { size, mtimeMs } = await stat(at(key))
          yield { key, size, time: mtimeMs }
        }
    },
  }
}
