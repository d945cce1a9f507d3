// What energy costs, quarter-hour by quarter-hour. Energy is whole thousandths of a unit and a price whole millionths of the currency for
// a unit, so that each product is a whole number of billionths: nothing is rounded, and levels, days, months and years add up.
import { tiered } from '../prices.ts'
import { missing, type QuarterHours, unassigned } from '../quarterHours.ts'
import { type IsHoliday, type PriceVersion, timeline } from './timeline.ts'

/** Consumption since the tiers began to count, before the range: since the month and the year in which it begins, in thousandths. */
export type Before = { month: bigint; year: bigint }
export type Priced = {
  /** 0 unassigned, 1 sharp to 5 deep valley. */
  level: Uint8Array
  /** Billionths of the currency. */
  cost: BigInt64Array
  /** Energy without a tariff, thousandths: its cost is unknown and counts as 0. */
  unpriced: bigint
}

/** Level of each quarter-hour, and its price in billionths of the currency for a unit; of tiers, the price is that of the first. */
export const levelsOf = (versions: readonly PriceVersion[], zone: string, isHoliday: IsHoliday, start: number, count: number) => {
  const level = new Uint8Array(count)
  const price = new BigInt64Array(count)
  for (const { from, to, first, table, version } of timeline(versions, zone, isHoliday, start, count)) {
    if (!table) continue
    level.set(table.level.subarray(first, first + to - from), from)
    if (version!.type === tiered) price.fill(version!.tiers[0]!.price * 1000n, from, to)
    else for (let i = from; i < to; i++) price[i] = table.price[first + i - from]! * 1000n
  }
  return { level, price }
}

type Tiers = PriceVersion['tiers']
/** Cost of all energy from 0 to a count of a period: differences of two counts add up, also where one is negative. */
const upTo = (tiers: Tiers, count: bigint): bigint => {
  let [cost, below] = [0n, 0n]
  for (const { upTo, price } of tiers) {
    if (upTo === null || count <= upTo) return cost + (count - below) * price
    cost += (upTo - below) * price
    below = upTo
  }
  return cost
}

/** Energy of each tier between two counts. */
export const energyOfTiers = (tiers: Tiers, from: bigint, to: bigint): bigint[] => {
  const within = (count: bigint, below: bigint, above: bigint | null, isFirst: boolean) => {
    if (count <= below) return isFirst ? count - below : 0n
    return (above === null || count < above ? count : above) - below
  }
  return tiers.map(({ upTo }, i) => {
    const below = i ? tiers[i - 1]!.upTo! : 0n
    return within(to, below, upTo, i === 0) - within(from, below, upTo, i === 0)
  })
}

/** Counts consumption of the local month and year through a range. */
export const counterOf = ({ month, year }: Before) => {
  let at: number | undefined
  return {
    enter: (next: number) => {
      if (at !== undefined && next !== at) {
        month = 0n
        if (Math.floor(next / 12) !== Math.floor(at / 12)) year = 0n
      }
      at = next
    },
    add: (value: bigint) => {
      month += value
      year += value
    },
    /** Since the period of the tiers began: 1 month, 2 year. */
    of: (period: number) => (period === 2 ? year : month),
  }
}

/** Less than 2^63 by more than the sum of many numbers may be off. */
const mostInt64 = 9e18
/** All values together, whatever their signs: by their halves, which are read as plain numbers. */
const sizeOf = (values: BigInt64Array) => {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  let sum = 0
  for (let i = 0; i < words.length; i += 2) sum += Math.abs(words[i + 1]! * 4_294_967_296 + (words[i]! >>> 0))
  return sum
}
const highest = new WeakMap<PriceVersion, bigint>()
const highestPrice = (version: PriceVersion) => {
  let most = highest.get(version)
  if (most !== undefined) return most
  most = 0n
  for (const { price } of version.tiers) if (price > most) most = price
  for (const { price } of new Set(version.tables)) for (const one of price) if (one > most) most = one
  highest.set(version, most)
  return most
}
export class TooLarge extends RangeError {}
/** Rejects amounts and sums that would overflow an int64 silently. */
const assertFits = (values: BigInt64Array, versions: readonly PriceVersion[]) => {
  const size = sizeOf(values)
  for (const version of versions)
    if (size * Number(highestPrice(version)) > mostInt64) throw new TooLarge('The cost of a range is beyond what can be counted.')
}

const noBefore: Before = { month: 0n, year: 0n }

/** Level and cost of each quarter-hour. A quarter-hour that crosses a tier is split, and so is each side of a change of prices. */
export const price = (
  versions: readonly PriceVersion[],
  zone: string,
  isHoliday: IsHoliday,
  { start, value, quality, unknown }: QuarterHours,
  before: Before = noBefore,
): Priced => {
  const stretches = timeline(versions, zone, isHoliday, start, value.length)
  assertFits(value, versions)
  const level = new Uint8Array(value.length)
  const cost = new BigInt64Array(value.length)
  const counts = versions.some(({ type }) => type === tiered)
  const counter = counterOf(before)
  let unpriced = 0n
  for (const { from, to, first, month, version, table } of stretches) {
    if (!table) for (let i = from; i < to; i++) unpriced += value[i]!
    else {
      level.set(table.level.subarray(first, first + to - from), from)
      for (let i = from; i < to; i++) if (quality[i] === missing || unknown[i]) level[i] = unassigned
    }
    if (counts) counter.enter(month)
    if (version?.type === tiered) {
      splitByTier(version.tiers, counter.of(version.tierPeriod), value, cost, from, to)
      counter.add(sumOf(value, from, to))
      continue
    }
    if (counts) counter.add(sumOf(value, from, to))
    if (table) multiply(value, table.price, cost, from, to, first)
  }
  return { level, cost, unpriced }
}

// Apart, so that the engine compiles them to plain 64-bit integers.
const multiply = (value: BigInt64Array, price: BigInt64Array, cost: BigInt64Array, from: number, to: number, first: number) => {
  for (let i = from; i < to; i++) cost[i] = BigInt.asIntN(64, value[i]! * price[first + i - from]!)
}
const multiplyBy = (value: BigInt64Array, price: bigint, cost: BigInt64Array, from: number, to: number) => {
  for (let i = from; i < to; i++) cost[i] = BigInt.asIntN(64, value[i]! * price)
}
const sumOf = (value: BigInt64Array, from: number, to: number) => {
  let sum = 0n
  for (let i = from; i < to; i++) sum = BigInt.asIntN(64, sum + value[i]!)
  return sum
}
/** A day within one tier is the usual case; where a day crosses one, each quarter-hour is the difference of two counts. */
const splitByTier = (tiers: Tiers, used: bigint, value: BigInt64Array, cost: BigInt64Array, from: number, to: number) => {
  const below = tiers.findLastIndex(({ upTo }) => upTo !== null && upTo <= used)
  const tier = tiers[below + 1]!
  const end = used + sumOf(value, from, to)
  const isPlain = (tier.upTo === null || end <= tier.upTo) && isRising(value, from, to)
  if (isPlain) return multiplyBy(value, tier.price, cost, from, to)
  let paid = upTo(tiers, used)
  for (let i = from; i < to; i++) {
    used += value[i]!
    const next = upTo(tiers, used)
    cost[i] = next - paid
    paid = next
  }
}
const isRising = (value: BigInt64Array, from: number, to: number) => {
  for (let i = from; i < to; i++) if (value[i]! < 0n) return false
  return true
}

/** Energy and cost by level; place 0 is unassigned. */
export const byLevel = (value: BigInt64Array, { level, cost }: Pick<Priced, 'level' | 'cost'>) => {
  const sums = { energy: new BigInt64Array(6), cost: new BigInt64Array(6) }
  for (let i = 0; i < value.length; i++) {
    const at = level[i]!
    sums.energy[at] = BigInt.asIntN(64, sums.energy[at]! + value[i]!)
    sums.cost[at] = BigInt.asIntN(64, sums.cost[at]! + cost[i]!)
  }
  return sums
}
