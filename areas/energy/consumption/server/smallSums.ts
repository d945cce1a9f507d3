// Sums of parts of an hour or less, of which a range has thousands: plain numbers instead of eighteen bigints for each.
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { Priced } from './priced.ts'
import type { Quarters } from './quarterHours.ts'
import { type Sum, sumOf } from './sums.ts'

const high = 4_294_967_296
/** 64-bit integers by their halves, least first: reading them makes no bigint. */
const halvesOf = (values: BigInt64Array) => new Int32Array(values.buffer, values.byteOffset, values.length * 2)
const numberAt = (halves: Int32Array, i: number) => halves[2 * i + 1]! * high + (halves[2 * i]! >>> 0)

/** A sum of plain numbers, all of them exact. */
export type SmallSum = Pick<Sum, 'isPriced' | 'known' | 'count' | 'open'> & { energy: number; cost: number; unpriced: number } & {
  made: Float64Array
  levels: Float64Array
  costs: Float64Array
}

/**
 * Hands out the sum of each part between edges, which is valid until the next one. All of its numbers are exact: a part whose
 * amounts or costs go beyond 2^53 is summed up in bigints.
 */
export const smallSums = (of: Quarters, priced: Priced | undefined, edges: readonly number[]) => {
  const { start, quality, unknown } = of
  const [values, prices] = [halvesOf(of.value), priced && halvesOf(priced.cost)]
  const sum: SmallSum = {
    ...{ energy: 0, made: new Float64Array(5), levels: new Float64Array(6), costs: new Float64Array(6), cost: 0 },
    ...{ isPriced: priced !== undefined, unpriced: 0, known: 0, count: 0, open: 0 },
  }
  const { made, levels, costs } = sum
  const openIn = (from: number, to: number) => of.events.filter((moment) => moment >= from && moment < to).length
  return (part: number): Sum | SmallSum => {
    const [from, to] = [edges[part]!, edges[part + 1]!]
    const [begin, end] = [Math.max(0, (from - start) / quarter), Math.min(quality.length, (to - start) / quarter)]
    for (const column of [made, levels, costs]) column.fill(0)
    let [known, energy, cost, unpriced, amounts, money] = [0, 0, 0, 0, 0, 0]
    for (let i = begin; i < end; i++) {
      if (unknown[i]) continue
      const amount = numberAt(values, i)
      const level = priced ? priced.level[i]! : 0
      const price = prices ? numberAt(prices, i) : 0
      known++
      energy += amount
      cost += price
      made[quality[i]!]! += Math.abs(amount)
      levels[level]! += amount
      costs[level]! += price
      if (level === 0 && price === 0) unpriced += amount
      amounts += Math.abs(amount)
      money += Math.abs(price)
    }
    const open = of.events.length ? openIn(from, to) : 0
    if (Math.max(amounts, money) > Number.MAX_SAFE_INTEGER)
      return Object.assign(sumOf(of, priced, (from - start) / quarter, (to - start) / quarter), { open })
    return Object.assign(sum, { known, energy, cost, unpriced, open, count: Math.max(0, end - begin) })
  }
}
