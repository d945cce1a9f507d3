// Stored sums of months answer what their quarter-hours do, whatever changes behind them.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Kit } from '../../../../main/testing/kit.ts'
import { emptyQuarters } from '../../../../server/telemetry/meaning/quarters.ts'
import { startWorks } from './consumption.fixture.ts'
import { rowsOfDays, writeDays } from './days.ts'
import { decodeSum, encodeSum } from './sumStore.ts'
import { emptySum } from './sums.ts'

const now = Date.parse('2026-05-20T10:00:00Z')
const hour = 3_600_000
/** Local midnights of Madrid: 25 January, and 18 May. */
const [begin, end] = [Date.parse('2026-01-24T23:00:00Z'), Date.parse('2026-05-17T22:00:00Z')]
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
const ids: Record<string, number> = {}
const points: number[] = []

beforeAll(async () => {
  works = await startWorks(() => now)
  kit = works.kit
  const { ProjectId, meter } = works
  ids.tariff = await works.tariff()
  const circuit = async (EnergyCode: string, more: object) =>
    (
      await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', {
        ...{ EnergyName: EnergyCode, EnergyCode, ProjectId, PriceStandardId: ids.tariff },
        ...more,
      })
    ).Id
  for (const hourly of [4, 3]) {
    const point = await meter()
    points.push(point)
    await works.count(point, { from: begin, to: end }, 100, hourly, hour)
  }
  ids.E1 = await circuit('E1', { Source: 1, ParaId: points[0] })
  ids.E2 = await circuit('E2', { Source: 1, ParaId: points[1], ParentId: ids.E1 })
  ids.E3 = await circuit('E3', { Source: 3, Formula: '[E1]-[E2]', ParentId: ids.E1 })
})
afterAll(() => works?.close())

const asks = [
  '/Energy/DataCenter/List?DateFrom=2026-01-01&DateTo=2026-05-20',
  '/Energy/DataCenter/List?DateFrom=2026-03-17&DateTo=2026-04-09',
  '/Energy/DataCenter/Ranking?DateFrom=2026-02-01&DateTo=2026-04-30',
  '/Energy/DataCenter/MonthStatistics?Month=2026-03',
  '/Energy/DataCenter/MonthStatistics?Month=2026-05',
  '/Energy/Report/Data?DateFrom=2026-02-10&DateTo=2026-05-20&Columns=month',
  '/Energy/Report/Data?DateFrom=2026-03-25&DateTo=2026-04-02&Columns=day',
  '/Energy/Report/Data?DateFrom=2026-02-10&DateTo=2026-05-20&Columns=level',
]
const answers = async (paths: readonly string[] = asks, people = ['owner', 'platform']) => {
  const found = []
  for (const path of paths) for (const as of people) found.push(await kit.call(as, 'GET', `${path}&ProjectId=${works.ProjectId}`))
  return found
}
const stored = async () => (await kit.db.rows<{ n: number }>(sql`select count(*)::int as n from energy_sum`))[0]!.n
/** With stored sums, and again without. */
const expectSame = async (...of: Parameters<typeof answers>) => {
  await works.derive(end)
  expect(await stored()).toBeGreaterThan(0)
  const found = await answers(...of)
  await kit.db.rows(sql`delete from energy_sum`)
  const plain = await answers(...of)
  expect(found).toEqual(plain)
  return plain
}

it('stored sums answer as their quarter-hours do, over months, days and levels', async () => {
  const before = await expectSame()
  expect(JSON.stringify(before)).toContain('"Energy":')
})

it('days of any range add up the same from stored sums, asked for first and again', async () => {
  const dayAt = (i: number) => new Date(Date.UTC(2026, 0, 20 + i)).toISOString().slice(0, 10)
  const ranges = fc.sample(fc.tuple(fc.nat(110), fc.integer({ min: 3, max: 80 })), 12)
  const paths = ranges.flatMap(([first, more]) =>
    ['level', 'month'].map((by) => `/Energy/Report/Data?DateFrom=${dayAt(first)}&DateTo=${dayAt(first + more)}&Columns=${by}`),
  )
  await works.derive(end)
  const [first, again] = [await answers(paths), await answers(paths)]
  await kit.db.rows(sql`delete from energy_sum`)
  const plain = await answers(paths)
  expect(first).toEqual(plain)
  expect(again).toEqual(plain)
})

it('sums follow late readings, other prices, other formulas, other meters and closed months', async () => {
  const few: Parameters<typeof answers> = [[asks[1]!, asks[7]!], ['owner']]
  const first = await expectSame(...few)
  const changes: (() => Promise<unknown>)[] = [
    // As the worker writes a day that late readings touched.
    () =>
      writeDays(
        kit.db,
        kit.enterprises.ours,
        rowsOfDays(ids.E1!, emptyQuarters({ start: Date.parse('2026-03-10T00:00:00Z'), count: 96 })),
        new Map(),
      ),
    () => kit.data('owner', 'PUT', '/Energy/ElectricityPriceStandard', { Id: ids.tariff, TariffType: 1, BasePrice: 0.3 }),
    () => kit.data('owner', 'PUT', '/Energy/Info', { Id: ids.E3, Formula: '([E1]-[E2])*2' }),
    () => kit.db.rows(sql`update energy_source set "Multiplier" = 2 where "EnergyInfoId" = ${ids.E2!}`),
    () => kit.data('owner', 'POST', '/Energy/Month/Close', { ProjectId: works.ProjectId, Month: '2026-03' }),
    () => kit.data('owner', 'PUT', '/Energy/ElectricityPriceStandard', { Id: ids.tariff, BasePrice: 0.5 }),
  ]
  let before = first
  for (const change of changes) {
    await works.derive(end)
    await change()
    // Sums stored before the change are invalid, even before they are recalculated.
    const then = await answers(...few)
    const plain = await expectSame(...few)
    expect(then).toEqual(plain)
    // Closing keeps prices as they are.
    if (change !== changes[4]) expect(plain).not.toEqual(before)
    before = plain
  }
})

it('a sum is stored and read whole, however large', () => {
  const amount = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })
  fc.assert(
    fc.property(fc.array(amount, { minLength: 21, maxLength: 21 }), fc.boolean(), fc.option(fc.integer()), (values, isPriced, peakAt) => {
      const sum = {
        ...emptySum(),
        ...{ energy: values[0]!, cost: values[1]!, unpriced: values[2]!, peak: values[3]!, isPriced, peakAt, known: 3, count: 4, open: 1 },
        ...{ made: values.slice(4, 9), levels: values.slice(9, 15), costs: values.slice(15) },
      }
      expect(decodeSum(JSON.parse(JSON.stringify(encodeSum(sum))))).toEqual(sum)
    }),
  )
})

// Last: the server caches what it reads from the tampered rows.
it('stored sums are what is read', async () => {
  await works.derive(end)
  await kit.db.rows(sql`update energy_sum set "Parts" = replace("Parts", '["', '["9') where "EnergyInfoId" = ${ids.E1}`)
  const unasked = ['/Energy/Report/Data?DateFrom=2026-02-12&DateTo=2026-05-18&Columns=level']
  const [wrong] = await answers(unasked, ['owner'])
  await kit.db.rows(sql`delete from energy_sum`)
  expect(await answers(unasked, ['owner'])).not.toEqual([wrong])
})
