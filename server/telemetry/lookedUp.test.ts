// Messages that wait until a new point of their gateway is looked up.
import { expect, test } from 'vitest'
import { createCounters } from './counters.ts'
import { Ingest } from './ingest.ts'
import type { Store } from './store/store.ts'
import { message, point, registryOf } from './telemetry.fixture.ts'

test('messages that waited for a look-up are read in several batches, in their order, not all in one turn of the event loop', async () => {
  const now = Date.UTC(2026, 10, 20, 12)
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const sizes: number[] = []
  const append: Store['append'] = async (rows) => {
    sizes.push(rows.length)
    return { first: 1, replaced: [] }
  }
  const registry = { ...registryOf([point(1), point(2)]), find: () => (asked++ ? undefined : gate.promise) }
  const log = () => undefined
  const rejected = { add: log }
  const ingest = new Ingest({
    batchSize: 10,
    registry,
    store: { append } as unknown as Store,
    counters: createCounters(),
    rejected,
    clock: () => now,
    log,
  })
  const order: string[] = []
  const sent = [{ 99: 1 }, ...Array.from({ length: 20 }, () => ({ 1: 1, 2: 2 }))].map((V, i) =>
    ingest.accept('GATEWAY1', 'data', message(now + i, V, { MsgId: `m${i}` })).then(({ MsgId }) => order.push(MsgId!)),
  )
  await new Promise(setImmediate)
  gate.resolve()
  await Promise.all(sent)
  expect(order).toEqual(sent.map((_, i) => `m${i}`))
  expect(sizes.reduce((sum, size) => sum + size)).toBe(40)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4)
})
