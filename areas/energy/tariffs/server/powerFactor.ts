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

/**
 * Adjustment of the charges for energy and demand in hundredths of a percent, by steps of 0.01 (the Chinese rule of 1983 for 0.90; 0.85
 * and 0.80 have the same shape): −0.15 % each step above, −0.75 % at most; +0.5 % each of the first twenty below, then +1 % each of five,
 * then +2 % each. Factor and standard in hundredths.
 */
export const adjustmentOf = (factor: number, standard: number): number => {
  if (factor >= standard) return -15 * Math.min(5, factor - standard)
  const below = standard - factor
  return 50 * Math.min(20, below) + 100 * Math.max(0, Math.min(5, below - 20)) + 200 * Math.max(0, below - 25)
}
