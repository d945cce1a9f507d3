// Unsolicited values: monitored items of one subscription (Part 4, 5.13 and 5.14).
import { AttributeIds, ClientSubscription, type DataValue, TimestampsToReturn } from 'node-opcua-client'
import { Quality } from '../../../contract/telemetry.ts'
import type { Arrived, PointRow } from '../driver.ts'
import type { OpcLink } from './link.ts'
import { nodeIdOf, placeOfNode } from './nodes.ts'
import { badReading, isBad, readingOfDataValue } from './values.ts'

/** Minimum publishing interval of a subscription, ms; and changes that an item queues in between. */
const [shortestMs, queueSize] = [50, 20]
/** Age of a source's value that still counts as the present value, ms. */
const presentMs = 60_000

type Listening = {
  link: OpcLink
  points: readonly PointRow[]
  now: () => number
  arrived(readings: readonly Arrived[]): void
  lost(): void
}

/** Subscribes to points until the session ends. Present values come first. */
export const listen = async ({ link, points, now, arrived, lost }: Listening) => {
  const { session, namespaces, limits } = link.now
  let waiting: Arrived[] = []
  const hand = (one: Arrived) => {
    // Values of one message are uploaded together.
    if (!waiting.length)
      setImmediate(() => {
        const some = waiting
        waiting = []
        arrived(some)
      })
    waiting.push(one)
  }
  const subscription = ClientSubscription.create(session, {
    requestedPublishingInterval: Math.max(shortestMs, Math.min(...points.map((p) => p.CollectPeriod))),
    ...{ requestedLifetimeCount: 600, requestedMaxKeepAliveCount: 20, publishingEnabled: true, maxNotificationsPerPublish: 0 },
  })
  subscription.on('terminated', lost)
  subscription.on('internal_error', lost)

  const monitor = async (some: readonly PointRow[], samplingInterval: number) => {
    const known = some.flatMap((point) => {
      const nodeId = nodeIdOf(placeOfNode(point).node, namespaces)
      if (!nodeId) hand({ point, reading: { value: null, quality: Quality.notConfigured } })
      return nodeId ? [{ point, nodeId }] : []
    })
    if (!known.length) return
    const isFirst = new Set(known.map(({ point }) => point))
    const items = known.map(({ nodeId }) => ({ nodeId, attributeId: AttributeIds.Value }))
    const group = await subscription.monitorItems(items, { samplingInterval, discardOldest: true, queueSize }, TimestampsToReturn.Source)
    group.on('changed', (_item, data: DataValue, i) => {
      const { point } = known[i]!
      const reading = readingOfDataValue(point, placeOfNode(point).index, data, true)
      const { time, ...present } = reading
      const isPresent = isFirst.delete(point) && time !== undefined && now() - time > presentMs
      hand({ point, reading: isPresent ? present : reading })
    })
    group.monitoredItems.forEach(({ statusCode }, i) => {
      if (isBad(statusCode)) hand({ point: known[i]!.point, reading: badReading(statusCode) })
    })
  }
  for (const [period, same] of Map.groupBy(points, (p) => p.CollectPeriod))
    for (let at = 0; at < same.length; at += limits.monitored) await monitor(same.slice(at, at + limits.monitored), period)
}
