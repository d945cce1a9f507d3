import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entryOf } from '../../contract/prototypes.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { Fault } from './faults.ts'

/** Each import holds its rows in memory until they are written. Uploads that wait hold their file, up to 20 MB. */
const importLimits = { concurrency: 4, uploads: 12, perPerson: 2 }
const queued = boundedQueue({ concurrency: importLimits.concurrency, backlog: importLimits.uploads })
const uploads = new Map<number, number>()

/**
 * Takes a sheet to import. Sheets beyond what the server, or one person, may have under way are refused before their body is read.
 *
 * @throws Fault `busy`
 */
export const importUpload = async <T>(request: FastifyRequest, work: (file: Buffer) => Promise<T>): Promise<T> => {
  const person = request.actor?.UserId ?? 0
  const own = uploads.get(person) ?? 0
  const all = uploads.values().reduce((sum, n) => sum + n, 0)
  if (own >= importLimits.perPerson || all >= importLimits.uploads) throw new Fault('busy')
  uploads.set(person, own + 1)
  try {
    const file = await uploaded(request)
    return await queued(() => work(file))
  } finally {
    const left = uploads.get(person)! - 1
    if (left) uploads.set(person, left)
    else uploads.delete(person)
  }
}

/** The one file of a multipart body. */
export const uploaded = async (request: FastifyRequest): Promise<Buffer> => {
  if (!request.isMultipart()) throw new Fault('unsupportedMedia')
  const part = await request.file()
  if (!part) throw new Fault('sheetUnreadable')
  return part.toBuffer()
}

const kinds: Record<string, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** Files are always saved, never shown: nothing of a user's runs on our origin (S31). */
export const sendFile = (reply: FastifyReply, name: string, content: Buffer | Readable) =>
  reply
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name.replace(/[\\/\0\r\n]/g, '_'))}`)
    .type(entryOf(kinds, name.split('.').at(-1)) ?? 'application/octet-stream')
    .send(content)
