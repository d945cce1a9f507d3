// The five rules of hints, each over plain numbers. Pure.

/** Of the nights before, so many are known at least. */
const leastNights = 28

/** `value` against `base`; `limit`: what the value passed; `amount`: what it comes to. */
export type Found = { value: number; base: number | null; limit: number; amount: number }

const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[at]! : (sorted[at - 1]! + sorted[at]!) / 2
}

/** The last night against the median of the eight weeks before. */
export const nightIsUp = (nights: readonly (number | null)[], last: number | null, percent: number): Found | undefined => {
  const known = nights.filter((night) => night !== null)
  if (last === null || known.length < leastNights) return
  const base = median(known)
  const limit = base * (1 + percent / 100)
  return base > 0 && last > limit ? { value: last, base, limit, amount: last - base } : undefined
}

/** The smallest quarter-hour of some days, all known, is more than nothing. */
export const waterNeverStands = (quarters: readonly (number | null)[]): Found | undefined => {
  if (!quarters.length || quarters.some((one) => one === null)) return
  const least = (quarters as number[]).reduce((a, b) => Math.min(a, b))
  return least > 0 ? { value: 4 * least, base: null, limit: 0, amount: 96 * least } : undefined
}

export const childrenAreAbove = (parent: number | null, children: readonly (number | null)[], percent: number): Found | undefined => {
  if (parent === null || !children.length || children.some((one) => one === null)) return
  const sum = (children as number[]).reduce((a, b) => a + b)
  const limit = parent * (1 + percent / 100)
  return sum > 0 && sum > limit ? { value: sum, base: parent, limit, amount: sum - parent } : undefined
}

/** Stuck counter: consumption stays 0 for hours while power (kW) is at least `least`. */
export const counterStands = (energy: number | null, power: number | null, least: number): Found | undefined =>
  energy === 0 && power !== null && power >= least ? { value: power, base: null, limit: least, amount: 24 * power } : undefined

/** Minutes of a quarter-hour before its end can be foreseen. */
const leastMinutes = 5
/** The running quarter-hour goes on as it began. */
export const peakIsNear = (energy: number | null, minutes: number, peak: number | null, percent: number): Found | undefined => {
  if (energy === null || peak === null || peak <= 0 || minutes < leastMinutes) return
  const value = (60 * energy) / minutes
  const limit = (peak * percent) / 100
  return value > limit ? { value, base: peak, limit, amount: Math.max(0, value - peak) } : undefined
}
