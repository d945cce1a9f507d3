// Multi-part uploads of archives, which exceed the size of a request; one archive at a time.
import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Fault } from '../../../../server/http/faults.ts'
import type { Kind } from './archive/backupStore.ts'

/** Well below the limit of a multipart body. */
export const partBytes = 8 * 1024 * 1024
/** Time without a new part after which an upload can be replaced, ms. */
const abandonedMs = 120_000

type Upload = { ticket: string; kind: Kind; size: number; received: number; lastPart: number; writing: boolean }

/** `path`: file that collects the parts. */
export const openUploads = (path: string, clock: () => number) => {
  let current: Upload | undefined
  const uploadOf = (ticket: string): Upload => {
    if (current?.ticket !== ticket) throw new Fault('notFound')
    return current
  }
  return {
    async begin(kind: Kind, size: number): Promise<string> {
      if (current && current.lastPart + abandonedMs > clock()) throw new Fault('backupBusy')
      const ticket = randomUUID()
      current = { ticket, kind, size, received: 0, lastPart: clock(), writing: false }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rm(path, { force: true })
      // Unpacking requires the space twice.
      const { bavail, bsize } = await statfs(dirname(path))
      if (2 * size > bavail * bsize) {
        current = undefined
        throw new Fault('backupNoRoom')
      }
      return ticket
    },
    /** Returns the bytes received. Ignores repeated parts. Throws backupParts if a part is missing. */
    async add(ticket: string, offset: number, content: Buffer): Promise<number> {
      const upload = uploadOf(ticket)
      if (offset < upload.received) return upload.received
      if (upload.writing || offset > upload.received || offset + content.length > upload.size) throw new Fault('backupParts')
      upload.writing = true
      try {
        await appendFile(path, content, { mode: 0o600 })
        upload.received += content.length
        upload.lastPart = clock()
        return upload.received
      } finally {
        upload.writing = false
      }
    },
    /** The complete file. */
    whole(ticket: string): { kind: Kind; path: string } {
      const { kind, size, received } = uploadOf(ticket)
      if (received !== size) throw new Fault('backupParts')
      return { kind, path }
    },
    /** Hands the file over to the caller. */
    take(ticket: string) {
      uploadOf(ticket)
      current = undefined
    },
    forget: () => rm(path, { force: true }),
  }
}
