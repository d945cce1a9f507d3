import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import type { Actor } from '../identity/actor.ts'
import { Fault } from './faults.ts'
import { type Flood, type HttpLimits, openLimits } from './limits.ts'

const limits: HttpLimits = {
  address: { perSecond: 1, burst: 3 },
  person: { perSecond: 1, burst: 4 },
  tenant: { perSecond: 1, burst: 6 },
  connections: 10,
  atOnce: 2,
  waiting: 1,
}
let now = 0
let app: FastifyInstance
afterEach(() => app.close())

/** Calls are made as `person/tenant`; those of `/slow` end when `go` is called. */
const start = (more: Partial<HttpLimits> = {}) => {
  const floods: Flood[] = []
  const gates: (() => void)[] = []
  const own = openLimits(
    { ...limits, ...more },
    (flood) => floods.push(flood),
    () => now,
  )
  app = Fastify() as unknown as FastifyInstance
  app.setErrorHandler((error: Error, _request, reply) => reply.code(error instanceof Fault ? error.status : 500).send())
  own.before(app)
  app.decorateRequest('actor', null)
  app.addHook('onRequest', async (request) => {
    const [UserId, EnterpriseId] = (request.headers.authorization ?? '').split('/').map(Number)
    if (UserId) request.actor = { UserId, EnterpriseId } as Actor
  })
  own.after(app)
  const config = { permission: 'session' as const }
  app.get('/', { config }, async () => 'done')
  app.get('/public', { config: { permission: 'public' } }, async () => 'done')
  app.get('/slow', { config }, () => new Promise((done) => gates.push(() => done('done'))))
  const call = async (authorization?: string, url = '/') =>
    (await app.inject({ url, headers: authorization ? { authorization } : {} })).statusCode
  const many = async (count: number, as?: string, url?: string) => {
    const answers: number[] = []
    for (let i = 0; i < count; i++) answers.push(await call(as, url))
    return answers
  }
  return { floods, gates, call, many, counts: own.counts }
}

test('an address, a person and a tenant have each their share; others have theirs, and it comes back', async () => {
  const { many, floods, counts } = start()
  expect(await many(4)).toEqual([200, 200, 200, 429])
  expect(await many(5, '1/1')).toEqual([200, 200, 200, 200, 429])
  expect(await many(3, '2/1')).toEqual([200, 200, 429])
  expect(await many(1, '3/2')).toEqual([200])
  expect(floods.map((f) => [f.of, f.key, f.EnterpriseId])).toEqual([
    ['address', '127.0.0.1', undefined],
    ['person', '1', 1],
    ['tenant', '1', 1],
  ])
  expect(counts).toEqual({ address: 1, person: 1, tenant: 1 })
  now += 1000
  expect(await many(2, '1/1')).toEqual([200, 429])
  expect(await many(2)).toEqual([200, 429])
})

test('on a public call an Authorization header takes nobody out of the limit of his address', async () => {
  const { many } = start()
  expect(await many(4, '1/1', '/public')).toEqual([200, 200, 200, 429])
})

test('calls of one person run concurrently up to a limit, then queue, then are refused; others are served', async () => {
  const { call, gates } = start({ person: { perSecond: 1000, burst: 1000 }, tenant: { perSecond: 1000, burst: 1000 } })
  const running = [call('1/1', '/slow'), call('1/1', '/slow')]
  const begun = async (count: number) => {
    while (gates.length < count) await new Promise(setImmediate)
  }
  await begun(2)
  const waits = call('1/1', '/slow')
  await new Promise((r) => setTimeout(r, 20))
  expect(await call('1/1')).toBe(429)
  expect(await call('2/1')).toBe(200)
  expect(gates).toHaveLength(2)
  gates[0]!()
  await begun(3)
  for (const go of gates) go()
  expect(await Promise.all([...running, waits])).toEqual([200, 200, 200])
  expect(await call('1/1')).toBe(200)
})
