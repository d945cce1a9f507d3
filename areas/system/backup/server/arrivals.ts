// Archives that come in from a browser: larger than a request may be, so they come in parts, one archive at a time.
import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Fault } from '../../../../server/http/faults.ts'
import type { Kind } from './archive/shelf.ts'

/** Well below what a multipart body may hold. */
export const partBytes = 8 * 1024 * 1024
/** An archive of which nothing more comes makes way for another. */
const quietMs = 120_000

type Arrival = { ticket: string; kind: Kind; size: number; received: number; seen: number; writing: boolean }

/** `path`: where the bytes lie until all are here. */
export const openArrivals = (path: string, clock: () => number) => {
  let current: Arrival | undefined
  const mine = (ticket: string): Arrival => {
    if (current?.ticket !== ticket) throw new Fault('notFound')
    return current
  }
  return {
    async begin(kind: Kind, size: number): Promise<string> {
      if (current && current.seen + quietMs > clock()) throw new Fault('backupBusy')
      const ticket = randomUUID()
      current = { ticket, kind, size, received: 0, seen: clock(), writing: false }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rm(path, { force: true })
      // It lies here twice while it is unpacked.
      const { bavail, bsize } = await statfs(dirname(path))
      if (2 * size > bavail * bsize) {
        current = undefined
        throw new Fault('backupNoRoom')
      }
      return ticket
    },
    /** A part that was sent twice, because its answer was lost, is taken once. */
    async add(ticket: string, offset: number, content: Buffer): Promise<number> {
      const arrival = mine(ticket)
      if (offset < arrival.received) return arrival.received
      if (arrival.writing || offset > arrival.received || offset + content.length > arrival.size) throw new Fault('backupParts')
      arrival.writing = true
      try {
        await appendFile(path, content, { mode: 0o600 })
        arrival.received += content.length
        arrival.seen = clock()
        return arrival.received
      } finally {
        arrival.writing = false
      }
    },
    /** The whole file. */
    whole(ticket: string): { kind: Kind; path: string } {
      const { kind, size, received } = mine(ticket)
      if (received !== size) throw new Fault('backupParts')
      return { kind, path }
    },
    /** The file is the caller's from now on. */
    take(ticket: string) {
      mine(ticket)
      current = undefined
    },
    forget: () => rm(path, { force: true }),
  }
}
