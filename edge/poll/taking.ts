import { Quality } from '../../contract/telemetry.ts'
import type { PointRow, Reading } from '../drivers/driver.ts'
import { timeOf } from './source-time.ts'
import { type Uploaded, upload } from './upload.ts'

/** Readings of one device at one time; D, T, V, Q as in the protocol. */
export type Item = { D: number; T: number; V: Record<string, number | null>; Q?: Record<string, number> }
export type Emit = (item: Item, isCached: boolean) => void

/** Converts readings to uploads. */
export class Taking {
  readonly #now: () => number
  readonly #emit: Emit
  readonly #uploaded = new Map<number, Uploaded>()
  readonly #taken = new WeakMap<object, number>()
  /** The last time of each point with source timestamps. */
  readonly #sourced = new Map<number, number>()

  constructor(now: () => number, emit: Emit) {
    this.#now = now
    this.#emit = emit
  }

  /** Uploads every value again, changed or not. */
  forget() {
    this.#uploaded.clear()
  }

  /** Readings that belong to `of`, in the order of the points. */
  take(of: object, points: readonly PointRow[], readings: readonly Reading[]) {
    const moment = this.#momentOf(of)
    const items = new Map<string, { item: Item; isCached: boolean }>()
    points.forEach((point, i) => {
      const { reading, T } = this.#placed(point, readings[i]!, moment)
      const next = upload(point, this.#uploaded.get(point.Id), reading, T)
      if (!next) return
      this.#uploaded.set(point.Id, next)
      const key = `${point.DeviceId}/${point.IsCache}/${T}`
      const { item } = items.get(key) ?? { item: { D: point.DeviceId, T, V: {} } as Item }
      items.set(key, { item, isCached: point.IsCache === 0 })
      item.V[point.Id] = reading.value
      if (reading.quality === Quality.good) return
      item.Q ??= {}
      item.Q[point.Id] = reading.quality
    })
    for (const { item, isCached } of items.values()) this.#emit(item, isCached)
  }

  /** A point has one reading per millisecond. If the clock was set back by more, the new time counts. */
  #momentOf(of: object) {
    const now = this.#now()
    const last = this.#taken.get(of) ?? 0
    const moment = now <= last && last - now < 1000 ? last + 1 : now
    this.#taken.set(of, moment)
    return moment
  }

  #placed(point: PointRow, reading: Reading, moment: number) {
    if (reading.time === undefined) return { reading, T: moment }
    const { T, isDoubtful } = timeOf(reading.time, moment, this.#sourced.get(point.Id))
    this.#sourced.set(point.Id, T)
    return { reading: isDoubtful && reading.quality === Quality.good ? { ...reading, quality: Quality.uncertain } : reading, T }
  }
}
