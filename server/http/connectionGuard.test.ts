// A connection that brings megabytes leaves turns of the event loop to others.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { guardConnections } from './connectionGuard.ts'

const close: (() => void)[] = []
afterEach(() => {
  for (const end of close.splice(0)) end()
})

it('a body that is there as a whole is parsed a little in each turn', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>()
  const server = createServer((request) => resolve(request))
  guardConnections(server, false)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close.push(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  close.push(() => socket.destroy())
  const bytes = 4 * 1024 * 1024
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
  socket.write(Buffer.alloc(bytes, 'a'))
  const request = await arrived
  // Nobody reads the body yet: it fills the kernel's buffers.
  await pause(500)
  let [ofTurn, most, received] = [0, 0, 0]
  request.on('data', (chunk: Buffer) => {
    if (!ofTurn)
      setImmediate(() => {
        ofTurn = 0
      })
    ofTurn += chunk.length
    received += chunk.length
    most = Math.max(most, ofTurn)
  })
  await once(request, 'end')
  expect(received).toBe(bytes)
  expect(most).toBeLessThanOrEqual(256 * 1024)
})
