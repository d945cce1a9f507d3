// Messages that cost more than others: some wait until a new point of their gateway is looked up, some are scattered over years.
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

test('messages whose readings are scattered over years are stored one at a time, and count for more', async () => {
  const now = Date.UTC(2026, 10, 20, 12)
  const sizes: number[] = []
  const append: Store['append'] = async (rows) => {
    sizes.push(rows.length)
    return { first: 1, replaced: [] }
  }
  const log = () => undefined
  const given = {
    registry: registryOf([point(1)]),
    store: { append } as unknown as Store,
    counters: createCounters(),
    clock: () => now,
    log,
  }
  const ingest = new Ingest({ ...given, rejected: { add: log } })
  const history = (days: number) => {
    const Items = Array.from({ length: 100 }, (_, i) => ({ D: 1, T: now - i * days * 86_400_000, V: { 1: i } }))
    return Buffer.from(JSON.stringify({ MsgId: 'h', Ts: 1, Data: { Items, Backfill: 1 } }))
  }
  const send = async (days: number) => (await ingest.accept('GATEWAY1', 'history', history(days))).readings
  expect(await Promise.all([send(30), send(30), send(30)])).toEqual([10_000_100, 10_000_100, 10_000_100])
  expect(sizes.splice(0)).toEqual([100, 100, 100])
  expect(await Promise.all([send(0.5), send(0.5), send(0.5)])).toEqual([100, 100, 100])
  expect(sizes).toEqual([300])
})
