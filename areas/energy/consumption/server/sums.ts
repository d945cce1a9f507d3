// Sums of quarter-hours over parts of a range: unrounded whole numbers, so that parts add up to their whole.
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { Priced } from './priced.ts'
import type { Quarters } from './quarterHours.ts'

export type Sum = {
  energy: bigint
  /** Totals by quality, as absolute amounts so that negative differences count. */
  made: bigint[]
  /** Energy and cost by price level; 0 is unassigned. */
  levels: bigint[]
  costs: bigint[]
  cost: bigint
  /** Whether any of it has a price, and the energy that has none. */
  isPriced: boolean
  unpriced: bigint
  /** Quarter-hours of which anything is known, and all of the range. */
  known: number
  count: number
  /** The highest quarter-hour and its start. */
  peak: bigint
  peakAt: number | null
  open: number
}
const six = (): bigint[] => [0n, 0n, 0n, 0n, 0n, 0n]
// No spreads, for speed: an answer has thousands of sums.
export const emptySum = (): Sum => ({
  energy: 0n,
  made: [0n, 0n, 0n, 0n, 0n],
  levels: six(),
  costs: six(),
  cost: 0n,
  isPriced: false,
  unpriced: 0n,
  known: 0,
  count: 0,
  peak: 0n,
  peakAt: null,
  open: 0,
})

/** Adds non-zero amounts only: each bigint addition allocates. */
const addAll = (to: bigint[], from: readonly bigint[]) => {
  for (let i = 0; i < to.length; i++) if (from[i] !== 0n) to[i]! += from[i]!
}
/** Adds one to another. */
export const addSum = (to: Sum, from: Sum) => {
  to.isPriced ||= from.isPriced
  to.count += from.count
  to.open += from.open
  if (!from.known) return to
  to.energy += from.energy
  to.cost += from.cost
  to.unpriced += from.unpriced
  addAll(to.made, from.made)
  addAll(to.levels, from.levels)
  addAll(to.costs, from.costs)
  to.known += from.known
  if (from.peakAt !== null && (to.peakAt === null || from.peak > to.peak)) [to.peak, to.peakAt] = [from.peak, from.peakAt]
  return to
}

/** Below this number of quarter-hours, sums avoid typed arrays, whose allocation dominates for small parts. */
const few = 8
const sumOfFew = ({ start, value, quality, unknown }: Quarters, priced: Priced | undefined, begin: number, end: number): Sum => {
  const sum = emptySum()
  for (let i = begin; i < end; i++) {
    if (unknown[i]) continue
    const amount = value[i]!
    const level = priced ? priced.level[i]! : 0
    const cost = priced ? priced.cost[i]! : 0n
    sum.known++
    sum.energy += amount
    sum.made[quality[i]!]! += amount < 0n ? -amount : amount
    sum.levels[level]! += amount
    if (cost !== 0n) {
      sum.cost += cost
      sum.costs[level]! += cost
    } else if (level === 0) sum.unpriced += amount
    if (sum.peakAt === null || amount > sum.peak) [sum.peak, sum.peakAt] = [amount, start + i * quarter]
  }
  sum.isPriced = priced !== undefined
  sum.count = Math.max(0, end - begin)
  return sum
}

/** The sum of quarter-hours `from` to `to`, places in the range; those outside of the range do not count. */
export const sumOf = (of: Quarters, priced: Priced | undefined, from: number, to: number): Sum => {
  const { value, quality, unknown } = of
  const [begin, end] = [Math.max(0, from), Math.min(value.length, to)]
  if (end - begin <= few) return sumOfFew(of, priced, begin, end)
  const made = new BigInt64Array(5)
  const [levels, costs] = [new BigInt64Array(6), new BigInt64Array(6)]
  let [known, peak, peakAt, unpriced] = [0, 0n, -1, 0n]
  for (let i = begin; i < end; i++) {
    if (unknown[i]) continue
    known++
    const amount = value[i]!
    const q = quality[i]!
    made[q] = BigInt.asIntN(64, made[q]! + (amount < 0n ? -amount : amount))
    const level = priced ? priced.level[i]! : 0
    const cost = priced ? priced.cost[i]! : 0n
    levels[level] = BigInt.asIntN(64, levels[level]! + amount)
    costs[level] = BigInt.asIntN(64, costs[level]! + cost)
    if (level === 0 && cost === 0n) unpriced += amount
    if (peakAt < 0 || amount > peak) [peak, peakAt] = [amount, i]
  }
  const total = (all: BigInt64Array) => all.reduce((sum, one) => sum + one, 0n)
  return {
    ...{ energy: total(levels), made: [...made], levels: [...levels], costs: [...costs], cost: total(costs) },
    ...{
      isPriced: priced !== undefined,
      unpriced,
      known,
      count: Math.max(0, end - begin),
      peak,
      peakAt: peakAt < 0 ? null : of.start + peakAt * quarter,
      open: 0,
    },
  }
}

/** Sums of the parts between edges, epoch ms on whole quarter-hours; events count where they were. */
export const sumsOf = (of: Quarters, priced: Priced | undefined, edges: readonly number[]): Sum[] =>
  edges.slice(0, -1).map((start, i) => {
    const sum = sumOf(of, priced, (start - of.start) / quarter, (edges[i + 1]! - of.start) / quarter)
    if (of.events.length) sum.open = of.events.filter((moment) => moment >= start && moment < edges[i + 1]!).length
    return sum
  })
