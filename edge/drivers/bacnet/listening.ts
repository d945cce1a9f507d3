// Change-of-value subscriptions (clause 13.1). Devices without COV are polled.
import { properties } from '../../../contract/protocols/bacnet.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { type Arrived, DriverFault, type PointRow, type Reading } from '../driver.ts'
import { type Property, service, subscribeBody } from './frames.ts'
import { type BacnetLink, Refused } from './link.ts'
import { readingOfElements } from './values.ts'

/** Subscription lifetime and renewal interval. A failed renewal reveals a device that has gone. */
export const [lifetimeSeconds, renewMs] = [120, 30_000]

export type Subscribing = {
  link: BacnetLink
  points: readonly PointRow[]
  placeOf(point: PointRow): Property
  instanceOf(point: PointRow): number
  /** Reads points of one device. */
  read(points: readonly PointRow[]): Promise<Reading[]>
  arrived(readings: readonly Arrived[]): void
  everyMs?: number
}

const keyOf = (instance: number, object: number, number: number) => `${instance}/${object}/${number}`

/** Subscribes to the values of points, until the function that it returns is called. */
export const subscribe = async ({ link, points, placeOf, instanceOf, read, arrived, everyMs = renewMs }: Subscribing) => {
  const process = 1 + Math.floor(Math.random() * 0x3ffffe)
  const byObject = Map.groupBy(points, (p) => keyOf(instanceOf(p), placeOf(p).object, placeOf(p).instance))
  /** Points without COV support, which are polled. */
  const asked = new Set<PointRow>()
  const timers: NodeJS.Timeout[] = []
  let isOver = false

  link.notified = ({ process: of, object, instance, said }, from) => {
    if (of !== process || isOver) return
    const some = [...byObject].flatMap(([key, found]) =>
      from === undefined ? (key.endsWith(`/${object}/${instance}`) ? found : []) : key === keyOf(from, object, instance) ? found : [],
    )
    const valuesOf = (property: number) => said.flatMap((one) => (one.property === property && 'values' in one ? [one.values] : []))[0]
    const [value, flags] = [valuesOf(properties.presentValue!), valuesOf(properties.statusFlags!)]
    if (value && some.length) arrived(some.map((point) => ({ point, reading: readingOfElements(point, value, flags) })))
  }

  const bad = (some: readonly PointRow[], quality: number) => arrived(some.map((point) => ({ point, reading: { value: null, quality } })))
  const renew = async () => {
    for (const some of byObject.values()) {
      const [point] = some
      if (isOver || !point || asked.has(point)) continue
      try {
        await link.ask(instanceOf(point), service.subscribeCov, subscribeBody(process, placeOf(point), lifetimeSeconds), point.Timeout)
      } catch (error) {
        if (error instanceof Refused) for (const one of some) asked.add(one)
        else if (error instanceof DriverFault && !isOver) bad(some, error.kind === 'garbled' ? Quality.exception : Quality.timeout)
      }
    }
  }
  const poll = async () => {
    for (const some of Map.groupBy([...asked], instanceOf).values()) {
      if (isOver) return
      const readings = await read(some).catch((error: unknown) => {
        if (!isOver) bad(some, error instanceof DriverFault && error.kind === 'refused' ? Quality.exception : Quality.timeout)
      })
      if (readings && !isOver) arrived(some.map((point, i) => ({ point, reading: readings[i]! })))
    }
  }
  const repeat = (ms: number, work: () => Promise<void>) => {
    const again = () => {
      const timer = setTimeout(() => void work().finally(() => !isOver && again()), ms)
      timers.push(timer)
      if (timers.length > 4) timers.splice(0, timers.length - 4)
    }
    again()
  }
  await renew()
  if (asked.size) {
    await poll()
    repeat(Math.max(100, Math.min(...[...asked].map((p) => p.CollectPeriod))), poll)
  }
  if (!isOver) repeat(everyMs, renew)
  return () => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
  }
}
