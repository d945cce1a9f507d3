import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { calendarOf, levelsOf, tariffsOfCircuits } from './service.ts'

const base = '/Energy/ElectricityPriceStandard'
type Tariff = { Id: number; StandardName: string; BasePrice?: number; VersionOfId?: number | null; Seasons?: unknown }

let kit: Kit
let circuit: number
beforeAll(async () => {
  kit = await startKit()
  circuit = (await maker(kit).create(named('energyInfo'))).Id
})
afterAll(() => kit?.close())

const add = (StandardName: string, more: object = {}) =>
  kit.call<Tariff>('owner', 'POST', base, { StandardName, ValidFrom: '2026-01-01', BasePrice: 0.5, ...more })
const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const day = (...of: [Start: string, End: string, Level: number, Price: number][]) =>
  of.map(([Start, End, Level, Price]) => ({ Start, End, Level, Price }))
const season = (Periods: object[], more: object = {}) => ({
  TariffType: 2,
  Seasons: [{ Name: 'Summer', Months: months, Days: 0, Periods, ...more }],
})

it('refuses a tariff that does not price each quarter-hour once, and says where', async () => {
  const fields = async (more: object) => (await add('Wrong', more)).Details?.Fields
  expect(await fields(season(day(['00:00', '12:00', 2, 1], ['12:00', '23:45', 4, 0.3])))).toEqual({
    'Seasons.0.Periods.1': ['Summer: no price from 23:45 to 24:00.'],
  })
  expect(await fields(season(day(['00:00', '12:00', 2, 1], ['11:00', '24:00', 4, 0.3])))).toEqual({
    'Seasons.0.Periods.1': ['Summer: two prices from 11:00 to 12:00.'],
  })
  expect(Object.keys((await fields(season(day(['00:00', '24:00', 2, 1]), { Days: 1 })))!)).toEqual(['Seasons'])
  for (const more of [
    season(day(['00:00', '24:00', 2, -1])),
    season(day(['00:10', '24:00', 2, 1])),
    season(day(['00:00', '24:00', 6, 1])),
    { TariffType: 3, Tiers: [{ UpTo: 100, Price: 1 }] },
    { BasePrice: 0.1234567 },
    { BasePrice: null },
    { ValidFrom: '2026-02-30' },
    { ValidTo: '2025-12-31' },
    { DemandType: 1, DemandPrice: 30 },
  ])
    expect(await add('Wrong', more), JSON.stringify(more)).toMatchObject({ StatusCode: 400 })
  expect(await kit.data('owner', 'GET', `${base}/List`)).toMatchObject({ TotalCount: 0 })
})

it('has later versions that hold from their day on, and no two for one day', async () => {
  const first = (await add('Contract')).Data.Id
  const later = (more: object) => add('Contract, later', { VersionOfId: first, BasePrice: 0.6, ...more })
  expect(await later({})).toMatchObject({ StatusCode: 400, Details: { Fields: { ValidFrom: [expect.stringContaining('Contract')] } } })
  const second = await later({ ValidFrom: '2026-07-15' })
  expect(second).toMatchObject({ Succeeded: true })
  // A version of a version belongs to the first.
  const third = await add('Contract, latest', { VersionOfId: second.Data.Id, ValidFrom: '2027-01-01', BasePrice: 0.7 })
  expect(third.Data.VersionOfId).toBe(first)
  expect(await add('Gas', { VersionOfId: first, ValidFrom: '2028-01-01', EnergyType: 3 })).toMatchObject({ StatusCode: 400 })
  expect(await kit.call('owner', 'PUT', base, { Id: first, ValidTo: '2026-08-01' })).toMatchObject({ StatusCode: 400 })
  expect(await kit.call('owner', 'PUT', base, { Id: first, ValidTo: '2026-06-30' })).toMatchObject({ Succeeded: true })
})

it('prices a circuit by the tariff of each day, and is not removed while a circuit has it', async () => {
  const [old, next] = [(await add('Old supplier')).Data.Id, (await add('New supplier', { BasePrice: 0.4 })).Data.Id]
  await kit.data('owner', 'PUT', '/Energy/Info', { Id: circuit, PriceStandardId: old })
  const change = { EnergyInfoId: circuit, PriceStandardId: next, ValidFrom: '2026-03-01' }
  await kit.data('owner', 'POST', `${base}/Circuit`, change)
  expect(await kit.call('owner', 'POST', `${base}/Circuit`, change)).toMatchObject({ StatusCode: 409 })
  const gas = (await add('Gas', { EnergyType: 3 })).Data.Id
  const wrong = { EnergyInfoId: circuit, PriceStandardId: gas, ValidFrom: '2026-04-01' }
  expect(await kit.call('owner', 'POST', `${base}/Circuit`, wrong)).toMatchObject({ StatusCode: 400 })
  const versions = (await tariffsOfCircuits(kit.database.system, [circuit])).get(circuit)!
  const { price } = levelsOf(versions, 'UTC', calendarOf([]), Date.parse('2026-02-28T23:45Z'), 2)
  expect([...price]).toEqual([500_000_000n, 400_000_000n])
  for (const Id of [old, next])
    expect(await kit.call('owner', 'DELETE', base, { Id })).toMatchObject({ StatusCode: 409, Details: { UsedBy: [{}] } })
  expect(await kit.call('owner', 'DELETE', `${base}/BatchDelete`, { Ids: [gas] })).toMatchObject({ Data: { Removed: 1 } })
})

it('shows a viewer which tariffs there are, and not what they cost', async () => {
  const { Id } = (await add('Secret price', season(day(['00:00', '24:00', 2, 1])))).Data
  const seen = await kit.data<Tariff>('viewer', 'GET', `${base}/Detail?Id=${Id}`)
  expect(seen).toMatchObject({ StandardName: 'Secret price', BasePrice: null, Seasons: null })
  expect(await kit.call('viewer', 'POST', base, { StandardName: 'Mine', ValidFrom: '2026-01-01' })).toMatchObject({ StatusCode: 403 })
})

it('takes holidays and make-up days from the shifts of a project, and weekends otherwise', () => {
  const saturday = Date.UTC(2026, 9, 10) / 86_400_000
  const plan = { from: 0, times: [], holidays: new Set([saturday - 3]), makeUps: new Map([[saturday, 4]]) }
  expect([-3, -2, 0, 1].map((days) => calendarOf([plan])(saturday + days))).toEqual([true, false, false, true])
  expect(calendarOf([])(saturday)).toBe(true)
})
