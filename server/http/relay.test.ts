import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { openRelay } from './relay.ts'

it('a process that forwards calls waits no longer for a body, or for a silent connection, than one that answers them', async () => {
  const relay = openRelay({ target: () => undefined, isOwn: () => true, trustProxy: false })
  const { serverFactory } = relay
  const http = { connectionsCheckingInterval: 50, headersTimeout: 300 }
  const app = Fastify({ http, serverFactory, requestTimeout: 300, connectionTimeout: 1500, keepAliveTimeout: 1234 })
  app.post('/', async () => 'ok')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const say = async (text: string) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    let heard = ''
    socket.on('data', (data) => (heard += data)).write(text)
    await once(socket, 'close')
    return heard
  }
  expect(app.server.keepAliveTimeout).toBe(1234)
  expect(await say('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')).toMatch(/^HTTP\/1.1 408 /)
  expect(await say('')).not.toContain(' 200 ')
  relay.end()
  await app.close()
})
