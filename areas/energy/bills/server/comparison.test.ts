import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, parts, type Side } from '../comparison.ts'

const energy = (level: number, units: number, cost: number): Side => ({
  ...{ kind: 1, level, name: '' },
  ...{ quantity: BigInt(units) * 1000n, cost: BigInt(cost) * 1_000_000_000n },
})
const units = (of: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(of).flatMap(([part, cost]) => (cost ? [[part, Number(cost) / 1e9]] : [])))

test('says by which part an invoice differs', () => {
  const expected = [energy(2, 100, 100), energy(4, 100, 40)]
  const parted = (billed: Side[]) => units(compare(billed, expected).parts)
  expect(parted(expected)).toEqual({})
  // Ten per cent more of everything.
  expect(parted([energy(2, 110, 110), energy(4, 110, 44)])).toEqual({ energy: 14 })
  // The same energy, more of it at the peak.
  expect(parted([energy(2, 120, 120), energy(4, 80, 32)])).toEqual({ level: 12 })
  expect(parted([energy(2, 100, 105), energy(4, 100, 40)])).toEqual({ price: 5 })
  expect(parted([energy(0, 200, 150)])).toEqual({ price: 10 })
  const tax = (cost: number): Side => ({ kind: 5, level: 0, name: 'VAT', quantity: null, cost: BigInt(cost) * 1_000_000_000n })
  expect(units(compare([...expected, tax(30)], [...expected, { ...tax(29), name: 'vat ' }]).parts)).toEqual({ tax: 1 })
})

test('lines and parts add up to the difference of the totals', () => {
  const side = fc
    .record({ kind: fc.integer({ min: 1, max: 5 }), level: fc.integer({ min: 0, max: 5 }), name: fc.constantFrom('a', 'b') })
    .chain((of) =>
      fc
        .record({ quantity: fc.option(fc.bigInt({ min: 0n, max: 10n ** 9n })), cost: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 14n }) })
        .map((more) => ({ ...of, ...more })),
    )
  fc.assert(
    fc.property(fc.array(side, { maxLength: 12 }), fc.array(side, { maxLength: 12 }), (billed, expected) => {
      const found = compare(billed, expected)
      const difference = found.billed - found.expected
      expect(found.lines.reduce((sum, line) => sum + line.difference, 0n)).toBe(difference)
      expect(parts.reduce((sum, part) => sum + found.parts[part], 0n)).toBe(difference)
    }),
  )
})
