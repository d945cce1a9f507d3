import { afterEach, expect, test, vi } from 'vitest'
import { startHub } from './harness.ts'

let running: Awaited<ReturnType<typeof startHub>> | undefined
afterEach(() => running?.stop())

/** The database answers when it is let to. */
const start = async (limits: Parameters<typeof startHub>[0]) => {
  const asked: { ids: readonly number[]; answer: () => void }[] = []
  const h = await startHub({
    visible: (_actor, ids) => new Promise((resolve) => asked.push({ ids, answer: () => resolve([...ids]) })),
    ...limits,
  })
  running = h
  return { h, asked }
}
const subscribe = (n: number, ...ids: number[]) => ({ type: 1, invocationId: `${n}`, target: 'Subscribe', arguments: [ids] })

test('one person has one question at the database at a time, over all connections', async () => {
  const { h, asked } = await start({})
  const [a, b, other] = [await h.raw('anna'), await h.raw('anna'), await h.raw('ben')]
  a.send(subscribe(1, 1))
  b.send(subscribe(2, 2))
  other.send(subscribe(3, 3))
  await vi.waitFor(() => expect(asked.length).toBe(2))
  expect(asked.map(({ ids }) => ids[0]).toSorted()).toContain(3)
  for (const { answer } of asked) answer()
  await vi.waitFor(() => expect(asked.length).toBe(3))
  asked[2]!.answer()
  await vi.waitFor(() => expect(h.hub.stats().subscriptions).toBe(3))
})

test('ids beyond the rate wait, those beyond the queue are refused, and the connection stays', async () => {
  const { h, asked } = await start({ limits: { idsPerSecond: 1, idBurst: 10, callCost: 1, idsWaiting: 8 } })
  const [a, b] = [await h.raw('anna'), await h.raw('anna')]
  a.send(subscribe(1, 1, 2, 3))
  await vi.waitFor(() => expect(asked.length).toBe(1))
  b.send(subscribe(2, 4, 5, 6))
  b.send(subscribe(3, 7))
  await vi.waitFor(() => expect(b.frames).toContainEqual({ type: 3, invocationId: '3', error: 'tooMany' }))
  expect(h.hub.stats().refused).toBe(1)
  asked[0]!.answer()
  await vi.waitFor(() => expect(asked.length).toBe(2))
  asked[1]!.answer()
  await vi.waitFor(() => expect(h.hub.stats()).toMatchObject({ subscriptions: 6, connections: 2 }))
})

test('a call of a connection that went while it waited is never asked', async () => {
  const { h, asked } = await start({})
  const [a, b] = [await h.raw('anna'), await h.raw('anna')]
  a.send(subscribe(1, 1))
  await vi.waitFor(() => expect(asked.length).toBe(1))
  b.send(subscribe(2, 2))
  b.socket.close()
  await vi.waitFor(() => expect(h.hub.stats().connections).toBe(1))
  a.send(subscribe(3, 3))
  asked[0]!.answer()
  await vi.waitFor(() => expect(asked.map(({ ids }) => ids)).toEqual([[1], [3]]))
  asked[1]!.answer()
})

test('what one person sends is counted over all connections, and cut before it is parsed', async () => {
  const { h } = await start({ limits: { bytesPerSecond: 1, byteBurst: 7000, messageCost: 1000 } })
  const [a, b, other] = [await h.raw('anna'), await h.raw('anna'), await h.raw('ben')]
  a.socket.send('not JSON'.repeat(400))
  b.socket.send('{{{\x1e')
  await vi.waitFor(() => expect(h.hub.stats().cut).toEqual({ tooManyCalls: 1 }))
  other.send({ type: 1, invocationId: '1', target: 'LoginConnect', arguments: [12] })
  await vi.waitFor(() => expect(other.frames).toContainEqual({ type: 3, invocationId: '1' }))
})
