// Conformance suite of all drivers, with the real scheduler and a device that misbehaves on command.
import { afterEach, describe, expect, test } from 'vitest'
import { Quality } from '../../contract/telemetry.ts'
import { Channel } from '../poll/channel.ts'
import type { Item } from '../poll/taking.ts'
import type { Behaviour } from '../testing/raw.ts'
import { channelRow } from '../testing/rows.ts'
import type { ChannelRow, DeviceRow, OpenDriver, PointRow } from './driver.ts'

/** Test device: points 1 to 100 contain their number; point 101 does not exist. */
export type Peer = {
  /** Channel settings to reach it. */
  channel: Partial<ChannelRow>
  devices?: readonly DeviceRow[]
  /** A writable point by its number, with a short timeout. */
  point(n: number, change?: Partial<PointRow>): PointRow
  /** A point of a second device on the line, which never answers; undefined if the line has only one device. */
  hung?(n: number): PointRow
  behave(how: Behaviour): void
  /** Current value of a point in the device. */
  value(n: number): number
  /** Closes all connections. */
  cut(): void
  /** Number of open connections. */
  connections(): number
  close(): Promise<void> | void
}
type Options = {
  /** Faults that the protocol cannot express: it has no refusals, or no invalid frames. */
  without?: readonly Behaviour[]
  /** The protocol is read-only. */
  isReadOnly?: boolean
}

const absent = 101
const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
const within = { timeout: 60_000, interval: 10 }

type Suite = { openDriver: OpenDriver; startPeer: () => Promise<Peer>; without: readonly Behaviour[]; isReadOnly: boolean }
/** Starts devices and channels, and closes them after each test. */
const bench = ({ openDriver, startPeer }: Suite) => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const opening = (peer: Peer) => {
    const channel = channelRow(0, { Id: 1, ...peer.channel })
    return { channel, devices: peer.devices ?? [], now: Date.now }
  }
  return {
    peer: async () => {
      const peer = await startPeer()
      closing.push(() => peer.close())
      return peer
    },
    driver: (peer: Peer) => {
      const driver = openDriver({ ...opening(peer), changed: () => {} })
      closing.push(() => driver.close())
      return driver
    },
    run: (peer: Peer, points: readonly PointRow[]) => {
      const items: Item[] = []
      const channel = new Channel({
        channel: opening(peer).channel,
        points,
        open: (changed) => openDriver({ ...opening(peer), changed }),
        now: Date.now,
        emit: (item) => void items.push(item),
        onChannel: () => {},
        onDevice: () => {},
        onFirst: () => {},
        reconnectMs: { min: 1, max: 5 },
      })
      closing.push(() => channel.close())
      channel.start()
      const last = (n: number) => {
        const found = items.findLast(({ V }) => n in V)
        return found && [found.V[n], found.Q?.[n] ?? 0]
      }
      return { channel, items, last }
    },
  }
}

const values = (suite: Suite) => {
  const on = bench(suite)
  test('reads a hundred points, each with its own value', async () => {
    const peer = await on.peer()
    const { last } = on.run(
      peer,
      hundred.map((n) => peer.point(n)),
    )
    await expect.poll(() => hundred.map((n) => last(n)), within).toEqual(hundred.map((n) => [n, Quality.good]))
  })

  test('an address that does not exist spoils none of its hundred neighbours', async () => {
    const peer = await on.peer()
    const { last, channel } = on.run(
      peer,
      [...hundred.slice(0, 50), absent, ...hundred.slice(50)].map((n) => peer.point(n)),
    )
    await expect.poll(() => last(absent), within).toEqual([null, Quality.notConfigured])
    await expect.poll(() => hundred.map((n) => last(n)), within).toEqual(hundred.map((n) => [n, Quality.good]))
    expect(channel.health.rows[0]).toMatchObject({ Status: 1 })
  })

  test.skipIf(suite.isReadOnly)('writes a value and reads it back from the device', async () => {
    const peer = await on.peer()
    const { channel } = on.run(peer, [])
    expect(await channel.write(peer.point(5), 55, true)).toMatchObject({ value: 55, quality: Quality.good })
    expect(peer.value(5)).toBe(55)
  })
}

const faults = (suite: Suite) => {
  const on = bench(suite)
  test.each(
    (
      [
        ['silent', Quality.timeout],
        ['refused', Quality.exception],
        ['garbled', Quality.exception],
        ['cut', Quality.timeout],
        ['late', Quality.timeout],
      ] as const
    ).filter(([how]) => !suite.without.includes(how)),
  )('a device that is %s gives quality %i, and good values as soon as it is well again', async (how, quality) => {
    const peer = await on.peer()
    const { last } = on.run(peer, [peer.point(1)])
    await expect.poll(() => last(1), within).toEqual([1, Quality.good])
    peer.behave(how)
    await expect.poll(() => last(1)?.[0], within).toBeNull()
    // A truncated frame is a timeout, or garbage where the framing shows its end.
    expect([quality, ...(how === 'cut' ? [Quality.exception] : [])]).toContain(last(1)![1])
    peer.behave('good')
    await expect.poll(() => last(1), within).toEqual([1, Quality.good])
  })

  test('an answer that comes late is never taken for that of another point', async () => {
    const peer = await on.peer()
    const { items, channel } = on.run(peer, [])
    peer.behave('late')
    for (const n of [1, 2, 3]) await channel.read([peer.point(n)]).catch(() => undefined)
    peer.behave('good')
    const read = await channel.read([peer.point(7)]).catch(() => channel.read([peer.point(7)]))
    expect(read).toEqual([expect.objectContaining({ value: 7, quality: Quality.good })])
    for (const { V } of items) for (const [id, value] of Object.entries(V)) expect([Number(id), null]).toContain(value)
  })
}

const connections = (suite: Suite) => {
  const on = bench(suite)
  test('two hundred lost connections leave no timer and no socket', async () => {
    const peer = await on.peer()
    const { last, channel } = on.run(peer, [peer.point(1)])
    await expect.poll(() => last(1), within).toEqual([1, Quality.good])
    const resources = () => process.getActiveResourcesInfo().length
    const before = resources()
    for (let i = 0; i < 200; i++) {
      peer.cut()
      await channel.read([peer.point(1)]).catch(() => undefined)
    }
    await expect.poll(() => last(1), within).toEqual([1, Quality.good])
    await expect.poll(() => peer.connections(), within).toBeLessThanOrEqual(1)
    await expect.poll(resources, within).toBeLessThanOrEqual(before + 5)
  })

  test('a device that hangs does not hold up the one beside it', async (context) => {
    const peer = await on.peer()
    const hung = peer.hung?.(2)
    if (!hung) return context.skip()
    const { items, last } = on.run(peer, [peer.point(1), hung])
    await expect.poll(() => last(2), within).toEqual([null, Quality.timeout])
    const good = () => items.filter(({ V }) => V[1] === 1).length
    const before = good()
    await expect.poll(good, within).toBeGreaterThan(before + 8)
  })

  test('a channel that is closed leaves no connection', async () => {
    const peer = await on.peer()
    const { last, channel } = on.run(peer, [peer.point(1)])
    await expect.poll(() => last(1), within).toEqual([1, Quality.good])
    await channel.close()
    await expect.poll(() => peer.connections(), within).toBe(0)
  })

  test('its frames can be traced, and not after the trace has ended', async () => {
    const peer = await on.peer()
    const driver = on.driver(peer)
    const frames: { isSent: boolean; meaning: string }[] = []
    driver.trace?.((frame) => void frames.push(frame))
    await driver.connect()
    const read = async () => {
      for (const block of driver.plan([peer.point(1)])) await driver.read(block)
    }
    await read()
    expect(new Set(frames.map(({ isSent }) => isSent))).toEqual(new Set([true, false]))
    expect(frames.every(({ meaning }) => meaning.length > 3)).toBe(true)
    driver.trace?.(undefined)
    const before = frames.length
    await read()
    expect(frames).toHaveLength(before)
  })
}

/** Registers the suite for a driver. */
export const conformance = (
  name: string,
  openDriver: OpenDriver,
  startPeer: () => Promise<Peer>,
  { without = [], isReadOnly = false }: Options = {},
) =>
  describe(`${name} keeps what every driver keeps`, () => {
    const suite = { openDriver, startPeer, without, isReadOnly }
    describe('values', () => values(suite))
    describe('faults', () => faults(suite))
    describe('connections', () => connections(suite))
  })
