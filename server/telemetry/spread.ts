import type { Sample } from './sample.ts'

const month = 30 * 86_400_000
/** Months that a message may touch like any other: back-fill comes in the order of its times. */
const fewMonths = 3

/** Months that readings are scattered over, about; 0 for few. ClickHouse opens a part of the table for each, which takes milliseconds. */
export const scatteredMonths = (samples: readonly Pick<Sample, 'time'>[]): number => {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { time } of samples) {
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  if (!(last - first > fewMonths * month)) return 0
  const { size } = new Set(samples.map(({ time }) => Math.floor(time / month)))
  return size > fewMonths ? size : 0
}
