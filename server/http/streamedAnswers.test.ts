import net from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { guardStreams } from './streamedAnswers.ts'

const app = Fastify()
let port = 0
let destroyed = 0
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536, 'x'))
    },
    destroy(_, done) {
      destroyed++
      done(null)
    },
  })
beforeAll(async () => {
  guardStreams(app, async () => undefined, { checkMs: 20, stillMs: 1000 })
  app.get('/', (_, reply) => reply.send(endless()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as net.AddressInfo).port
})
afterAll(() => app.close())

const open = async () => {
  const socket = net.connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise((done) => socket.once('data', done))
  return socket
}

it('an answer that nobody reads is cut, one that is read slowly is not', async () => {
  const [still, slow] = [await open(), await open()]
  still.pause()
  let closed = false
  slow.on('close', () => {
    closed = true
  })
  // It takes 2 MB every 50 ms: less than its socket's buffer would open no window.
  let left = 0
  slow.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) slow.pause()
  })
  const reading = setInterval(() => {
    left = 2 * 1024 * 1024
    slow.resume()
  }, 50)
  await expect.poll(() => destroyed).toBe(1)
  expect(closed).toBe(false)
  clearInterval(reading)
  for (const socket of [still, slow]) socket.destroy()
})
