import net from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Actor } from '../identity/actor.ts'
import { boundLargeAnswers } from './largeAnswers.ts'
import { guardStreams } from './streamedAnswers.ts'
import { wrapFaults } from './wrapper.ts'

const app = Fastify()
const megabyte = 1024 * 1024
const content = Buffer.alloc(20 * megabyte, 'x')
let port = 0
beforeAll(async () => {
  wrapFaults(app as never)
  app.decorateRequest('actor', null)
  app.addHook('onRequest', async (request) => {
    const EnterpriseId = Number(request.headers['x-tenant'])
    request.actor = { EnterpriseId, UserId: 1, projects: 'all', may: new Set() } as unknown as Actor
  })
  boundLargeAnswers(app as never, { leastBytes: megabyte, pieceBytes: 64 * 1024, mostBytes: 40 * megabyte })
  guardStreams(app as never, async () => undefined, { checkMs: 20, stillMs: 1500 })
  app.get('/', (_, reply) => reply.type('application/octet-stream').send(content))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as net.AddressInfo).port
})
afterAll(() => app.close())

const ask = (tenant: number) => fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-tenant': String(tenant) } })
const bytesOf = async (tenant: number) => (await (await ask(tenant)).arrayBuffer()).byteLength
const openUnread = async (tenant: number) => {
  const socket = net.connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Tenant: ${tenant}\r\n\r\n`)
  await new Promise((done) => socket.once('data', done))
  socket.pause()
  return socket
}

it('a tenant that leaves large answers unread gets no more of them until those are cut, and no other tenant notices', async () => {
  const whole = await ask(1)
  expect(whole.headers.get('content-length')).toBe(String(content.length))
  expect((await whole.arrayBuffer()).byteLength).toBe(content.length)
  const unread = [await openUnread(1), await openUnread(1)]
  expect((await ask(1)).status).toBe(429)
  expect(await bytesOf(2)).toBe(content.length)
  await expect.poll(() => ask(1).then(({ status }) => status), { timeout: 20_000 }).toBe(200)
  for (const socket of unread) socket.destroy()
})
