// Large answers that clients do not read. They are sent in chunks, so that streamedAnswers.ts can cut a stalled one. The unread bytes of each
// tenant are limited.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Fault } from './faults.ts'

const limits = { leastBytes: 1024 * 1024, pieceBytes: 256 * 1024, mostBytes: 64 * 1024 * 1024 }

function* piecesOf(content: Buffer, pieceBytes: number) {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes)
}

/** Register it behind compression, and before `guardStreams`. */
export const boundLargeAnswers = (app: FastifyInstance, { leastBytes, pieceBytes, mostBytes } = limits) => {
  const unread = new Map<number, number>()
  const add = (tenant: number, bytes: number) => {
    const sum = (unread.get(tenant) ?? 0) + bytes
    if (sum) unread.set(tenant, sum)
    else unread.delete(tenant)
  }
  app.addHook('onSend', async ({ actor }, reply, payload: unknown) => {
    const content = typeof payload === 'string' && payload.length >= leastBytes ? Buffer.from(payload) : payload
    if (!actor || reply.raw.destroyed || !Buffer.isBuffer(content) || content.length < leastBytes) return payload
    const { EnterpriseId } = actor
    // A single answer may be larger than that.
    if ((unread.get(EnterpriseId) ?? 0) >= mostBytes) throw new Fault('tooMany')
    add(EnterpriseId, content.length)
    reply.raw.once('close', () => add(EnterpriseId, -content.length))
    reply.header('content-length', content.length)
    return Readable.from(piecesOf(content, pieceBytes), { objectMode: false })
  })
}
