import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayNumber } from '../../../../contract/days.ts'
import { clockOf, faultsOf, type Season, type Tier } from '../prices.ts'
import { missing, type QuarterHours, quarterMs } from '../quarterHours.ts'
import { byLevel, levelsOf, price } from './pricing.ts'
import { type TariffRow, versionsOf, versionsOver } from './versions.ts'

const tariff = (more: Partial<TariffRow> = {}): TariffRow => ({
  ...{ Id: 1, ValidFrom: '2020-01-01', ValidTo: null, TariffType: 1, BasePrice: 0.5, Seasons: null, Tiers: null, TierPeriod: null },
  ...{ DemandType: 0, DemandPrice: null, DemandMinutes: null, DemandKva: null, PfStandard: null, Charges: null, Taxes: null },
  ...more,
})
const quartersAt = (from: string, value: readonly number[], quality: readonly number[] = []): QuarterHours => ({
  start: Date.parse(from),
  value: BigInt64Array.from(value, BigInt),
  quality: Uint8Array.from({ length: value.length }, (_, i) => quality[i] ?? 0),
  unknown: new Uint8Array(value.length),
})
const weekend = (day: number) => (day + 3) % 7 >= 5

/** The wall clock by Intl, one instant at a time. */
const wallOf = (zone: string) => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...parts })
  return (time: number) => {
    const of = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
    return { date: `${of.year}-${of.month}-${of.day}`, clock: `${of.hour}:${of.minute}` }
  }
}
/** Prices one quarter-hour after another, and of tiers one thousandth after another. */
const slowly = (rows: readonly TariffRow[], zone: string, { start, value, quality }: QuarterHours) => {
  const wall = wallOf(zone)
  const level: number[] = []
  const cost: bigint[] = []
  let [since, used] = ['', 0n]
  value.forEach((amount, i) => {
    const { date, clock } = wall(start + i * quarterMs)
    const row = rows
      .filter(({ ValidFrom, ValidTo }) => ValidFrom <= date && (!ValidTo || date <= ValidTo))
      .sort((a, b) => (a.ValidFrom < b.ValidFrom ? 1 : -1))[0]
    const period = date.slice(0, row?.TierPeriod === 2 ? 4 : 7)
    if (period !== since) [since, used] = [period, 0n]
    const before = used
    used += amount
    if (!row) {
      level.push(0)
      cost.push(0n)
      return
    }
    const days = weekend(dayNumber(date)) ? 2 : 1
    const of = row.Seasons?.find(({ Months, Days }) => Months.includes(Number(date.slice(5, 7))) && (Days === 0 || Days === days))
    const found = of?.Periods.find(({ Start, End }) => Start <= clock && clock < End)
    level.push(quality[i] === missing ? 0 : (found?.Level ?? 3))
    const micro = (of: number) => BigInt(Math.round(of * 1e6))
    if (row.TariffType !== 3) cost.push(amount * micro(found?.Price ?? row.BasePrice ?? 0))
    else {
      let paid = 0n
      for (let k = before; k < used; k++)
        paid += micro(row.Tiers!.find(({ UpTo }) => UpTo === null || k < BigInt(Math.round(UpTo * 1000)))!.Price)
      cost.push(paid)
    }
  })
  return { level, cost }
}

const aPrice = fc.integer({ min: 0, max: 2_000_000 }).map((micro) => micro / 1e6)
const aDay = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 95 }), { maxLength: 5 }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), aPrice), { minLength: 6, maxLength: 6 }),
  )
  .map(([cuts, prices]) => {
    const edges = [0, ...cuts.sort((a, b) => a - b), 96]
    return edges.slice(1).map((end, i) => ({
      ...{ Start: clockOf(edges[i]!), End: clockOf(end) },
      ...{ Level: prices[i]![0], Price: prices[i]![1] },
    }))
  })
const someSeasons = fc.tuple(fc.integer({ min: 1, max: 11 }), aDay, aDay, aDay).map(([cut, a, b, c]): Season[] => {
  const months = Array.from({ length: 12 }, (_, i) => i + 1)
  return [
    { Months: months.slice(0, cut), Days: 0, Periods: a },
    { Months: months.slice(cut), Days: 1, Periods: b },
    { Months: months.slice(cut), Days: 2, Periods: c },
  ]
})
const someTiers = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 4000 }), { maxLength: 3 }), fc.array(aPrice, { minLength: 4, maxLength: 4 }))
  .map(([edges, prices]): Tier[] =>
    [...edges.sort((a, b) => a - b).map((edge) => edge / 1000), null].map((UpTo, i) => ({ UpTo, Price: prices[i]! })),
  )
const someTariff = fc.oneof(
  aPrice.map((BasePrice) => tariff({ BasePrice })),
  someSeasons.map((Seasons) => tariff({ TariffType: 2, Seasons })),
  fc.tuple(someTiers, fc.constantFrom(1, 2)).map(([Tiers, TierPeriod]) => tariff({ TariffType: 3, Tiers, TierPeriod })),
)
// Around both changes of the clock, and the ends of a month and a year.
const someStart = fc.constantFrom(
  ...['2026-03-28T23:00Z', '2026-10-24T21:15Z', '2026-04-04T13:00Z', '2026-10-03T12:45Z', '2025-12-31T10:00Z', '2026-07-31T05:30Z'],
)
const someZone = fc.constantFrom('Europe/Madrid', 'Australia/Lord_Howe', 'Asia/Shanghai')
const someRange = fc
  .tuple(
    someStart,
    fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(0, 0, 0, 1, missing)), { minLength: 1, maxLength: 230 }),
  )
  .map(([start, of]) =>
    quartersAt(
      start,
      of.map(([value]) => value),
      of.map(([, quality]) => quality),
    ),
  )
const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n)

test('level and cost are those of a slow count, around both changes of the clock, and with prices that change within a month', () => {
  fc.assert(
    fc.property(someTariff, someTariff, fc.integer({ min: 0, max: 3 }), someZone, someRange, (a, b, days, zone, quarters) => {
      const change = new Date(quarters.start + days * 86_400_000).toISOString().slice(0, 10)
      const rows = [a, { ...b, TierPeriod: a.TierPeriod, Id: 2, ValidFrom: change }]
      const { level, cost } = price(versionsOf(rows), zone, weekend, quarters)
      expect({ level: [...level], cost: [...cost] }).toEqual(slowly(rows, zone, quarters))
    }),
    { numRuns: 150 },
  )
})

test('levels and what is unassigned add up to the whole, in energy and in money', () => {
  fc.assert(
    fc.property(someTariff, someZone, someRange, (row, zone, quarters) => {
      const priced = price(versionsOf([row]), zone, weekend, quarters)
      const sums = byLevel(quarters.value, priced)
      expect(sum(sums.energy)).toBe(sum(quarters.value))
      expect(sum(sums.cost)).toBe(sum(priced.cost))
    }),
    { numRuns: 100 },
  )
})

test('parts of a range, priced one by one, add up to the range', () => {
  fc.assert(
    fc.property(someTariff, someZone, someRange, fc.nat(229), (row, zone, quarters, cut) => {
      const versions = versionsOf([row])
      const at = cut % quarters.value.length
      const part = (from: number, to?: number): QuarterHours => ({
        start: quarters.start + from * quarterMs,
        value: quarters.value.slice(from, to),
        quality: quarters.quality.slice(from, to),
        unknown: quarters.unknown.slice(from, to),
      })
      const wall = wallOf(zone)
      const [of, month] = [part(0, at), wall(quarters.start + at * quarterMs).date.slice(0, 7)]
      const before = (length: number) =>
        sum([...of.value].filter((_, i) => wall(quarters.start + i * quarterMs).date.slice(0, length) === month.slice(0, length)))
      const parts = [price(versions, zone, weekend, of), price(versions, zone, weekend, part(at), { month: before(7), year: before(4) })]
      expect(parts.flatMap(({ cost }) => [...cost])).toEqual([...price(versions, zone, weekend, quarters).cost])
    }),
    { numRuns: 100 },
  )
})

describe('prices by hand', () => {
  test('a quarter-hour that crosses a tier is split', () => {
    const tiers = [
      { UpTo: 0.1, Price: 1 },
      { UpTo: null, Price: 2 },
    ]
    const { cost } = price(
      versionsOf([tariff({ TariffType: 3, Tiers: tiers, TierPeriod: 1 })]),
      'UTC',
      weekend,
      quartersAt('2026-01-05T00:00Z', [80, 50, 10]),
    )
    expect([...cost].map(Number)).toEqual([80e6, 20e6 + 60e6, 20e6])
  })
  test('a price that changes on the 15th holds from local midnight', () => {
    const versions = versionsOf([tariff(), tariff({ Id: 2, ValidFrom: '2026-07-15', BasePrice: 0.25 })])
    // 22:00 UTC is midnight in Madrid.
    const { price: prices } = levelsOf(versions, 'Europe/Madrid', weekend, Date.parse('2026-07-14T21:45Z'), 2)
    expect([...prices]).toEqual([500_000_000n, 250_000_000n])
  })
  test('before the first day of a tariff energy has no price, and says so', () => {
    const { cost, level, unpriced } = price(
      versionsOf([tariff({ ValidFrom: '2026-01-02' })]),
      'UTC',
      weekend,
      quartersAt('2026-01-01T23:45Z', [7, 7]),
    )
    expect([[...cost], [...level], unpriced]).toEqual([[0n, 3_500_000n], [0, 3], 7n])
  })
  test('a circuit that changes its tariff pays the old one until the day before', () => {
    const [cheap, dear] = [versionsOf([tariff({ BasePrice: 0.1 })]), versionsOf([tariff({ Id: 2, BasePrice: 0.9 })])]
    const versions = versionsOver([
      { from: dayNumber('2026-02-01'), versions: dear },
      { from: Number.NEGATIVE_INFINITY, versions: cheap },
    ])
    expect([...levelsOf(versions, 'UTC', weekend, Date.parse('2026-01-31T23:45Z'), 2).price]).toEqual([100_000_000n, 900_000_000n])
  })
  test('what an int64 does not hold is refused', () => {
    const much = quartersAt('2026-01-01T00:00Z', [Number.MAX_SAFE_INTEGER])
    expect(() => price(versionsOf([tariff({ BasePrice: 1e6 })]), 'UTC', weekend, much)).toThrow(RangeError)
    const steam = quartersAt('2026-01-01T00:00:00Z', [1500, 2000])
    expect(price(versionsOf([tariff({ BasePrice: 300_000 })]), 'UTC', weekend, steam).cost[0]).toBe(450_000n * 10n ** 9n)
  })
})

describe('what a tariff may not be', () => {
  const day = (...periods: [start: string, end: string][]): Season[] => [
    {
      Name: 'Summer',
      Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      Days: 0,
      Periods: periods.map(([Start, End]) => ({ Start, End, Level: 3, Price: 1 })),
    },
  ]
  const rulesOf = (Seasons: Season[]) => faultsOf({ TariffType: 2, Seasons }).map(({ field, rule, values }) => ({ field, rule, ...values }))
  test('a hole at 23:45 is named with its place', () => {
    expect(rulesOf(day(['00:00', '12:00'], ['12:00', '23:45']))).toEqual([
      { field: 'Seasons.0.Periods.1', rule: 'tariff.hole', season: 'Summer', from: '23:45', to: '24:00' },
    ])
    expect(rulesOf(day(['00:00', '24:00']))).toEqual([])
  })
  test('periods that overlap, and a day without workdays, are named', () => {
    expect(rulesOf(day(['00:00', '12:00'], ['11:45', '24:00']))).toEqual([
      { field: 'Seasons.0.Periods.1', rule: 'tariff.overlap', season: 'Summer', from: '11:45', to: '12:00' },
    ])
    const [all] = day(['00:00', '24:00'])
    expect(
      rulesOf([
        { ...all!, Months: [12], Days: 2 },
        { ...all!, Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
      ]),
    ).toEqual([{ field: 'Seasons', rule: 'tariff.monthMissing.work', month: 12 }])
  })
})
