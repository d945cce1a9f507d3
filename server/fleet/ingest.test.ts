// Processes that store readings, and the owner that numbers and judges them, over a real NATS server.
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasNats, startNats } from '../../main/testing/nats.ts'
import { createArrivalOrder } from '../telemetry/arrivalOrder.ts'
import type { Commit } from '../telemetry/commit.ts'
import { createCounters } from '../telemetry/counters.ts'
import { nothingDecoded } from '../telemetry/decode.ts'
import { hearElsewhere } from '../telemetry/elsewhere.ts'
import { createLateCounts } from '../telemetry/late.ts'
import type { Rejected } from '../telemetry/sample.ts'
import { openNumbers } from '../telemetry/store/clickhouse/numbers.ts'
import { followOwner } from './followOwner.ts'
import { keys } from './harness.ts'
import { openIngestEnd } from './ingestEnd.ts'
import { serveIngest } from './ingestMembers.ts'
import { openNats } from './natsConnection.ts'
import { startOwnerEnd } from './ownerEnd.ts'

const log = pino({ level: 'silent' })
const tenant = 7

/** A message of one gateway: live readings of these points, and a late one. */
const commitOf = (points: readonly number[], first: number): Commit => {
  const rows = points.map((point, i) => ({
    point,
    time: 1000 + i,
    value: i % 2 ? null : point / 3,
    quality: i % 2,
    live: true,
    n: first + i,
  }))
  const late = { point: 900, time: 5, value: 1, quality: 0, live: false, n: first + rows.length }
  const liveOnly = [{ point: 800, time: 7, value: 8, quality: 0, live: true, n: 0 }]
  const decoded = { ...nothingDecoded(), samples: [...rows, late], liveOnly }
  const message = { sn: 'PUMPHOUSE1', bytes: 1, received: 1, decoded, done: () => undefined, fail: () => undefined }
  return { messages: [message], rows: decoded.samples, doubtful: [], replaced: [], first }
}

describe.skipIf(!hasNats)('processes that store readings (skipped without nats-server)', () => {
  let nats: Awaited<ReturnType<typeof startNats>>
  const closers: (() => unknown)[] = []
  const opened = <T>(thing: T, close: (thing: T) => unknown) => {
    closers.push(() => close(thing))
    return thing
  }
  beforeEach(async () => {
    nats = await startNats()
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
    await nats.remove()
  })

  const openOwner = async (epoch = 1) => {
    const numbers = openNumbers(() => 1000)
    const order = createArrivalOrder({ reserve: numbers.take, top: numbers.top })
    const [counters, late] = [createCounters(), createLateCounts(Date.now)]
    const told: { points: number[]; ns: number[] }[] = []
    const rejected: Rejected[] = []
    const state = { isOwner: true, hasRoom: true }
    const tell = (live: readonly { point: number; n: number }[]) =>
      void told.push({ points: live.map(({ point }) => point), ns: live.map(({ n }) => n) })
    const elsewhere = hearElsewhere({
      order,
      counters,
      late,
      rejected: {
        add: (rows) => {
          if (!state.hasRoom) throw new Error('disk full')
          rejected.push(...rows)
        },
      },
      tell,
    })
    const seen: string[] = []
    const connection = await openNats(nats.url, 'owner', log)
    const owner = `owner${epoch}`
    const members = serveIngest({
      ...{ nats: connection, owner, schema: '0001_first.sql', elsewhere, log },
      isOwner: () => state.isOwner,
      seen: (sn) => void seen.push(sn),
      changed: () => end?.announce(),
    })
    let end: Awaited<ReturnType<typeof startOwnerEnd>> | undefined
    end = await startOwnerEnd({
      ...{ nats: connection, owner, epoch, ingest: members.names, log },
      authenticate: async (sn, password) => keys.get(sn) === password.toString(),
      proofOf: () => '',
      outdated: async () => [],
      tenantOf: () => tenant,
      onMessage: async () => undefined,
      refused: () => undefined,
    })
    const close = async () => {
      members.close()
      await end?.close()
    }
    return opened({ order, counters, late, told, rejected, seen, members, state, close }, (o) => o.close())
  }
  const openProcess = async (schema = '0001_first.sql') => {
    const owner = opened(await followOwner(nats.url, log), (o) => o.close())
    const dropped = { count: 0 }
    const end = openIngestEnd({ owner, schema, tenantOf: () => tenant, log })
    end.start({ take: async () => ({ readings: 0 }), dropWaiting: () => void dropped.count++ })
    opened(end, (e) => e.close())
    return { end, settling: end.settling, owner, dropped }
  }
  type Process = Awaited<ReturnType<typeof openProcess>>
  const reserve = async ({ settling }: Process, amount: number) => await settling.reserve!(amount)
  const known = (owner: Awaited<ReturnType<typeof openOwner>>, count: number) =>
    vi.waitFor(() => expect(owner.members.names()?.length).toBe(count), 10_000)

  test('readings are delivered in the order of their numbers, and counted once', async () => {
    const owner = await openOwner()
    const [left, right] = [await openProcess(), await openProcess()]
    await known(owner, 2)
    const [a, b] = [await reserve(left, 4), await reserve(right, 3)]
    expect(await right.settling.settle(commitOf([3, 4], b))).toBe(true)
    expect(owner.told).toEqual([])
    expect(await left.settling.settle(commitOf([1, 2, 5], a))).toBe(true)
    expect(owner.told).toEqual([
      { points: [1, 2, 5, 800], ns: [a, a + 1, a + 2, 0] },
      { points: [3, 4, 800], ns: [b, b + 1, 0] },
    ])
    expect(owner.counters.tenants.get(tenant)).toMatchObject({ received: 9, stored: 7, liveOnly: 2 })
    expect(owner.late.get(900, 0, Number.MAX_SAFE_INTEGER)).toEqual({ late: 2, replaced: 0 })
    expect(owner.seen).toEqual(['PUMPHOUSE1', 'PUMPHOUSE1'])
    const row: Rejected = {
      EnterpriseId: tenant,
      SN: 'PUMPHOUSE1',
      reason: 'malformed',
      detail: 'x',
      received: 1,
      payload: 'é'.repeat(4000),
    }
    await left.settling.keep(Array.from({ length: 250 }, () => row))
    expect([owner.rejected.length, owner.rejected[249]]).toEqual([250, row])
  })

  test('refused readings of any size leave in frames that NATS takes, and hold up nothing where the owner has no room for them', async () => {
    const owner = await openOwner()
    const process = await openProcess()
    await known(owner, 1)
    const of = { EnterpriseId: tenant, SN: 'PUMPHOUSE1', reason: 'malformed' as const, detail: 'x', received: 1 }
    const rows = ['\0', '中', 'x'].flatMap((letter) => Array.from({ length: 100 }, () => ({ ...of, payload: letter.repeat(4096) })))
    await process.settling.keep(rows)
    expect(owner.rejected).toEqual(rows)
    owner.state.hasRoom = false
    await process.settling.keep(rows.slice(0, 1))
    expect(await process.settling.settle(commitOf([1], await reserve(process, 2)))).toBe(true)
  })

  test('a commit of more readings than a frame holds arrives whole', async () => {
    const owner = await openOwner()
    const process = await openProcess()
    await known(owner, 1)
    const points = Array.from({ length: 20_000 }, (_, i) => i + 1)
    const first = await reserve(process, points.length + 1)
    expect(await process.settling.settle(commitOf(points, first))).toBe(true)
    expect(owner.told[0]!.points).toEqual([...points, 800])
    expect(owner.told[0]!.ns.at(-2)).toBe(first + 19_999)
  })

  test('a process that held its numbers for too long while others waited stores under others', async () => {
    const owner = await openOwner()
    const [slow, quick] = [await openProcess(), await openProcess()]
    await known(owner, 2)
    const [a, b] = [await reserve(slow, 2), await reserve(quick, 2)]
    await quick.settling.settle(commitOf([2], b))
    await vi.waitFor(() => expect(owner.told.length).toBe(1), 20_000)
    expect(await slow.settling.settle(commitOf([1], a))).toBe(false)
    const again = await reserve(slow, 2)
    expect(await slow.settling.settle(commitOf([1], again))).toBe(true)
    expect(owner.told.map(({ points }) => points[0])).toEqual([2, 1])
  })

  test('with too many readings in memory others wait, but not the process for which all wait', async () => {
    const owner = await openOwner()
    const [first, second] = [await openProcess(), await openProcess()]
    await known(owner, 2)
    const [a, large, b] = [await reserve(first, 2), owner.order.reserve(600_000), await reserve(second, 2)]
    owner.order.stored(large, 600_000)
    const settled = vi.fn()
    const settling = second.settling.settle(commitOf([2], b)).then(settled)
    await new Promise((done) => setTimeout(done, 500))
    expect(settled.mock.calls).toEqual([])
    expect(await first.settling.settle(commitOf([1], a))).toBe(true)
    await settling
    expect([settled.mock.calls, owner.told.map(({ points }) => points[0])]).toEqual([[[true]], [1, 2]])
  })

  test('the next owner takes nothing under numbers of the one before', async () => {
    const before = await openOwner(1)
    const process = await openProcess()
    await known(before, 1)
    const first = await reserve(process, 2)
    await before.close()
    const after = await openOwner(2)
    expect(await process.settling.settle(commitOf([1], first))).toBe(false)
    expect(await process.settling.settle(commitOf([1], await reserve(process, 2)))).toBe(true)
    expect([before.told.length, after.told.length]).toEqual([0, 1])
  })

  test('an owner that may not be one any more answers nothing', async () => {
    const owner = await openOwner()
    const process = await openProcess()
    await known(owner, 1)
    const first = await reserve(process, 2)
    owner.state.isOwner = false
    const settled = vi.fn()
    const settling = process.settling.settle(commitOf([1], first)).then(settled)
    await new Promise((done) => setTimeout(done, 2500))
    expect([settled.mock.calls.length, owner.told.length]).toEqual([0, 0])
    owner.state.isOwner = true
    await settling
    expect([settled.mock.calls, owner.told.length]).toEqual([[[true]], 1])
  })

  test('a process that is counted as gone finishes nothing, and goes on under another name', async () => {
    const owner = await openOwner()
    const process = await openProcess()
    await known(owner, 1)
    const [name] = owner.members.names()!
    const first = await reserve(process, 2)
    // As when it is stopped: the owner hears that it ends.
    const connection = opened(await openNats(nats.url, 'somebody', log), (c) => c.close())
    connection.publish(connection.subject('storing', 'owner1', 'left', name!), '')
    await vi.waitFor(() => expect(owner.members.names()).toEqual([]), 10_000)
    expect(await process.settling.settle(commitOf([1], first))).toBe(false)
    await expect(reserve(process, 2)).rejects.toMatchObject({ key: 'unavailable' })
    expect([owner.told.length, process.dropped.count]).toEqual([0, 1])
    await known(owner, 1)
    expect(owner.members.names()).not.toEqual([name])
    expect(await process.settling.settle(commitOf([1], await reserve(process, 2)))).toBe(true)
  })

  test('readings that are not stored end as well, where the process is counted as gone', async () => {
    const owner = await openOwner()
    const process = await openProcess()
    await known(owner, 1)
    const liveOnly = { ...commitOf([], 0), rows: [] }
    liveOnly.messages[0]!.decoded.samples.splice(0)
    expect(await process.settling.settle(liveOnly)).toBe(true)
    expect(owner.told).toEqual([{ points: [800], ns: [0] }])
    const connection = opened(await openNats(nats.url, 'somebody', log), (c) => c.close())
    connection.publish(connection.subject('storing', 'owner1', 'left', owner.members.names()![0]!), '')
    await vi.waitFor(() => expect(owner.members.names()).toEqual([]), 10_000)
    await expect(process.settling.settle(liveOnly)).rejects.toMatchObject({ key: 'unavailable' })
  })

  test('a process of another version is not used', async () => {
    const owner = await openOwner()
    await openProcess('0002_second.sql')
    await openProcess()
    await known(owner, 1)
    await new Promise((done) => setTimeout(done, 1500))
    expect(owner.members.names()?.length).toBe(1)
  })
})
