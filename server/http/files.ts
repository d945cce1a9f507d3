import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entryOf } from '../../contract/prototypes.ts'
import { Fault } from './faults.ts'

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
