import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Type } from 'typebox'
import { Fault } from './faults.ts'

/** One engine and whether it answers. */
export type Probe = { name: string; ready: () => Promise<boolean> | boolean }
/** Figures read when they are asked for: name, help, and a value or one for each set of labels. */
type Value = number | { labels: Record<string, string>; value: number }[]
export type Figure = { name: string; help: string; read: () => Value | Promise<Value> }

const hidden = { schema: { hide: true, response: { 200: Type.Unknown(), 503: Type.Unknown() } }, config: { permission: 'public' as const } }
const loopback = /^(127\.|::1$|::ffff:127\.)/
const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

const mayRead = (request: FastifyRequest, token: string | undefined) => {
  // The peer of the socket, whatever a proxy or a caller writes; and what a proxy on this machine passes on comes from elsewhere.
  if (!token) return loopback.test(request.socket.remoteAddress ?? '') && !forwarding.some((name) => name in request.headers)
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** `/healthz`: the process lives. `/readyz`: every engine answers. `/metrics`: Prometheus, for loopback or the bearer of the setting. */
export const healthRoutes = (
  app: FastifyInstance,
  { probes, figures, metricsToken }: { probes: readonly Probe[]; figures: readonly Figure[]; metricsToken?: string },
) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'penstock_' })
  for (const { name, help, read } of figures) {
    const options = { name: `penstock_${name}`, help, labelNames: ['enterprise', 'reason', 'kind', 'way'], registers: [registry] }
    const now = async () => {
      const value = await read()
      return typeof value === 'number' ? [{ labels: {}, value }] : value
    }
    // Prometheus: what only grows since the start is a counter, and its name says so.
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
    if (!mayRead(request, metricsToken)) throw new Fault('noSuchPath')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
