import type { QuarterHours } from '../quarterHours.ts'

/** Minimum share of the known active energy for which reactive energy must be known to compute a power factor. */
const leastKnown = 0.9
/** kvarh in thousandths, of quarter-hours of which the active energy is known, too. Both cover the same range. */
export const reactiveOf = (active: QuarterHours, reactive: QuarterHours | undefined): bigint | null => {
  if (!reactive) return null
  let [sum, known, both] = [0n, 0, 0]
  for (let i = 0; i < active.value.length; i++) {
    if (active.unknown[i]) continue
    known++
    if (reactive.unknown[i]) continue
    both++
    sum += reactive.value[i]!
  }
  return both && both >= leastKnown * known ? sum : null
}

/**
 * The power factor of a month, Σkwh / √(Σkwh² + Σkvarh²), in whole hundredths, half up; null without energy. Compares squares, so that a
 * factor at the edge of two hundredths does not depend on a root.
 */
export const powerFactor = (active: bigint, reactive: bigint): number | null => {
  if (active <= 0n) return null
  const whole = active * active + reactive * reactive
  for (let hundredths = 100; hundredths > 0; hundredths--) {
    const edge = BigInt(2 * hundredths - 1)
    if (edge * edge * whole <= 40_000n * active * active) return hundredths
  }
  return 0
}

/** Steps of 0.01, counted from the standard: how many, and hundredths of a percent for each. Beyond the last step nothing more is gained. */
type Steps = readonly (readonly [count: number, each: number])[]
/**
 * Tables of the Chinese rule of 1983 on adjusting electricity charges by power factor (功率因数调整电费办法, (83) 水电财字第 215 号), by
 * standard in hundredths: what a factor above the standard is rewarded with.
 */
const rewards: Readonly<Record<number, Steps>> = {
  90: [[5, 15]],
  85: [
    [5, 10],
    [4, 15],
  ],
  80: [
    [10, 10],
    [2, 15],
  ],
}
/** The same for all standards: what a factor below it costs. */
const surcharges: Steps = [
  [20, 50],
  [5, 100],
  [100, 200],
]
const along = (steps: Steps, count: number) => {
  let [left, sum] = [count, 0]
  for (const [most, each] of steps) {
    sum += each * Math.min(left, most)
    left = Math.max(0, left - most)
  }
  return sum
}
/** Adjustment of the charges for energy and demand in hundredths of a percent. Factor and standard in hundredths. */
export const adjustmentOf = (factor: number, standard: number): number =>
  factor >= standard ? 0 - along(rewards[standard] ?? [], factor - standard) : along(surcharges, standard - factor)
