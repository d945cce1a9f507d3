// A hostile web service answers a webhook, tile or channel with expensive data: endless interim responses, a body in tiny chunks.
import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { HttpLink } from '../../edge/drivers/http-source/link.ts'
import { exchange } from '../../server/channels/outbound.ts'

const interim = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000))
const crumbs = Buffer.from('1\r\na\r\n'.repeat(10_000))
/** Sends the beginning, and then the same for ever. */
const flood = async (begin: string, part: Buffer) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('data', () => {
      socket.write(begin)
      const send = () => {
        while (!socket.destroyed && socket.write(part));
        socket.once('drain', send)
      }
      send()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, [Symbol.dispose]: close }
}
const channelOf = (Url: string): ConstructorParameters<typeof HttpLink>[0] => ({
  ...{ Id: 1, ProtocolType: 110, CommType: 0, InterFrameMs: 0, RetryCount: 0, Settings: { Url } },
})
/** What becomes of a request. */
const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: Error) => error.message,
  )
const within = { allowed: () => true, tenant: 1 }

test('interim answers without end are cut, by the server and by a gateway', async () => {
  using service = await flood('', interim)
  const link = new HttpLink(channelOf(service.url), () => true)
  await link.open()
  for (const ask of [() => exchange(service.url, { within }), () => link.ask('', 10_000)])
    expect(await outcomeOf(ask())).toBe('interim answers without end')
  link.close()
})

test('a body in crumbs is cut long before it is as long as a body may be', async () => {
  using service = await flood('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', crumbs)
  const link = new HttpLink(channelOf(service.url), () => true)
  await link.open()
  const answer = await exchange(service.url, { within, most: 1024 * 1024 })
  expect([answer.cut, answer.body.length < 10_000]).toEqual([true, true])
  expect(await outcomeOf(link.ask('', 10_000))).toBe('the answer comes in crumbs')
  link.close()
})
