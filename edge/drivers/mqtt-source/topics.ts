import { mqttSource as protocol, type TopicAddress } from '../../../contract/protocols/mqtt-source.ts'
import { type Arrived, DriverFault, type PointRow, type Reading } from '../driver.ts'

const places = new WeakMap<PointRow, TopicAddress>()
/** @throws DriverFault for an address that the configuration check refuses */
export const placeOf = (point: PointRow): TopicAddress => {
  const known = places.get(point)
  if (known) return known
  const parsed = protocol.parse(point.Address)
  if ('at' in parsed) throw new DriverFault('address', `${point.Address} is no topic with a path`)
  places.set(point, parsed.address)
  return parsed.address
}

/** Points by topic, and the last message of each. */
export class Topics {
  readonly #points = new Map<string, Set<PointRow>>()
  readonly #heard = new Map<PointRow, Reading>()
  readonly #waiting = new Set<() => void>()

  /** Adds points; returns topics that are new. */
  want(points: readonly PointRow[]): string[] {
    const fresh = new Set<string>()
    for (const point of points) {
      const { topic } = placeOf(point)
      const known = this.#points.get(topic)
      if (!known) fresh.add(topic)
      this.#points.set(topic, (known ?? new Set()).add(point))
    }
    return [...fresh]
  }

  has(topic: string): boolean {
    return this.#points.has(topic)
  }

  /** The readings of a topic's points. */
  heard(topic: string, readingOf: (point: PointRow) => Reading): Arrived[] {
    const arrived = [...(this.#points.get(topic) ?? [])].map((point): Arrived => ({ point, reading: readingOf(point) }))
    for (const { point, reading } of arrived) this.#heard.set(point, reading)
    this.#wake()
    return arrived
  }

  last(point: PointRow): Reading | undefined {
    return this.#heard.get(point)
  }

  /** Resolves when a message of each point has arrived, `isOver` returns true, or after the timeout. */
  async wait(points: readonly PointRow[], timeoutMs: number, isOver: () => boolean) {
    const end = performance.now() + timeoutMs
    while (!isOver() && points.some((point) => !this.#heard.has(point))) {
      const left = end - performance.now()
      if (left <= 0) return
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          this.#waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, left)
        this.#waiting.add(wake)
      })
    }
  }

  clear() {
    this.#points.clear()
    this.#heard.clear()
    this.#wake()
  }

  #wake() {
    for (const wake of [...this.#waiting]) wake()
  }
}
