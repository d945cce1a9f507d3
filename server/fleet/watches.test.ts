import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveValue } from '../../contract/hub.ts'
import { hasNats, startNats } from '../../main/testing/nats.ts'
import { openNats } from './natsConnection.ts'
import { openWatches, serveWatches } from './watches.ts'

const log = pino({ level: 'silent' })
const live = (point: number, time = 1000): LiveValue => [point, time, point / 2, 0]

describe.skipIf(!hasNats)('points that other processes watch (skipped without nats-server)', () => {
  let nats: Awaited<ReturnType<typeof startNats>>
  beforeAll(async () => {
    nats = await startNats()
  })
  afterAll(() => nats?.remove())

  const open = async (owner: () => string | undefined) => {
    const [atOwner, beside] = [await openNats(nats.url, 'owner', log), await openNats(nats.url, 'beside', log)]
    let missed = 0
    const served = serveWatches(atOwner, 'first', (point) => (point < 9000 ? live(point) : undefined))
    // The server of NATS knows the subscription once a request on the same connection is answered.
    await atOwner.request(
      atOwner.subject('owner', 'first', 'watch'),
      JSON.stringify({ process: 'probe', add: [], remove: [], size: 0 }),
      10_000,
    )
    const watches = openWatches({ nats: beside, process: 'one', owner, missed: () => missed++ })
    const close = async () => {
      watches.close()
      served.close()
      await atOwner.close()
      await beside.close()
    }
    return { served, watches, missed: () => missed, close }
  }

  test('its latest value is there once a point is watched, and it is not watched any more when nobody looks', async () => {
    const { served, watches, missed, close } = await open(() => 'first')
    await Promise.all([watches.watch([1, 2]), watches.watch([2, 9001])])
    expect([1, 2, 9001, 3].map(watches.latest)).toEqual([live(1), live(2), undefined, undefined])
    expect([1, 2, 9001, 3].map(served.has)).toEqual([true, true, true, false])
    watches.take([live(1, 3000), live(3, 3000)])
    expect([watches.latest(1), watches.latest(3)]).toEqual([live(1, 3000), undefined])
    watches.leave(2)
    await expect.poll(() => served.has(2), { timeout: 10_000 }).toBe(false)
    await watches.watch([2])
    expect(served.has(2)).toBe(true)
    expect(missed()).toBe(0)
    await close()
  })

  test('many points are asked for in parts', async () => {
    const { served, watches, close } = await open(() => 'first')
    const points = Array.from({ length: 12_000 }, (_, i) => i + 1)
    await watches.watch(points)
    expect(points.every(served.has)).toBe(true)
    expect(watches.latest(8999)).toEqual(live(8999))
    await close()
  })

  test('an owner that does not know what is watched, or none, makes consoles subscribe again', async () => {
    let owner: string | undefined = 'first'
    const { served, watches, missed, close } = await open(() => owner)
    await watches.watch([1])
    owner = undefined
    await watches.watch([2])
    expect(missed()).toBe(1)
    owner = 'first'
    // The next request replaces the owner's list.
    await watches.watch([3])
    expect(missed()).toBe(1)
    expect([1, 2, 3].map(served.has)).toEqual([true, true, true])
    await close()
  })

  test('consoles that subscribe again at the same owner stay', async () => {
    const { served, watches, missed, close } = await open(() => 'first')
    await watches.watch([1, 2, 3])
    watches.reset()
    await watches.watch([2])
    expect(missed()).toBe(0)
    expect([1, 2, 3].map(served.has)).toEqual([false, true, false])
    await close()
  })

  test('a point whose last subscriber leaves while it is requested is watched no longer', async () => {
    const { served, watches, missed, close } = await open(() => 'first')
    const asked = watches.watch([1, 2])
    watches.leave(1)
    const again = watches.watch([3])
    watches.leave(3)
    const back = watches.watch([3])
    await Promise.all([asked, again, back])
    watches.leave(2)
    await watches.watch([2])
    await expect.poll(() => [1, 2, 3].map(served.has), { timeout: 10_000 }).toEqual([false, true, true])
    expect(watches.latest(2)).toEqual(live(2))
    expect(missed()).toBe(0)
    await close()
  })

  test('however many points lose their last subscriber at once, no console is cut', async () => {
    const { served, watches, missed, close } = await open(() => 'first')
    const points = Array.from({ length: 120_000 }, (_, i) => 100_000_000 + i)
    await watches.watch(points)
    for (const point of points) watches.leave(point)
    await expect.poll(() => points.some(served.has), { timeout: 10_000 }).toBe(false)
    expect(missed()).toBe(0)
    await close()
  })
})
