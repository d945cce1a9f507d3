import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import type { Actor } from '../identity/actor.ts'
import { guardConnections } from './connectionGuard.ts'
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
  return { floods, gates, call, many, counts: own.counts, delayOf: own.delayOf }
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

const listen = async (more: Partial<HttpLimits>) => {
  const { delayOf } = start({ address: { perSecond: 1000, burst: 1000 }, ...more })
  guardConnections(app.server, false, { delayOf: delayOf(false) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return () => connect((app.server.address() as AddressInfo).port, '127.0.0.1')
}

test('an address opens so many connections; what is over is closed', async () => {
  const open = await listen({ opened: { perSecond: 1, burst: 3 } })
  const sockets = Array.from({ length: 5 }, () => open().on('error', () => undefined))
  await Promise.all(sockets.slice(3).map((socket) => once(socket.resume(), 'close')))
  expect(sockets.filter(({ closed }) => closed)).toHaveLength(2)
  for (const socket of sockets) socket.destroy()
})

test('strangers are read as slowly as their address may send; who has a name is read on', async () => {
  const open = await listen({ bytes: { perSecond: 1, burst: 2000 } })
  const request = (authorization: string) =>
    `GET /public HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nX-Long: ${'x'.repeat(1000)}\r\n\r\n`
  const answers = { '': 0, '1/1': 0 }
  const sockets = await Promise.all(
    (['1/1', ''] as const).map(async (who) => {
      const socket = open()
      socket.on('data', (data) => {
        answers[who] += String(data).split('HTTP/1.1 200').length - 1
      })
      await once(socket, 'connect')
      return { socket, who }
    }),
  )
  // The first answer proves that the connection has a name, or is not paused yet.
  for (const { socket, who } of sockets) {
    socket.write(request(who))
    while (!answers[who]) await new Promise((r) => setTimeout(r, 5))
  }
  for (let n = 0; n < 3; n++)
    for (const { socket, who } of sockets) {
      socket.write(request(who))
      await new Promise((r) => setTimeout(r, 20))
    }
  while (answers['1/1'] < 4) await new Promise((r) => setTimeout(r, 5))
  expect(answers['']).toBeLessThan(3)
  for (const { socket } of sockets) socket.destroy()
})
