import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayNumber } from '../../../../contract/days.ts'
import { partsOf, spanOf } from './ranges.ts'
import { sumsOf } from './sums.ts'
import { added } from './usage.ts'

const quarter = 900_000
/** Whole numbers that look random and are the same each time. */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

test('days add up to their month and months to the year, in energy and in money, over both changes of the clock', () => {
  fc.assert(
    fc.property(fc.constantFrom('Europe/Madrid', 'Australia/Lord_Howe'), fc.nat(), (zone, seed) => {
      const span = spanOf(zone, { from: dayNumber('2026-01-01'), to: dayNumber('2026-12-31') })
      const random = randomOf(seed)
      const count = (span.end - span.start) / quarter
      const of = {
        ...{ start: span.start, value: BigInt64Array.from({ length: count }, () => BigInt(random(200_000)) - 1000n) },
        ...{
          quality: Uint8Array.from({ length: count }, () => random(5)),
          unknown: Uint8Array.from({ length: count }, () => random(9) >> 3),
        },
        events: [],
      }
      const priced = {
        level: Uint8Array.from({ length: count }, () => random(6)),
        cost: BigInt64Array.from({ length: count }, () => BigInt(random(2 ** 31)) * 1001n),
      }
      const partsBy = (by: 'day' | 'month') => {
        const { edges } = partsOf(zone, span, by)
        return { edges, sums: sumsOf(of, priced, edges) }
      }
      const [days, months] = [partsBy('day'), partsBy('month')]
      expect([days.sums.length, months.sums.length]).toEqual([365, 12])
      for (const [i, month] of months.sums.entries()) {
        const own = days.sums.filter((_, day) => days.edges[day]! >= months.edges[i]! && days.edges[day]! < months.edges[i + 1]!)
        expect(added(own)).toEqual(month)
      }
      expect(added(months.sums)).toEqual(sumsOf(of, priced, [span.start, span.end])[0])
    }),
    { numRuns: 6 },
  )
})
