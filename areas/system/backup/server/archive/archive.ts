// A backup as a single file: a tar archive, written and read as a stream.
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { Fault } from '../../../../../server/http/faults.ts'
import { writeStream } from './files.ts'

export type Member = { name: string; path: string; size: number }

export const packed = (members: readonly Member[]): Readable => {
  const archive = pack()
  const write = async () => {
    for (const { name, path, size } of members) await pipeline(createReadStream(path), archive.entry({ name, size, mode: 0o600 }))
    archive.finalize()
  }
  write().catch((error: Error) => archive.destroy(error))
  return archive as unknown as Readable
}

/** Allowed member names: the manifest, its files, and files of the pool. No other folders, no path traversal. */
const memberName = /^(?:(pool)\/)?([A-Za-z0-9_][\w.-]{0,199})$/

/** Maximum size of a manifest, which is read into memory. */
const mostManifestBytes = 64 * 1024 * 1024

/** Unpacks an uploaded archive. Refuses everything except plain files with names of backups. Returns the members. */
export const unpack = async (archive: Readable, folder: string, pool: string): Promise<string[]> => {
  await mkdir(pool, { recursive: true, mode: 0o700 })
  const members: string[] = []
  const tar = extract()
  const reading = pipeline(archive, tar as unknown as NodeJS.WritableStream)
  const written = (async () => {
    for await (const entry of tar) {
      const { name, type, size } = entry.header
      const [, inPool, file] = memberName.exec(name) ?? []
      const tooLong = name === 'manifest.json' && (size ?? 0) > mostManifestBytes
      if (!file || tooLong || (type !== 'file' && type !== 'contiguous-file'))
        throw new Fault('backupDamaged', { file: name.slice(0, 100) })
      const path = join(inPool ? pool : folder, file)
      if (inPool) await rm(path, { force: true })
      await writeStream(entry as unknown as Readable, path)
      members.push(name)
    }
  })()
  await Promise.all([reading, written])
  return members
}
