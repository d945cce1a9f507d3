import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Call } from '../../contract/call.ts'
import { entryOf } from '../../contract/prototypes.ts'
import { type Served, serve } from './serve.ts'

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

type NamedFile = { name: string; file: Buffer | Readable }
/** Serves a call that answers a file. `work` may run in a turn: the file is sent after it, since an awaited reply resolves when the client has read it. */
export const serveFile = <C extends Call>(app: FastifyInstance, call: C, work: (served: Served<C>) => Promise<NamedFile>) =>
  serve(app, call, async (served) => {
    const { name, file } = await work(served)
    return sendFile(served.reply, name, file)
  })
