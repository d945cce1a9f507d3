import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type QuarterHours, quarterMs } from '../quarterHours.ts'
import { largestRemainder, shownLines, shownMoney } from '../rounding.ts'
import { adjustmentOf, powerFactor } from './powerFactor.ts'
import { demandOf, statementOf } from './statement.ts'
import { type TariffRow, versionsOf } from './versions.ts'

const weekend = (day: number) => (day + 3) % 7 >= 5
const tariff = (more: Partial<TariffRow> = {}): TariffRow => ({
  ...{ Id: 1, ValidFrom: '2020-01-01', ValidTo: null, TariffType: 1, BasePrice: 0.5, Seasons: null, Tiers: null, TierPeriod: null },
  ...{ DemandType: 2, DemandPrice: 38.4, DemandMinutes: 15, DemandKva: null, PfStandard: 0.9 },
  Charges: [
    { Name: 'Meter', Amount: 1.19, Per: 2 },
    { Name: 'Contract', Amount: 30, Per: 1 },
  ],
  Taxes: [
    { Name: 'Electricity tax', Percent: 5.1127 },
    { Name: 'VAT', Percent: 21, OnTaxes: 1 },
  ],
  ...more,
})
const month = (from: string, count: number, valueAt: (i: number) => bigint): QuarterHours => ({
  start: Date.parse(from),
  value: BigInt64Array.from({ length: count }, (_, i) => valueAt(i)),
  quality: new Uint8Array(count),
  unknown: new Uint8Array(count),
})

test('the power factor of a month adjusts what energy and demand cost: 0.85 against 0.90 is +2.5 %', () => {
  const of = (standard: number, ...factors: number[]) => factors.map((factor) => adjustmentOf(factor, standard) / 100)
  expect(of(90, 90, 91, 94, 95, 100, 89, 85, 70, 69, 65, 64, 60)).toEqual([0, -0.15, -0.6, -0.75, -0.75, 0.5, 2.5, 10, 11, 15, 17, 25])
  expect([powerFactor(3n, 4n), powerFactor(1000n, 0n), powerFactor(0n, 5n), powerFactor(85n, 52n)]).toEqual([60, 100, null, 85])
})
test('standards of 0.85 and 0.80 reward and charge by tables of their own', () => {
  const of = (standard: number, ...factors: number[]) => factors.map((factor) => adjustmentOf(factor, standard) / 100)
  expect(of(85, 85, 86, 90, 91, 93, 94, 100)).toEqual([0, -0.1, -0.5, -0.65, -0.95, -1.1, -1.1])
  expect(of(85, 84, 80, 66, 65, 64, 60, 59, 32, 27)).toEqual([0.5, 2.5, 9.5, 10, 11, 15, 17, 71, 81])
  expect(of(80, 80, 81, 90, 91, 92, 93, 100)).toEqual([0, -0.1, -1, -1.15, -1.3, -1.3, -1.3])
  expect(of(80, 79, 75, 66, 60, 59, 55, 54, 32, 27)).toEqual([0.5, 2.5, 7, 10, 11, 15, 17, 61, 71])
})

test('a statement says energy, demand, power factor, charges and taxes, and its lines add up', () => {
  // 31 days of 100 kW; one block of 15 minutes at 200 kW; cos φ 0.85.
  const quarters = month('2026-01-01T00:00Z', 2976, (i) => (i === 500 ? 50_000n : 25_000n))
  const energy = 25_000n * 2976n + 25_000n
  const reactive = (energy * 6197n) / 10_000n
  const { lines, total, demand, factor } = statementOf({
    versions: versionsOf([tariff()]),
    zone: 'UTC',
    isHoliday: weekend,
    quarters,
    reactive,
  })
  expect(factor).toBe(85)
  expect(demand).toEqual({ power: 200_000n, at: quarters.start + 500 * quarterMs })
  const money = (of: string) => lines.filter(({ kind }) => kind === of).map(({ cost }) => Number(cost) / 1e9)
  expect(money('energy')).toEqual([37_212.5])
  expect(money('demand')).toEqual([7680])
  expect(money('powerFactor')).toEqual([(37_212.5 + 7680) * 0.025])
  expect(money('charge')).toEqual([36.89, 30])
  const untaxed = 44_892.5 * 1.025 + 66.89
  expect(money('tax')[0]).toBeCloseTo(untaxed * 0.051127, 8)
  expect(money('tax')[1]).toBeCloseTo(untaxed * 1.051127 * 0.21, 8)
  const cents = (value: number) => Math.round(value * 100)
  const shown = shownLines(
    lines.map(({ cost }) => cost),
    'EUR',
  )
  expect(shown.reduce((sum, value) => sum + cents(value), 0)).toBe(cents(shownMoney(total, 'EUR')))
})

test('a price that changes within the month makes lines of both, and shares of equal amounts add up', () => {
  const quarters = month('2026-02-01T00:00Z', 28 * 96, () => 1000n)
  const both = [tariff({ TariffType: 1 }), tariff({ Id: 2, ValidFrom: '2026-02-11', BasePrice: 0.25 })]
  const of = (rows: TariffRow[]) => statementOf({ versions: versionsOf(rows), zone: 'UTC', isHoliday: weekend, quarters })
  const parted = of(both).lines
  expect(parted.filter(({ kind }) => kind === 'energy').map(({ from, to, quantity, cost }) => [from, to, quantity, cost])).toEqual([
    ['2026-02-01', '2026-02-10', 960_000n, 480_000_000_000n],
    ['2026-02-11', '2026-02-28', 18n * 96n * 1000n, 18n * 96n * 250_000_000n],
  ])
  const fixed = (lines: typeof parted, kind: string) => lines.filter((l) => l.kind === kind).reduce((sum, { cost }) => sum + cost, 0n)
  for (const kind of ['demand', 'charge']) expect(fixed(parted, kind)).toBe(fixed(of([tariff()]).lines, kind))
})

test('demand of 30 minutes is the mean of a half hour of the wall clock, and what is missing has none', () => {
  const quarters = month('2026-01-01T00:00Z', 6, (i) => [1n, 9n, 5n, 3n, 50n, 50n][i]!)
  quarters.quality[5] = 4
  expect(demandOf('UTC', quarters, 30)).toEqual({ power: 20n, at: quarters.start })
  expect(demandOf('UTC', quarters, 15)).toEqual({ power: 200n, at: quarters.start + 4 * quarterMs })
})

test('rounded lines add up to their rounded total, and none is further than a step from its own', () => {
  const some = fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(some, fc.constantFrom(1_000_000n, 10_000_000n, 1_000_000_000n), (lines, step) => {
      const shown = largestRemainder(lines, step)
      const total = lines.reduce((sum, line) => sum + line, 0n)
      const apart = shown.reduce((sum, line) => sum + line, 0n) * step - total
      expect((apart < 0n ? -apart : apart) * 2n <= step).toBe(true)
      lines.forEach((line, i) => {
        const off = shown[i]! * step - line
        expect(off > -step && off <= step).toBe(true)
      })
    }),
  )
})
