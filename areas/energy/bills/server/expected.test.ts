import { expect, test } from 'vitest'
import type { QuarterHours } from '../../tariffs/quarterHours.ts'
import { versionsOf } from '../../tariffs/server/service.ts'
import { expectedOf, spanOf } from './expected.ts'

const tariff = {
  ...{ Id: 1, ValidFrom: '2020-01-01', ValidTo: null, BasePrice: null, Seasons: null, TariffType: 3, TierPeriod: 1 },
  ...{ DemandType: 1, DemandPrice: 31, DemandMinutes: null, DemandKva: 10, PfStandard: null, Charges: null, Taxes: null },
  Tiers: [
    { UpTo: 100, Price: 1 },
    { UpTo: null, Price: 2 },
  ],
}

test('an invoice from the middle of a month has the tiers that were left, and its share of the demand', () => {
  const versions = versionsOf([tariff])
  const period = { StartDate: '2026-01-16', EndDate: '2026-02-15' }
  const { start, end } = spanOf(period, versions, 'Europe/Madrid')
  expect([start, end].map((time) => new Date(time).toISOString())).toEqual(['2025-12-31T23:00:00.000Z', '2026-02-15T23:00:00.000Z'])
  const count = (end - start) / 900_000
  // 9.6 units a day: 144 until 15 January, so that the first tier is over.
  const quarters: QuarterHours = {
    start,
    value: new BigInt64Array(count).fill(100n),
    quality: new Uint8Array(count),
    unknown: new Uint8Array(count),
  }
  const { sides, energy } = expectedOf({ ...period, versions, zone: 'Europe/Madrid', isHoliday: () => false, quarters })
  expect(energy).toBe(31n * 9_600n)
  expect(sides.map(({ kind, quantity, cost }) => [kind, Number(quantity) / 1000, Number(cost) / 1e9])).toEqual(
    [
      [1, 153.6, 307.2],
      [2, 10, 160],
      [1, 100, 100],
      [1, 44, 88],
      [2, 10, (310 * 15) / 28],
    ].map(([kind, quantity, cost]) => [kind, quantity, Math.floor(cost! * 1e9) / 1e9]),
  )
})
