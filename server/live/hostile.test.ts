import { afterEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import type { LiveValue } from '../../contract/hub.ts'
import { startHub } from './harness.ts'
import { separator } from './protocol.ts'

type Harness = Awaited<ReturnType<typeof startHub>>
let running: Harness | undefined
const start = async (...args: Parameters<typeof startHub>) => {
  running = await startHub(...args)
  return running
}
afterEach(async () => {
  await running?.stop()
  running = undefined
})

const refusal = (h: Harness, id: string, headers = {}) =>
  new Promise((resolve) => {
    const socket = h.open(id, headers)
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.on('open', () => resolve('open'))
  })

test('negotiation answers in SignalR’s shape, with WebSockets only', async () => {
  const h = await start()
  const post = (bearer?: string, query = '?negotiateVersion=1') =>
    fetch(`${h.url.replace('sysmsghub', 'SysMsgHub')}/negotiate${query}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    })
  expect(await (await post('anna')).json()).toEqual({
    negotiateVersion: 1,
    connectionId: expect.any(String),
    connectionToken: expect.stringMatching(/^[\w-]{32}$/),
    availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
  })
  expect(await (await post('anna', '')).json()).not.toHaveProperty('connectionToken')
  expect((await post()).status).toBe(401)
  expect((await post('forged')).status).toBe(401)
  expect(await (await post('over')).json()).toEqual({ error: 'sessionOver' })
  await expect(h.client('over')).rejects.toThrow('sessionOver')
})

test('a ticket opens one socket, once, within 60 s; a session token in the query opens none', async () => {
  let now = 0
  const h = await start({ clock: () => now })
  const ticket = await h.ticket('anna')
  now = 59_999
  expect(await refusal(h, ticket)).toBe('open')
  expect(await refusal(h, ticket)).toBe(404)
  const late = await h.ticket('anna')
  now += 60_000
  expect(await refusal(h, late)).toBe(404)
  expect(await refusal(h, 'invented')).toBe(404)
  expect(await refusal(h, '&access_token=anna')).toBe(404)
})

test('a page of another origin opens no socket; the same host and programs do', async () => {
  const h = await start()
  expect(await refusal(h, await h.ticket('anna'), { origin: 'https://evil.example' })).toBe(403)
  expect(await refusal(h, await h.ticket('anna'), { origin: 'null' })).toBe(403)
  expect(await refusal(h, await h.ticket('anna'), { origin: new URL(h.url).origin })).toBe('open')
})

test('an upgrade on another path is refused', async () => {
  const h = await start()
  const socket = new WebSocket(h.url.replace('http', 'ws').replace('sysmsghub', 'other'))
  const status = await new Promise((resolve) => socket.on('unexpected-response', (_request, response) => resolve(response.statusCode)))
  expect(status).toBe(404)
})

test('a tenant gets at most half of the tickets and connections', async () => {
  const h = await start({ limits: { tickets: 4, connections: 4 } })
  const opened = async (bearer: string) => refusal(h, await h.ticket(bearer))
  expect([await opened('anna'), await opened('ben'), await opened('anna')]).toEqual(['open', 'open', 503])
  expect(await opened('foreign')).toBe('open')
  for (const bearer of ['anna', 'ben']) expect(await h.ticket(bearer)).toEqual(expect.any(String))
  expect([await h.ticket('anna'), await h.ticket('foreign')]).toEqual([undefined, expect.any(String)])
})

test('tickets and connections of one session are bounded', async () => {
  const h = await start({ limits: { connectionsPerSession: 2 } })
  const [a, b] = [await h.ticket('anna'), await h.ticket('anna')]
  expect(await h.ticket('anna')).toBeUndefined()
  expect([await refusal(h, a), await refusal(h, b)]).toEqual(['open', 'open'])
  expect(await refusal(h, await h.ticket('anna'))).toBe(503)
  expect(await refusal(h, await h.ticket('ben'))).toBe('open')
})

const invocation = { type: 1, target: 'LoginConnect', arguments: [11], invocationId: '1' }
const offences: [name: string, greeted: boolean, text: string | Buffer, reason: string][] = [
  ['no JSON', true, `{{{${separator}`, 'malformed'],
  ['JSON that is no message', true, `[1,2]${separator}`, 'malformed'],
  ['a message without a type', true, `{}${separator}`, 'malformed'],
  ['an invocation without arguments', true, `{"type":1,"target":"Subscribe"}${separator}`, 'malformed'],
  ['an invocationId that is no string', true, `{"type":1,"target":"x","arguments":[],"invocationId":{}}${separator}`, 'malformed'],
  ['a binary frame', true, Buffer.from([1, 2, 3]), 'malformed'],
  ['a frame of 1 MB', true, 'x'.repeat(1 << 20), 'left'],
  ['a thousand calls in one frame', true, `${JSON.stringify(invocation)}${separator}`.repeat(600), 'tooManyCalls'],
  ['a call before the handshake', false, `${JSON.stringify(invocation)}${separator}`, 'malformed'],
  ['the MessagePack protocol', false, `{"protocol":"messagepack","version":1}${separator}`, 'malformed'],
  ['a version to come', false, `{"protocol":"json","version":9}${separator}`, 'malformed'],
]

test.each(offences)('%s cuts the offender alone', async (_name, greeted, text, reason) => {
  const h = await start()
  const innocent = await h.client('ben')
  const offender = await h.raw('anna', greeted)
  offender.socket.send(text)
  await vi.waitFor(() => expect(h.hub.stats()).toMatchObject({ connections: 1, cut: { [reason]: 1 } }))
  await innocent.invoke('LoginConnect', 12)
  await vi.waitFor(() => expect(offender.closed()).toBeDefined())
})

test('a message without its end mark waits for it, up to a bound', async () => {
  const h = await start()
  const { socket, frames } = await h.raw('anna')
  const whole = JSON.stringify(invocation) + separator
  socket.send(whole.slice(0, 9))
  socket.send(whole.slice(9) + JSON.stringify({ type: 6 }) + separator)
  await vi.waitFor(() => expect(frames).toContainEqual({ type: 3, invocationId: '1' }))
  for (let i = 0; i < 3; i++) socket.send('x'.repeat(30_000))
  await vi.waitFor(() => expect(h.hub.stats().cut).toEqual({ malformed: 1 }))
})

test('streams are refused, kinds that mean nothing here are passed over, a call that breaks says so', async () => {
  const h = await start({ visible: () => Promise.reject(new Error('database is away')) })
  const { send, frames } = await h.raw('anna')
  send({ type: 4, target: 'Subscribe', arguments: [[1]], invocationId: 's' })
  send({ type: 9, sequenceId: 1 })
  send({ type: 1, target: 'Subscribe', arguments: [[1]], invocationId: 'b' })
  await vi.waitFor(() =>
    expect(frames).toEqual([{}, { type: 3, invocationId: 's', error: 'invalid' }, { type: 3, invocationId: 'b', error: 'internal' }]),
  )
})

test('the server pings every 15 s and closes clients that say nothing for 30 s, or never shake hands', async () => {
  let now = 0
  const h = await start({ clock: () => now })
  const quiet = await h.raw('anna')
  await h.raw('ben', false)
  const beat = (ms: number) => {
    now += ms
    h.hub.sweep()
  }
  beat(15_000)
  await vi.waitFor(() => expect(quiet.frames).toContainEqual({ type: 6 }))
  beat(1)
  expect(h.hub.stats().connections).toBe(2)
  beat(15_000)
  await vi.waitFor(() => expect(h.hub.stats()).toMatchObject({ connections: 0, cut: { silent: 1, noHandshake: 1 } }))
})

const points = Array.from({ length: 500 }, (_, i) => i + 1)
const round = (n: number) => points.map((p): LiveValue => [p, 1_700_000_000_000 + n, n + p / 1000, 0])

test('a stalled reader queues a bounded number of values and is dropped, without effect on others', async () => {
  let now = 0
  const h = await start({ clock: () => now, limits: { pushMs: 0, silenceMs: 1e9, recheckMs: 1e9 } })
  const stalled = await h.raw('anna')
  stalled.send({ type: 1, target: 'Subscribe', arguments: [points], invocationId: '1' })
  const good = await h.client('ben')
  const lastSeq = new Map<number, number | null>()
  let seq = 0
  let gaps = 0
  good.on('Values', (push: { Seq: number; Values: LiveValue[] }) => {
    if (push.Seq !== ++seq) gaps++
    for (const v of push.Values) lastSeq.set(v[0], v[2])
  })
  await good.invoke('Subscribe', points)
  await vi.waitFor(() => expect(h.hub.stats().subscriptions).toBe(2 * points.length))
  stalled.socket.pause()
  let worst = 0
  for (let n = 0; n < 800; n++) {
    h.push(...round(n))
    worst = Math.max(worst, h.hub.stats().bufferedBytes)
    if (n % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  // Two connections, each at most the pause mark and one frame over it.
  expect(worst).toBeLessThan(2 * (256 + 32) * 1024)
  await vi.waitFor(() => expect(lastSeq.get(500)).toBe(799.5))
  expect(gaps).toBe(0)
  expect(h.hub.stats().bufferedBytes).toBeGreaterThan(256 * 1024)
  now += 60_001
  h.hub.sweep()
  await vi.waitFor(() => expect(h.hub.stats()).toMatchObject({ connections: 1, bufferedBytes: 0, cut: { stalled: 1 } }))
  await good.invoke('LoginConnect', 12)
})

test('a reader that stops and then goes on gets the newest values', async () => {
  const h = await start({ limits: { pushMs: 0 } })
  const reader = await h.raw('anna')
  reader.send({ type: 1, target: 'Subscribe', arguments: [points], invocationId: '1' })
  await vi.waitFor(() => expect(h.hub.stats().subscriptions).toBe(points.length))
  reader.socket.pause()
  for (let n = 0; n < 800; n++) {
    h.push(...round(n))
    if (n % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(h.hub.stats().bufferedBytes).toBeGreaterThan(256 * 1024)
  reader.socket.resume()
  const last = () => reader.frames.at(-1)?.arguments?.[0] as { Seq: number; Values: LiveValue[] } | undefined
  await vi.waitFor(() => expect(last()?.Values.at(-1)?.[2]).toBe(799.5))
  const numbers = reader.frames.filter((f) => f.target === 'Values').map((f) => (f.arguments![0] as { Seq: number }).Seq)
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  expect(numbers.length).toBeLessThan(800)
})

test('messages are never left out: a reader that leaves too many of them lying is dropped', async () => {
  const h = await start()
  const stalled = await h.raw('anna')
  const good = await h.client('ben')
  let heard = 0
  good.on('Changed', () => heard++)
  stalled.socket.pause()
  let sent = 0
  let worst = 0
  while (!h.hub.stats().cut.slow && sent < 200_000) {
    for (let i = 0; i < 500; i++) {
      h.hub.send({ EnterpriseId: 1 }, 'Changed', { Resource: 'device'.repeat(20), Id: ++sent, Verb: 'update' })
    }
    worst = Math.max(worst, h.hub.stats().bufferedBytes)
    await new Promise((resolve) => setImmediate(resolve))
    await vi.waitFor(() => expect(heard).toBe(sent), { interval: 1 })
  }
  expect(h.hub.stats().cut).toEqual({ slow: 1 })
  expect(worst).toBeLessThan(1.3 * 1024 * 1024)
})
