import { day, minute, quarter, type Store } from './store/store.ts'

/** Epoch ms of the oldest stored reading of some points since `from`; undefined without any. */
export const firstReading = async (store: Store, points: readonly number[], from: number, now: number): Promise<number | undefined> => {
  let [start, end] = [Math.floor(from / day) * day, now + day]
  for (const ms of [day, quarter, minute]) {
    const buckets = await store.buckets(points, start, end, { ms, origin: start })
    start = buckets.reduce((least, { time }) => Math.min(least, time[0] ?? least), Number.POSITIVE_INFINITY)
    if (!Number.isFinite(start)) return undefined
    end = start + ms
  }
  const readings = await store.read(points, start, end)
  return readings.reduce((least, { time }) => Math.min(least, time), end)
}
