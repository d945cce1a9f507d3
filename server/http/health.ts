import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { TrustProxy } from './addresses.ts'
import { Fault } from './faults.ts'

/** One engine and whether it answers. */
export type Probe = { name: string; ready: () => Promise<boolean> | boolean }
/** Figures read when they are asked for: name, help, and a value or one for each set of labels. */
type Value = number | { labels: Record<string, string>; value: number }[]
export type Figure = { name: string; help: string; read: () => Value | Promise<Value> }

const hidden = { schema: { hide: true, response: { 200: Type.Unknown(), 503: Type.Unknown() } }, config: { permission: 'public' as const } }
const loopback = /^(127\.|::1$|::ffff:127\.)/
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Whether a program on this machine asks for itself: the peer of the socket counts, and no sign of a proxy. */
const isLocal = ({ socket, headers, raw }: FastifyRequest, trusts: TrustProxy | false) => {
  const peer = socket.remoteAddress ?? ''
  return (
    loopback.test(peer) &&
    // What a proxy of ours passes on comes from elsewhere.
    (trusts === false || !trusts(peer, 0)) &&
    !forwarding.some((name) => name in headers) &&
    // Other proxies pass the caller's Host on, or speak HTTP/1.0, as nginx did for long. Scrapers do neither.
    localHost.test(headers.host ?? '') &&
    raw.httpVersion !== '1.0'
  )
}

const mayRead = (request: FastifyRequest, { metricsToken: token, trustProxy: trusts = false }: Access) => {
  if (!token) return isLocal(request, trusts)
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

type Access = { metricsToken?: string | undefined; trustProxy?: TrustProxy | false }

/** `/healthz`: the process lives. `/readyz`: every engine answers. `/metrics`: Prometheus, for loopback or the bearer of the setting. */
export const healthRoutes = (
  app: FastifyInstance,
  { probes, figures, ...access }: { probes: readonly Probe[]; figures: readonly Figure[] } & Access,
) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'penstock_' })
  for (const { name, help, read } of figures) {
    const options = { name: `penstock_${name}`, help, labelNames: ['enterprise', 'reason', 'kind', 'way', 'table'], registers: [registry] }
    const now = async () => {
      const value = await read()
      return typeof value === 'number' ? [{ labels: {}, value }] : value
    }
    // Prometheus convention: names of counters end with _total.
    if (name.endsWith('_total'))
      new Counter({
        ...options,
        async collect() {
          const values = await now()
          this.reset()
          for (const { labels, value } of values) this.inc(labels, value)
        },
      })
    else
      new Gauge({
        ...options,
        async collect() {
          const values = await now()
          this.reset()
          for (const { labels, value } of values) this.set(labels, value)
        },
      })
  }

  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    const engines = Object.fromEntries(
      await Promise.all(probes.map(async (p) => [p.name, await Promise.resolve(p.ready()).catch(() => false)] as const)),
    )
    return reply
      .code(Object.values(engines).every(Boolean) ? 200 : 503)
      .send({ status: Object.values(engines).every(Boolean) ? 'ready' : 'not ready', engines })
  })
  app.get('/metrics', hidden, async (request, reply) => {
    if (!mayRead(request, access)) throw new Fault('noSuchPath')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
