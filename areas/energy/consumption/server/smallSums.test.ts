import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { partOf } from './figures.ts'
import { smallSums } from './smallSums.ts'
import { sumsOf } from './sums.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
/** Beyond 2^53, too: such parts are summed up in bigints. */
const amount = fc.oneof(fc.bigInt(-5000n, 50_000n), fc.bigInt(-(2n ** 54n), 2n ** 54n))
const quarterHour = fc.record({
  value: amount,
  cost: amount,
  level: fc.nat(5),
  quality: fc.nat(4),
  unknown: fc.nat(1),
})
const columns = (all: readonly { value: bigint; cost: bigint; level: number; quality: number; unknown: number }[]) => ({
  quarters: {
    start,
    value: BigInt64Array.from(all, ({ value, unknown }) => (unknown ? 0n : value)),
    quality: Uint8Array.from(all, ({ quality }) => quality),
    unknown: Uint8Array.from(all, ({ unknown }) => unknown),
    events: [start, start + 3 * quarter],
  },
  priced: {
    level: Uint8Array.from(all, ({ level }) => level),
    cost: BigInt64Array.from(all, ({ cost, level, unknown }) => (unknown || level === 0 ? 0n : cost)),
  },
})

it('parts of an hour say what bigints say, of any amount, with and without prices and costs', () => {
  fc.assert(
    fc.property(fc.array(quarterHour, { maxLength: 12 }), fc.boolean(), fc.boolean(), (all, isPriced, seesCost) => {
      const { quarters, priced } = columns(all)
      const prices = isPriced ? priced : undefined
      // The last parts lie in the future, and the first one before the range.
      const edges = [-1, 1, 2, 6, 10, 14].map((at) => start + at * quarter)
      const exact = sumsOf(quarters, prices, edges)
      const sumOf = smallSums(quarters, prices, edges)
      for (const [i, sum] of exact.entries()) {
        const [from, to] = [edges[i]!, edges[i + 1]!]
        expect(partOf(sumOf(i), from, to, { seesCost })).toEqual(partOf(sum, from, to, { seesCost }))
      }
    }),
  )
})
