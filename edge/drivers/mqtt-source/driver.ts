import { mqttSource as protocol } from '../../../contract/protocols/mqtt-source.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { anywhere } from '../../outbound.ts'
import { type Arrived, type Block, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { messageOf, openMessages } from '../messages.ts'
import { MqttLink } from './link.ts'
import { placeOf, Topics } from './topics.ts'

type MqttBlock = Block & { timeoutMs: number }

/** Minimum and maximum interval of the check for silence, and pause of a refused topic, ms. */
const [shortestLookMs, longestLookMs, refusedMs] = [50, 5000, 60_000]

const bad = (quality: number) => (): Reading => ({ value: null, quality })

/** Driver for topics of a foreign broker; values are unsolicited. */
export const mqttSource: OpenDriver = ({ channel, changed, outbound = anywhere }): Driver<MqttBlock> => {
  const messages = openMessages(channel)
  const silentMs = Number(settingOf(protocol.channel, channel.Settings, 'SilentAfter')) * 1000
  const topics = new Topics()
  /** Time at which each topic was last received, or counted as silent. */
  const lastOf = new Map<string, number>()
  let refused: string[] = []
  let receive: ((readings: readonly Arrived[]) => void) | undefined
  let timers: NodeJS.Timeout[] = []

  const rest = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
    receive = undefined
    refused = []
    lastOf.clear()
    topics.clear()
  }
  const hand = (topic: string, readingOf: (point: PointRow) => Reading) => {
    const arrived = topics.heard(topic, readingOf)
    if (arrived.length) receive?.(arrived)
  }
  const link = new MqttLink({
    ...{ channel, outbound },
    arrived: (topic, payload) => {
      // A broker may send topics without a subscription.
      if (!topics.has(topic)) return
      lastOf.set(topic, performance.now())
      const message = messageOf(payload.toString('utf8'))
      hand(topic, (point) => messages.read(point, message, placeOf(point).path))
    },
    lost: () => {
      rest()
      changed()
    },
  })
  /** Subscribes to topics; reports the points of refused ones. */
  const subscribe = async (some: readonly string[]) => {
    const no = await link.subscribe(some)
    refused = [...new Set([...refused.filter((topic) => !some.includes(topic)), ...no])]
    for (const topic of no) hand(topic, bad(Quality.exception))
  }
  const lookForSilence = () => {
    const due = performance.now() - silentMs
    for (const [topic, last] of lastOf) {
      if (last > due || refused.includes(topic)) continue
      lastOf.set(topic, performance.now())
      hand(topic, bad(Quality.timeout))
    }
  }

  return {
    plan: (points) => (points.length ? [{ points, unit: 0, gapMs: 0, timeoutMs: Math.max(...points.map((p) => p.Timeout)) }] : []),
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: async () => {
      rest()
      await link.connect()
    },
    listens: () => true,
    listen: async (points, arrived) => {
      receive = arrived
      const fresh = topics.want(points)
      for (const topic of fresh) lastOf.set(topic, performance.now())
      if (silentMs > 0) timers.push(setInterval(lookForSilence, Math.min(longestLookMs, Math.max(shortestLookMs, silentMs / 4))))
      timers.push(setInterval(() => void (refused.length && subscribe(refused).catch(() => undefined)), refusedMs))
      await subscribe(fresh)
    },
    /** An immediate read: the last value, or the next one within the timeout. */
    read: async ({ points, timeoutMs }) => {
      const fresh = topics.want(points)
      if (fresh.length) await subscribe(fresh)
      await topics.wait(points, timeoutMs, () => !link.connected)
      if (!points.some((point) => topics.last(point))) throw new DriverFault('silent', `no message within ${timeoutMs} ms`)
      return points.map((point) => topics.last(point) ?? bad(Quality.timeout)())
    },
    write: () => Promise.reject(new DriverFault('refused', 'values of a broker are only read')),
    close: () => {
      rest()
      link.close()
    },
    unitOf: ({ DeviceId }) => DeviceId,
    trace: (to) => link.trace(to),
  }
}

export default mqttSource
