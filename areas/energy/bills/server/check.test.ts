import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { startWorks } from '../../consumption/server/consumption.fixture.ts'
import type { priceCalls } from '../../tariffs/preview.ts'
import type { billCalls } from '../check.ts'
import { billCheckRoutes } from './routes.ts'

const now = Date.parse('2026-03-10T10:00:00Z')
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
let circuit: number
type Checked = Answer<typeof billCalls.check>

beforeAll(async () => {
  works = await startWorks(() => now, [billCheckRoutes])
  kit = works.kit
  const PriceStandardId = await works.tariff()
  const draft = { EnergyName: 'Site', EnergyCode: 'E1', ProjectId: works.ProjectId, Source: 2, PriceStandardId }
  circuit = (await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', draft)).Id
  // 0.1 in each of the 2,976 quarter-hours of January.
  const entry = { EnergyInfoId: circuit, DataTime: '2026-01-01 00:00:00', Value: 297.6, CycleType: 3 }
  await kit.data('owner', 'POST', '/Energy/InfoData', entry)
})
afterAll(() => works?.close())

it('an invoice differs line by line, and its parts add up to the whole difference', async () => {
  const bill = {
    ...{ BillNo: 'A1', EnergyInfoId: circuit, StartDate: '2026-01-01', EndDate: '2026-01-31', TotalAmount: 52 },
    BillLines: [
      { Kind: 1, Level: 4, Quantity: 99.2, Amount: 9.92 },
      { Kind: 1, Level: 2, Quantity: 200, Amount: 40 },
      { Kind: 5, Name: 'VAT', Amount: 2 },
    ],
  }
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Bill', bill)
  const path = `/Energy/Bill/Check?Id=${Id}`
  const checked = await kit.data<Checked>('owner', 'GET', path)
  expect(checked).toMatchObject({
    ...{ Billed: 51.92, TotalAmount: 52, Expected: 49.6, Energy: 297.6, Missing: 0, Unpriced: 0, Known: 100, Currency: 'EUR', Unit: 'kWh' },
    Lines: [
      { Kind: 1, Level: 2, Billed: { Quantity: 200, Cost: 40 }, Expected: { Quantity: 198.4, Cost: 39.68 }, Difference: 0.32 },
      { Kind: 1, Level: 4, Billed: { Quantity: 99.2, Cost: 9.92 }, Expected: { Quantity: 99.2, Cost: 9.92 }, Difference: 0 },
      { Kind: 5, Name: 'VAT', Billed: { Quantity: null, Cost: 2 }, Expected: null, Difference: 2 },
    ],
  })
  const parts = Object.fromEntries(checked.Parts.map(({ Part, Amount }) => [Part, Amount]))
  expect(parts).toMatchObject({ tax: 2, price: 0 })
  expect(checked.Parts.reduce((sum, { Amount }) => sum + Amount, 0)).toBeCloseTo(51.92 - 49.6, 9)
  await kit.person('modest', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10712.cost') })
  expect(await kit.call('modest', 'GET', path)).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('stranger', 'GET', path)).toMatchObject({ StatusCode: 404 })
})

it('the power factor of a month is that of its two meters, and a difference of it is a part of its own', async () => {
  const tariff = { StandardName: 'With a standard', ValidFrom: '2025-01-01', TariffType: 1, BasePrice: 0.1, PfStandard: 0.9 }
  const { Id: PriceStandardId } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/ElectricityPriceStandard', tariff)
  const draft = { EnergyName: 'Reactive', EnergyCode: 'Q1', ProjectId: works.ProjectId, Source: 2, CountInTotal: 0 }
  const add = (more: object) => kit.call<{ Id: number }>('owner', 'POST', '/Energy/Info', { ...draft, ...more })
  const { Id: ReactiveInfoId } = (await add({ Unit: 'kvarh' })).Data
  const active = { EnergyName: 'Active', EnergyCode: 'P1', PriceStandardId, ReactiveInfoId }
  const fault = { Details: { Fields: { ReactiveInfoId: ['Choose another circuit of the same project whose unit is kvarh.'] } } }
  expect(await add({ ...active, ReactiveInfoId: circuit })).toMatchObject(fault)
  const { Id } = (await add(active)).Data
  expect(await kit.call('owner', 'PUT', '/Energy/Info', { Id: ReactiveInfoId, Unit: 'kWh' })).toMatchObject({ StatusCode: 400 })
  // 0.85 against 0.90 is 2.5 % more.
  const enter = (EnergyInfoId: number, Value: number) =>
    kit.data('owner', 'POST', '/Energy/InfoData', { EnergyInfoId, DataTime: '2026-02-01 00:00:00', Value, CycleType: 3 })
  await enter(Id, 850)
  const bill = {
    ...{ BillNo: 'PF', EnergyInfoId: Id, StartDate: '2026-02-01', EndDate: '2026-02-28' },
    BillLines: [
      { Kind: 1, Quantity: 850, Amount: 85 },
      { Kind: 3, Amount: 3 },
    ],
  }
  const { Id: billed } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Bill', bill)
  const check = () => kit.data<Checked>('owner', 'GET', `/Energy/Bill/Check?Id=${billed}`)
  // Nothing is known of the reactive energy yet.
  expect((await check()).Expected).toBeCloseTo(85, 9)
  await enter(ReactiveInfoId, 526.782688)
  const { Expected, Parts } = await check()
  expect(Expected).toBeCloseTo(85 * 1.025, 6)
  expect(Object.fromEntries(Parts.map(({ Part, Amount }) => [Part, Math.round(1e6 * Amount) / 1e6]))).toMatchObject({ powerFactor: 0.875 })
  const statement = `/Energy/Month/Statement?ProjectId=${works.ProjectId}&Month=2026-02`
  expect(JSON.stringify(await kit.data('owner', 'GET', statement))).toContain('"Percent":2.5')
})

it('a change of prices shows what it does to open months before it is made, and changes nothing', async () => {
  const { Items: tariffs } = await kit.data<{ Items: { Id: number }[] }>('owner', 'GET', '/Energy/ElectricityPriceStandard/List')
  const change = { Id: tariffs[0]!.Id, TariffType: 1, BasePrice: 0.5 }
  const preview = (body: object, as = 'owner') =>
    kit.call<Answer<typeof priceCalls.preview>>(as, 'POST', '/Energy/ElectricityPriceStandard/Preview', body)
  const { Data } = await preview(change)
  expect(Data).toEqual({
    Currency: 'EUR',
    Items: [{ EnergyInfoId: circuit, EnergyName: 'Site', EnergyCode: 'E1', Month: '2026-01', Before: 49.6, After: 148.8 }],
  })
  // The platform's administrator belongs to another company, so the tariff determines the company.
  expect((await preview(change, 'platform')).Data).toEqual(Data)
  const later = await preview({ VersionOfId: change.Id, ValidFrom: '2026-01-16', TariffType: 1, BasePrice: 0 })
  // Sixteen of the 31 days become free of charge.
  expect(later.Data.Items).toMatchObject([{ Before: 49.6, After: (49.6 * 15) / 31 }])
  expect((await preview(change)).Data).toEqual(Data)
  expect(await preview({ ...change, BasePrice: null })).toMatchObject({ Details: { Fields: { BasePrice: [expect.anything()] } } })
  expect(await preview(change, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await preview(change, 'stranger')).toMatchObject({ StatusCode: 404 })
  await kit.data('owner', 'POST', '/Energy/Month/Close', { ProjectId: works.ProjectId, Month: '2026-01' })
  expect((await preview(change)).Data.Items).toEqual([])
})
