/** Consecutive quarter-hours of one circuit; `start` is a UTC quarter-hour, epoch ms. */
export type QuarterHours = {
  start: number
  /** Thousandths of the unit; what a missing quarter-hour holds is its share of the long gap, or 0. */
  value: BigInt64Array
  /** 0 measured, 1 interpolated, 2 entered, 3 corrected, 4 missing (domain 6 c). */
  quality: Uint8Array
  /** 1 where nothing at all is known (before the first reading, after the last): value is 0 and means null. */
  unknown: Uint8Array
}

export const quarterMs = 900_000
export const quartersOfDay = 96
/** Quality of what lies in a gap too long to be interpolated. It counts in totals and belongs to no price level. */
export const missing = 4

/** Price levels: 1 sharp, 2 peak, 3 flat, 4 valley, 5 deep valley. */
export const levels = [1, 2, 3, 4, 5] as const
/** Missing energy, and energy without a tariff. */
export const unassigned = 0
