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
const zeros = (count: number) => Array.from({ length: count }, () => 0n)
export const emptySum = (): Sum => ({
  ...{ energy: 0n, made: zeros(5), levels: zeros(6), costs: zeros(6), cost: 0n, isPriced: false, unpriced: 0n },
  ...{ known: 0, count: 0, peak: 0n, peakAt: null, open: 0 },
})

/** Adds one to another. */
export const addSum = (to: Sum, from: Sum) => {
  to.energy += from.energy
  to.cost += from.cost
  to.isPriced ||= from.isPriced
  to.unpriced += from.unpriced
  for (let i = 0; i < 5; i++) to.made[i]! += from.made[i]!
  for (let i = 0; i < 6; i++) {
    to.levels[i]! += from.levels[i]!
    to.costs[i]! += from.costs[i]!
  }
  to.known += from.known
  to.count += from.count
  to.open += from.open
  if (from.peakAt !== null && (to.peakAt === null || from.peak > to.peak)) [to.peak, to.peakAt] = [from.peak, from.peakAt]
  return to
}

/** The sum of quarter-hours `from` to `to`, places in the range; those outside of the range do not count. */
export const sumOf = (of: Quarters, priced: Priced | undefined, from: number, to: number): Sum => {
  const { value, quality, unknown } = of
  const [begin, end] = [Math.max(0, from), Math.min(value.length, to)]
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
    sum.open = of.events.filter((moment) => moment >= start && moment < edges[i + 1]!).length
    return sum
  })
