// Answers that leave piece by piece: lists as csv, archives, files. Rights may go while one leaves, and its reader may stop reading.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keptScope, stillSees } from '../identity/keptScope.ts'

const limits = { checkMs: 2000, stillMs: 60_000 }

/**
 * Asks before each piece, and while the reader is slow, whether the caller may still make the call and sees as much as at its beginning; cuts
 * the answer where he does not. An answer that moves no byte for `stillMs` is cut, too: it holds memory and a place.
 */
export const guardStreams = (
  app: FastifyInstance,
  identifyAgain: (request: FastifyRequest) => Promise<unknown>,
  { checkMs, stillMs } = limits,
) => {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!(payload instanceof Readable)) return payload
    const before = request.actor && keptScope(request.actor)
    const mayGoOn = async () => {
      if (!before) return true
      await identifyAgain(request)
      return stillSees(request.actor!, before)
    }
    const { raw } = reply
    const cut = () => {
      payload.destroy()
      raw.destroy()
    }
    let [moved, since] = [0, performance.now()]
    const timer = setInterval(() => {
      const { bytesWritten = 0, writableLength = 0 } = raw.socket ?? {}
      const now = bytesWritten - writableLength
      // A list that waits for its turn has nothing to be read.
      if (now !== moved || !raw.writableNeedDrain) [moved, since] = [now, performance.now()]
      if (performance.now() - since > stillMs) return cut()
      void mayGoOn().then(
        (may) => may || cut(),
        () => cut(),
      )
    }, checkMs).unref()
    raw.once('close', () => clearInterval(timer))
    const checked = async function* () {
      for await (const piece of payload) {
        if (!(await mayGoOn().catch(() => false))) throw new Error('The caller may read this no longer.')
        yield piece
      }
    }
    return Readable.from(checked(), { objectMode: false })
  })
}
