import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCounters } from './counters.ts'
import { Ingest, type IngestOptions } from './ingest.ts'
import { openRejected, type RejectedStore } from './rejected.ts'
import { openDuckDbStore } from './store/duckdb/duckdbStore.ts'
import type { Store } from './store/store.ts'
import { message, point, registryOf, temporaryFolder } from './telemetry.fixture.ts'

const now = Date.UTC(2026, 10, 20, 12)
const registry = registryOf([point(1), point(2), point(3, { IsStore: 1 }), point(11, { SN: 'GATEWAY2', EnterpriseId: 8 })], { EMPTY: 9 })

describe('ingest', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: Store
  let rejected: RejectedStore
  let problems: string[]
  beforeEach(async () => {
    folder = await temporaryFolder('ingest')
    problems = []
    store = await openDuckDbStore({ folder: folder.folder, clock: () => now, log: (problem) => problems.push(problem) })
    rejected = openRejected(folder.folder)
  })
  afterEach(async () => {
    await store.close()
    rejected.close()
    await folder.remove()
  })
  const open = (more: Partial<IngestOptions> = {}) => {
    const counters = createCounters()
    const ingest = new Ingest({
      registry,
      store,
      counters,
      rejected,
      clock: () => now,
      log: (problem) => problems.push(problem),
      ...more,
    })
    return { ingest, tenants: counters.tenants }
  }
  /** A store whose appends wait until the test releases them. */
  const gated = () => {
    const gates: (() => void)[] = []
    const append: Store['append'] = async (...args) => {
      await new Promise<void>((go) => gates.push(go))
      return store.append(...args)
    }
    return { gates, store: { ...store, append } }
  }
  const settled = async (condition: () => boolean) => {
    while (!condition()) await new Promise(setImmediate)
  }

  test('acknowledges what is stored, by its MsgId, and the store has it', async () => {
    const { ingest } = open()
    expect(await ingest.accept('GATEWAY1', 'data', message(now, { 1: 1, 2: 2 }, { MsgId: 'x1' }))).toEqual({ MsgId: 'x1', readings: 2 })
    expect((await store.read([1, 2], now, now + 1)).map((s) => s.value)).toEqual([1, 2])
  })

  test('where another process may be the owner, nothing is stored, and what was just stored is not acknowledged until it is clear', async () => {
    let isOwner = false
    const slow = gated()
    const { ingest } = open({ isOwner: () => isOwner, store: slow.store })
    let acknowledged = false
    const answer = ingest.accept('GATEWAY1', 'data', message(now, { 1: 1 })).then(() => {
      acknowledged = true
    })
    await new Promise((done) => setTimeout(done, 150))
    expect(slow.gates).toHaveLength(0)
    isOwner = true
    await settled(() => slow.gates.length === 1)
    isOwner = false
    slow.gates[0]!()
    await new Promise((done) => setTimeout(done, 150))
    expect(acknowledged).toBe(false)
    isOwner = true
    await answer
    isOwner = false
    const never = ingest.accept('GATEWAY1', 'data', message(now + 1, { 1: 2 }))
    await Promise.all([expect(never).rejects.toThrow('unavailable'), ingest.close()])
    expect((await store.read([1], now, now + 2)).map((s) => s.value)).toEqual([1])
  })

  test('an unknown point is looked up, and readings of its gateway stay in order', async () => {
    const made = registryOf([point(1)])
    const asked: (readonly number[])[] = []
    const gate = Promise.withResolvers<void>()
    const found = registryOf([point(1), point(5)])
    let isMade = false
    const { ingest, tenants } = open({
      registry: {
        ...made,
        get: (id) => (isMade ? found : made).get(id),
        find: (_sn, ids) => {
          asked.push(ids)
          return asked.length > 1 ? undefined : gate.promise
        },
      },
    })
    const order: string[] = []
    const say = (MsgId: string, V: object) =>
      ingest.accept('GATEWAY1', 'data', message(now, { ...V }, { MsgId })).then((answer) => order.push(answer.MsgId!))
    const all = [say('a', { 5: 1 }), say('b', { 5: 2 }), say('c', { 1: 3 })]
    await new Promise(setImmediate)
    expect(order).toEqual([])
    isMade = true
    gate.resolve()
    await Promise.all(all)
    await say('d', { 99: 1 })
    expect({ order, asked }).toEqual({ order: ['a', 'b', 'c', 'd'], asked: [[5], [99]] })
    expect((await store.read([5], now, now + 1)).map((s) => s.value)).toEqual([2])
    expect(tenants.get(7)).toMatchObject({ received: 4, rejected: 1, byReason: { unknownPoint: 1 } })
  })

  test('a look-up that never ends holds up neither other gateways nor the end', async () => {
    const { ingest } = open({ registry: { ...registry, find: () => new Promise(() => {}) } })
    const stuck = ingest.accept('GATEWAY1', 'data', message(now, { 99: 1 }))
    const behind = ingest.accept('GATEWAY1', 'data', message(now, { 1: 1 }))
    await ingest.accept('GATEWAY2', 'data', message(now, { 11: 1 }))
    const refused = [stuck, behind].map((p) => expect(p).rejects.toMatchObject({ key: 'unavailable' }))
    await ingest.close()
    await Promise.all(refused)
  })

  test('counts every reading once: received = stored + replaced + rejected + live only', async () => {
    const { ingest, tenants } = open()
    await ingest.accept('GATEWAY1', 'data', message(now, { 1: 1, 2: 2, 3: 3, 99: 4, 11: 5 }))
    await ingest.accept('GATEWAY1', 'data', message(now, { 1: 1, 2: 'x' }))
    await ingest.accept('GATEWAY1', 'history', message(now - 5, { 1: 1, 2: 2 }, { history: true }))
    await ingest.accept('GATEWAY1', 'history', message(now - 5, { 1: 1 }, { history: true }))
    await ingest.accept('GATEWAY2', 'data', message(now, { 11: 1 }))
    await ingest.accept('GATEWAY1', 'data', Buffer.from('{'))
    expect(tenants.get(7)).toEqual({
      ...{ received: 11, stored: 4, replaced: 2, rejected: 4, liveOnly: 1 },
      byReason: { unknownPoint: 1, foreignPoint: 1, notANumber: 1, malformed: 1 },
    })
    expect(tenants.get(8)).toMatchObject({ received: 1, stored: 1 })
  })

  test('acknowledges a message whose readings are all bad, and keeps them with their reasons', async () => {
    const { ingest } = open()
    expect(await ingest.accept('EMPTY', 'data', message(now, { 1: 1 }, { MsgId: 'bad' }))).toEqual({ MsgId: 'bad', readings: 1 })
    expect(rejected.list({ EnterpriseId: 9, serials: ['EMPTY'], page: 1, size: 10 })).toMatchObject({
      TotalCount: 1,
      Items: [{ SN: 'EMPTY', reason: 'foreignPoint', detail: '1', received: now }],
    })
  })

  test('keeps few rows of much junk and counts each reading of it', async () => {
    const { ingest, tenants } = open()
    const junk = Buffer.from(`{"MsgId":"junk","Ts":1,"Data":{"Items":[${Array(80_000).fill('{}').join(',')}]}}`)
    const all = await Promise.all(Array.from({ length: 30 }, () => ingest.accept('EMPTY', 'data', junk)))
    expect(all[29]).toEqual({ MsgId: 'junk', readings: 80_000 })
    expect(tenants.get(9)).toMatchObject({ received: 2_400_000, rejected: 2_400_000, byReason: { malformed: 2_400_000 } })
    const { TotalCount, Items } = rejected.list({ EnterpriseId: 9, serials: ['EMPTY'], page: 1, size: 21 })
    expect(TotalCount).toBe(30 * 21)
    expect(Items.map((r) => r.detail)).toEqual(['79980 more of this message', ...Array(20).fill('D')])
  })

  test('has the event loop turn while many rows are kept', async () => {
    const added: number[] = []
    let turns = 0
    const { ingest } = open({
      rejected: {
        add: (rows) => {
          added.push(rows.length)
          setImmediate(() => turns++)
        },
      },
    })
    const junk = message(now, Object.fromEntries(Array.from({ length: 20 }, (_, i) => [100 + i, 1])))
    await Promise.all(Array.from({ length: 100 }, () => ingest.accept('EMPTY', 'data', junk)))
    expect(added.reduce((sum, n) => sum + n)).toBe(2000)
    expect(Math.max(...added)).toBeLessThanOrEqual(500)
    expect(turns).toBeGreaterThanOrEqual(added.length - 1)
  })

  test('counts and keeps what was refused before it came here', () => {
    const { ingest, tenants } = open()
    ingest.refuse('GATEWAY1', { reason: 'tooLarge', detail: '10000000', payload: '' })
    expect(tenants.get(7)).toMatchObject({ received: 1, rejected: 1, byReason: { tooLarge: 1 } })
    expect(rejected.list({ EnterpriseId: 7, serials: ['GATEWAY1'], page: 1, size: 10 }).Items).toMatchObject([
      { SN: 'GATEWAY1', reason: 'tooLarge' },
    ])
  })

  test('notifies listeners after the commit, separately for live and back-filled readings, also live-only ones', async () => {
    const { ingest } = open()
    const heard: unknown[] = []
    ingest.onStored((stored, live, { first, last }) =>
      heard.push([live, stored.map((s) => [s.point, s.value, s.n === 0 ? 'unstored' : s.n - first]), last - first]),
    )
    await ingest.accept('GATEWAY1', 'data', message(now, { 1: 1, 3: 5 }))
    await ingest.accept('GATEWAY1', 'history', message(now - 9, { 2: 2 }, { history: true }))
    expect(heard).toEqual([
      [
        true,
        [
          [1, 1, 0],
          [3, 5, 'unstored'],
        ],
        0,
      ],
      [false, [[2, 2, 0]], 0],
    ])
  })

  test('gathers what comes during a commit into the next one, in order', async () => {
    const { gates, store } = gated()
    const { ingest } = open({ store })
    const batches: number[] = []
    ingest.onStored((stored) => batches.push(stored.length))
    const send = (i: number) => ingest.accept('GATEWAY1', 'data', message(now + i, { 1: i }))
    const one = send(0)
    await settled(() => gates.length > 0)
    const others = Array.from({ length: 49 }, (_, i) => send(i + 1))
    for (let commits = 0; commits < 2; commits++) {
      await settled(() => gates.length > 0)
      gates.shift()!()
    }
    await Promise.all([one, ...others])
    expect(batches).toEqual([1, 49])
    expect((await store.since(0)).map((s) => s.value)).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })

  test('a gateway that sends little is in the next commit, however much another one, or another tenant, has in the queue', async () => {
    const { gates, store } = gated()
    const both = registryOf([point(1), point(2, { SN: 'GATEWAY3' }), point(11, { SN: 'GATEWAY2', EnterpriseId: 8 })])
    const { ingest } = open({ store, registry: both, batchSize: 3300 })
    const commits: Record<string, number>[] = []
    ingest.onStored((stored) => {
      const of = (id: number) => stored.filter((s) => s.point === id).length
      commits.push({ flood: of(1), little: of(2), elsewhere: of(11) })
    })
    const all = Array.from({ length: 2000 }, (_, i) => ingest.accept('GATEWAY1', 'data', message(now + i, { 1: i })))
    await settled(() => gates.length > 0)
    all.push(ingest.accept('GATEWAY3', 'data', message(now, { 2: 1 })), ingest.accept('GATEWAY2', 'data', message(now, { 11: 1 })))
    let over = false
    void Promise.all(all).then(() => {
      over = true
    })
    while (!over) {
      gates.shift()?.()
      await new Promise(setImmediate)
    }
    expect(commits[1]).toMatchObject({ little: 1, elsewhere: 1 })
    expect(commits.reduce((n, { flood }) => n + flood!, 0)).toBe(2000)
    // A commit is bounded by its cost, and the flood gets the rest of each.
    expect(commits.length).toBeGreaterThan(5)
    for (const { flood } of commits.slice(1, -1)) expect(flood).toBeGreaterThan(150)
  })

  test('takes no more than fits into memory, and refuses what is over', async () => {
    const { gates, store } = gated()
    const payload = message(now, { 1: 1 })
    const { ingest } = open({ store, maxBytes: payload.length * 6 })
    const results = Array.from({ length: 7 }, () =>
      ingest.accept('GATEWAY1', 'data', payload).then(
        () => 'stored',
        (error) => error.key,
      ),
    )
    expect(await results[6]).toBe('unavailable')
    expect(ingest.pending()).toBe(payload.length * 6)
    let over = false
    void Promise.all(results).then(() => {
      over = true
    })
    while (!over) {
      gates.shift()?.()
      await new Promise(setImmediate)
    }
    expect((await Promise.all(results)).slice(0, 6)).toEqual(Array(6).fill('stored'))
    expect(ingest.pending()).toBe(0)
  })

  test('tries the same batch again when the store fails, and acknowledges only then', async () => {
    let failures = 1
    const failing: Store = { ...store, append: (...args) => (failures-- > 0 ? Promise.reject(new Error('disk')) : store.append(...args)) }
    const { ingest, tenants } = open({ store: failing })
    await ingest.accept('GATEWAY1', 'data', message(now, { 1: 1 }))
    expect(problems).toEqual(['readings could not be stored, trying again'])
    expect(await store.read([1], now, now + 1)).toHaveLength(1)
    expect(tenants.get(7)).toMatchObject({ received: 1, stored: 1 })
  })

  test('refuses when the disk budget is used up and after closing; closing commits what was taken', async () => {
    let room = true
    const { ingest } = open({ hasRoom: () => room })
    room = false
    await expect(ingest.accept('GATEWAY1', 'data', message(now, { 1: 1 }))).rejects.toMatchObject({ key: 'unavailable' })
    room = true
    const taken = ingest.accept('GATEWAY1', 'data', message(now, { 1: 1 }))
    await Promise.resolve()
    await ingest.close()
    expect(await taken).toEqual({ MsgId: 'm', readings: 1 })
    await expect(ingest.accept('GATEWAY1', 'data', message(now, { 1: 1 }))).rejects.toMatchObject({ key: 'unavailable' })
    expect(await store.read([1], now, now + 1)).toHaveLength(1)
  })
})
