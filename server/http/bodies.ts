import type { FastifyInstance } from 'fastify'
import { networkOf } from './addresses.ts'
import { Fault } from './faults.ts'
import { whenOver } from './lifetime.ts'

/** Bytes of bodies that lie in memory until their requests are answered. Files have limits of their own (`uploads.ts`). */
const mostBytes = 128 * 1024 * 1024

/**
 * Unknown paths read no body. A person, or an address of strangers, may bring bodies of as many bytes as are still free, so that there is
 * always room for one more; the rest gets 503 before its body is read.
 */
export const boundBodies = (app: FastifyInstance, most = mostBytes) => {
  const byCaller = new Map<string, number>()
  let used = 0
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) return done(new Fault('noSuchPath'))
    const { headers, routeOptions, actor } = request
    const length = headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0)
    const bytes = Math.min(length, routeOptions.bodyLimit ?? 0)
    if (!bytes || request.method === 'GET' || headers['content-type']?.startsWith('multipart/')) return done(null, payload)
    const caller = actor ? String(actor.UserId) : networkOf(request.ip)
    const own = byCaller.get(caller) ?? 0
    if (own + bytes > most - used) return done(new Fault('busy'))
    const hold = (more: number) => {
      used += more
      const sum = (byCaller.get(caller) ?? 0) + more
      if (sum) byCaller.set(caller, sum)
      else byCaller.delete(caller)
    }
    hold(bytes)
    whenOver(request, reply, () => hold(-bytes))
    done(null, payload)
  })
}
