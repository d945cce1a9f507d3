// A stranger, or a viewer, sends what costs much more to read than to send. Each connection is refused or closed, and others are served.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type House, startHouse, until } from '../house.ts'

let house: House
const sockets: Socket[] = []
beforeAll(async () => {
  house = await startHouse({ PENSTOCK_TRUST_PROXY: 'on', PENSTOCK_CALLS_PER_SECOND: '50' })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => house?.close())

/** What the server answers to these bytes, and whether it closes the connection, which this side never does. */
const send = async (...bytes: string[]) => {
  const socket = connect({ port: Number(new URL(house.origin).port), host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  const seen = { socket, answer: '', isClosed: false }
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    seen.answer += chunk
  })
  for (const over of ['end', 'close'])
    socket.once(over, () => {
      seen.isClosed = true
    })
  await once(socket, 'connect')
  for (const text of bytes) socket.write(text)
  return seen
}
const post = (path: string, ...headers: string[]) =>
  [`POST /api${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n')
const chunked = 'Transfer-Encoding: chunked'
const pieces = (count: number) => '1\r\nx\r\n'.repeat(count)
const isServed = async () => expect((await fetch(`${house.origin}/healthz`)).status).toBe(200)

it.each(['/Auth/Login', '/System/TrialUser', '/hubs/sysmsghub/negotiate'])(
  'a body of one-byte chunks that never ends closes its connection without an answer: %s',
  async (path) => {
    const seen = await send(post(path, chunked), pieces(2000))
    await until('the connection to be closed', () => seen.isClosed)
    expect(seen.answer).toBe('')
    await isServed()
  },
)

it('a body of single bytes in packets of their own closes its connection without an answer', async () => {
  const seen = await send(post('/Auth/Login', 'Content-Length: 4000'))
  seen.socket.setNoDelay(true)
  for (let n = 0; n < 4000 && !seen.isClosed; n++) {
    seen.socket.write(' ')
    await new Promise(setImmediate)
  }
  await until('the connection to be closed', () => seen.isClosed)
  expect(seen.answer).toBe('')
})

it('an unknown path is answered without its body, and what goes on coming is not parsed', async () => {
  const seen = await send(post('/none', chunked), pieces(100))
  await until('the answer', () => seen.answer.includes('"noSuchPath"'))
  for (let n = 0; n < 20; n++) seen.socket.write(pieces(10_000))
  await until('the connection to be closed', () => seen.isClosed)
  expect(seen.answer).toMatch(/^HTTP\/1\.1 404 /)
  await isServed()
})

it('an answer before the end of a small body leaves the connection open for the next request', async () => {
  const body = '{"a":1}'
  const seen = await send(post('/none', `Content-Length: ${body.length}`))
  await until('the answer', () => seen.answer.includes('"noSuchPath"'))
  seen.socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
  await until('the next answer', () => seen.answer.includes('"ok"'))
})

it("a viewer's file in one-byte chunks closes its connection", async () => {
  const head = ['Content-Type: multipart/form-data; boundary=x', chunked, `Authorization: Bearer ${house.admin}`]
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  const text = post('/Project/Project/Import?Preview=1', ...head).replace('Content-Type: application/json\r\n', '')
  const seen = await send(text, `${part.length.toString(16)}\r\n${part}\r\n`, pieces(2000))
  await until('the connection to be closed', () => seen.isClosed)
})

it('a stranger sends no more to sign in than the call has fields for', async () => {
  const seen = await send(post('/Auth/Login', 'Content-Length: 8000'), ' '.repeat(8000))
  await until('the answer', () => seen.answer.includes('"tooLarge"'))
  expect(seen.answer).toMatch(/^HTTP\/1\.1 413 /)
})

it('requests that do not wait for an answer close their connection, in one packet or several; a few are answered', async () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const flood = await send(request.repeat(500))
  await until('the connection to be closed', () => flood.isClosed)
  const slow = await send('GET /api/none HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(9))
  await until('the connection to be closed', () => slow.isClosed)
  const few = await send(request.repeat(5))
  await until('five answers', () => few.answer.split('"ok"').length === 6)
  expect(few.isClosed).toBe(false)
})

it('an address over its rate is answered 429, and each of its connections closes', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => send()))
  const request = 'GET /api/none HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n'
  for (let sent = 8; sent <= 120; sent += 8) {
    for (const { socket } of all) socket.write(request.repeat(8))
    await until('the answers', () => all.every(({ answer, isClosed }) => isClosed || answer.split('HTTP/1.1 ').length > sent))
  }
  expect(all.filter(({ answer, isClosed }) => isClosed !== answer.includes('HTTP/1.1 429'))).toEqual([])
  expect(all.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(10)
  await isServed()
})

it('a second Host header is refused, also with an upgrade', async () => {
  const plain = await send('GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n')
  const upgrade = await send('GET /api/hubs/sysmsghub HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  for (const seen of [plain, upgrade]) {
    await until('the connection to be closed', () => seen.isClosed)
    expect(seen.answer).toMatch(/^HTTP\/1\.1 400 /)
  }
})

it.each(['/x', '/api/hubs/sysmsghub', '/api/hubs/sysmsghub?id=x'])(
  'a refused upgrade of %s is closed, whether its sender closes or not',
  async (path) => {
    const accepted = once(house.app.server, 'connection') as Promise<[Socket]>
    const seen = await send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    const [connection] = await accepted
    await until('the server to let go of the connection', () => seen.isClosed && connection.destroyed)
    expect(seen.answer).toMatch(/^HTTP\/1\.1 404 /)
  },
)
