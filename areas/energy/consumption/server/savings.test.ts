import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import type { savingsCalls } from '../savings.ts'
import { startWorks } from './consumption.fixture.ts'

const now = Date.parse('2026-06-10T10:00:00Z')
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
const ids: Record<string, number> = {}
type Report = Answer<typeof savingsCalls.report>
type Fitted = Answer<typeof savingsCalls.preview>

const made = (i: number) => 50 + ((i * 37) % 60)
/** A sawtooth of one unit, so that a baseline leaves a residual. */
const saw = (i: number) => (i % 2 ? 0.5 : -0.5)
const dayOf = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10)

beforeAll(async () => {
  works = await startWorks(() => now)
  kit = works.kit
  const { ours } = kit.enterprises
  const PriceStandardId = await works.tariff()
  const circuit = async (EnergyCode: string, more: object) =>
    (
      await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', {
        ...{ EnergyName: EnergyCode, EnergyCode, ProjectId: works.ProjectId, Source: 2 },
        ...more,
      })
    ).Id
  ids.water = await circuit('W1', { EnergyType: 2 })
  ids.site = await circuit('E1', { PriceStandardId, ProductInfoId: ids.water })
  // 90 days as they were, then 30 days that take 10 less.
  const rows = Array.from({ length: 120 }, (_, i) => [
    { id: ids.water!, day: dayOf(i), value: made(i) },
    { id: ids.site!, day: dayOf(i), value: 100 + 2 * made(i) + saw(i) - (i < 90 ? 0 : 10) },
  ]).flat()
  await kit.db.rows(sql`
    insert into energy_info_data ("EnterpriseId", "EnergyInfoId", "DataTime", "CycleType", "Value")
    select ${ours}, r.id, r.day::timestamp at time zone 'Europe/Madrid', 2, r.value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (id bigint, day text, value numeric)`)
  await kit.person('reads', ours, { menus: permissions.filter((code) => code !== 'm10710.accept' && code !== 'm10701.cost') })
})
afterAll(() => works?.close())

const baseline = (more: object = {}) => ({
  EnergyInfoId: ids.site,
  DateFrom: dayOf(0),
  DateTo: dayOf(89),
  ProductInfoId: ids.water,
  ...more,
})
const report = (more = '', as = 'owner') =>
  kit.data<Report>(
    as,
    'GET',
    `/Energy/ElectricityLevel/SaveEnergiesRpt?EnergyInfoId=${ids.site}&DateFrom=${dayOf(90)}&DateTo=${dayOf(119)}${more}`,
  )

it('a baseline finds what production takes, and refuses few days and variables that say the same', async () => {
  const found = await kit.data<Fitted>('owner', 'POST', '/Energy/Baseline/Preview', baseline())
  expect(found).toMatchObject({
    Days: 90,
    Constant: expect.closeTo(100, 0),
    Variables: [{ Name: 'production', Coefficient: expect.closeTo(2, 1) }],
  })
  expect(found.R2).toBeGreaterThan(0.99)
  expect(found.Cv).toBeLessThan(1)
  expect(await kit.call('owner', 'POST', '/Energy/Baseline/Preview', baseline({ DateTo: dayOf(10) }))).toMatchObject({
    Details: { Fields: { DateTo: [expect.stringContaining('11')] } },
  })
  expect(await kit.call('owner', 'POST', '/Energy/Baseline/Preview', baseline({ ProductInfoId: 999_999 }))).toMatchObject({
    Details: { Fields: { ProductInfoId: [expect.anything()] } },
  })
})

it('without a baseline a saving is against the same days of last year, of which nothing is known here', async () => {
  expect(await report()).toMatchObject({ Method: 'lastYear', Baseline: null, Saving: null, IsProven: null, LeftOut: 30 })
})

it('a baseline is accepted by a person, in versions, and proves ten units a day', async () => {
  expect(await kit.call('reads', 'POST', '/Energy/Baseline', baseline())).toMatchObject({ StatusCode: 403 })
  await kit.data('owner', 'POST', '/Energy/Baseline', baseline({ DateTo: dayOf(59) }))
  expect(await kit.data('owner', 'POST', '/Energy/Baseline', baseline())).toMatchObject({ Version: 2, AcceptedBy: 'owner' })
  const of = await report()
  expect(of).toMatchObject({ Method: 'baseline', Baseline: { Version: 2 }, IsProven: 1, LeftOut: 0 })
  expect(of.Saving).toBeCloseTo(300, -1)
  expect(of.Days.at(-1)!.Cusum).toBeCloseTo(of.Saving!, 6)
  expect(of.Days.every(({ Low, High, Expected }) => Low! < Expected && Expected < High!)).toBe(true)
  expect(of.Cost).toBeGreaterThan(0)
  expect(await report('', 'reads')).not.toHaveProperty('Cost')
  const { Items } = await kit.data<Answer<typeof savingsCalls.list>>('owner', 'GET', `/Energy/Baseline/List?EnergyInfoId=${ids.site}`)
  expect(Items.map(({ Version }) => Version)).toEqual([2, 1])
  expect(await kit.call('stranger', 'GET', `/Energy/Baseline/List?EnergyInfoId=${ids.site}`)).toMatchObject({ StatusCode: 404 })
})

it('a saving that is smaller than its uncertainty is not proven', async () => {
  // The saw leaves a day uncertain by a unit; one day of the baseline itself saves less than that.
  const of = await kit.data<Report>(
    'owner',
    'GET',
    `/Energy/ElectricityLevel/SaveEnergiesRpt?EnergyInfoId=${ids.site}&DateFrom=${dayOf(20)}&DateTo=${dayOf(20)}`,
  )
  expect(Math.abs(of.Saving!)).toBeLessThan(of.Uncertainty!)
  expect(of.IsProven).toBe(0)
})

it('degree-days of an outdoor point are a variable, and without a baseline the same days of last year are the measure', async () => {
  const outdoor = (i: number) => i % 12
  const point = (await works.make.create(named('point'), { DeviceId: works.DeviceId })).Id
  const [midnight, day] = [Date.parse('2025-12-31T23:00:00Z'), 86_400_000]
  await works.follow(point, { from: midnight, to: midnight + 41 * day }, (time) => outdoor(Math.floor((time - midnight) / day)))
  const draft = { EnergyName: 'E2', EnergyCode: 'E2', ProjectId: works.ProjectId, Source: 2 }
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', draft)
  const used = (i: number) => 50 + 3 * (18 - outdoor(i))
  const rows = Array.from({ length: 40 }, (_, i) => [
    { day: dayOf(i), value: used(i) },
    { day: dayOf(i).replace('2026', '2025'), value: used(i) + 5 },
  ]).flat()
  await kit.db.rows(sql`
    insert into energy_info_data ("EnterpriseId", "EnergyInfoId", "DataTime", "CycleType", "Value")
    select ${kit.enterprises.ours}, ${Id}, r.day::timestamp at time zone 'Europe/Madrid', 2, r.value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (day text, value numeric)`)
  const model = { EnergyInfoId: Id, DateFrom: dayOf(0), DateTo: dayOf(39), ParaId: point, Kind: 1, Base: 18 }
  const found = await kit.data<Fitted>('owner', 'POST', '/Energy/Baseline/Preview', model)
  expect(found).toMatchObject({ Days: 40, Constant: expect.closeTo(50, 6), R2: expect.closeTo(1, 6) })
  expect(found.Variables).toMatchObject([{ Name: 'degree', Coefficient: expect.closeTo(3, 6), Min: 7, Max: 18 }])
  const range = `EnergyInfoId=${Id}&DateFrom=${dayOf(0)}&DateTo=${dayOf(9)}`
  const against = await kit.data<Report>('owner', 'GET', `/Energy/ElectricityLevel/SaveEnergiesRpt?${range}`)
  expect(against).toMatchObject({ Method: 'lastYear', Saving: 50, LeftOut: 0, Uncertainty: null, IsProven: null })
})
