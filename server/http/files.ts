import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { entryOf } from '../../contract/prototypes.ts'

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
