import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { named } from '../../../../server/resource/sql.ts'
import { energyCalls, type FlowRow } from '../contract.ts'
import { startWorks } from './consumption.fixture.ts'

const now = Date.parse('2026-10-28T10:00:00Z')
const spring = { from: Date.parse('2026-03-26T23:00:00Z'), to: Date.parse('2026-03-31T22:00:00Z') }
const autumn = { from: Date.parse('2026-10-23T22:00:00Z'), to: now }
const swap = Date.parse('2026-03-28T11:00:00Z')

let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
const ids: Record<string, number> = {}

const count = (...of: Parameters<Awaited<ReturnType<typeof startWorks>>['count']>) => works.count(...of)
const day = (text: string) => `DateFrom=${text}&DateTo=${text}`
const get = <T>(path: string, as = 'owner') => kit.data<T>(as, 'GET', path)
type Of<K extends keyof typeof energyCalls> = Answer<(typeof energyCalls)[K]>

beforeAll(async () => {
  works = await startWorks(() => now)
  kit = works.kit
  const { ours } = kit.enterprises
  const { ProjectId, make, meter } = works
  const { Id: elsewhere } = await make.create(named('project'))
  const [a, b, c] = [await meter(), await meter(), await meter()]
  const PriceStandardId = await works.tariff()
  const circuit = async (EnergyCode: string, more: object) => {
    const body = { EnergyName: EnergyCode, EnergyCode, ProjectId, ...more }
    ids[EnergyCode] = (await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', body)).Id
    return ids[EnergyCode]
  }
  const top = await circuit('E1', { Source: 1, ParaId: a, PriceStandardId, AreaM2: 10 })
  await circuit('E11', { Source: 1, ParaId: b, ParentId: top })
  await circuit('E12', { Source: 2, ParentId: top })
  await circuit('X', { Source: 2, ProjectId: elsewhere })
  await circuit('S', { Source: 3, Formula: '[E1]+[X]', CountInTotal: 0 })
  await circuit('R', { Source: 1, ParaId: a, CountInTotal: 0 })
  await kit.data('owner', 'POST', '/Energy/Info/Source', {
    ...{ EnergyInfoId: ids.R, From: '2026-03-28 11:00:00', ParaId: c, StartReading: 5000 },
  })
  const enter = (EnergyInfoId: number, DataTime: string, Value: number) =>
    kit.data('owner', 'POST', '/Energy/InfoData', { EnergyInfoId, DataTime, Value, CycleType: 2 })
  await enter(ids.E12!, '2026-03-27 00:00:00', 6)
  await enter(ids.X!, '2026-03-27 00:00:00', 9)
  await count(a, spring, 100, 1)
  await count(c, { from: swap, to: spring.to }, 5000, 1)
  await count(b, autumn, 0, 2)
  const others = permissions.filter((code) => code !== 'm10701.cost')
  await kit.person('modest', ours, { menus: others })
  await kit.person('here', ours, { menus: permissions, projects: [ProjectId] })
  Object.assign(ids, { ProjectId, elsewhere })
})
afterAll(() => works?.close())

it('a day costs what its hours cost; days of 23 and 25 hours have as many hours', async () => {
  const { Series, Zone } = await get<Of<'chart'>>(
    `/Energy/DataCenter/Chart?EnergyInfoId=${ids.E1}&DateFrom=2026-03-27&DateTo=2026-03-30&Division=day`,
  )
  expect(Zone).toBe('Europe/Madrid')
  expect(Series.Parts.map(({ Energy, Cost, Known }) => [Energy, Cost, Known])).toEqual([
    [24, 4, 100],
    [24, 4, 100],
    [23, 3.9, 100],
    [24, 4, 100],
  ])
  expect(Series).toMatchObject({ Energy: 95, Cost: 15.9, Unpriced: 0, Peak: 1, Shares: { Measured: 100, Missing: 0 } })
  expect(Series.Levels).toEqual([
    { Level: 2, Energy: 64, Share: (100 * 64) / 95, Cost: 12.8 },
    { Level: 4, Energy: 31, Share: (100 * 31) / 95, Cost: 3.1 },
  ])
  const hours = async (code: string, text: string) =>
    (await get<Of<'chart'>>(`/Energy/DataCenter/Chart?EnergyInfoId=${ids[code]}&${day(text)}&Division=hour`)).Series.Parts
  expect((await hours('E1', '2026-03-29')).map(({ Energy }) => Energy)).toEqual(Array(23).fill(1))
  expect((await hours('E11', '2026-10-25')).map(({ Energy }) => Energy)).toEqual(Array(25).fill(2))
  // Today until now, in the zone of the company: eleven hours.
  const running = await hours('E11', '2026-10-28')
  expect(running.map(({ Energy }) => Energy)).toEqual([...Array(11).fill(2), ...Array(13).fill(null)])
})

it('hours add up to their range, and what is written by hand is what the contract says', async () => {
  for (const as of ['owner', 'modest']) {
    const one = `EnergyInfoId=${ids.S}&DateFrom=2026-03-20&DateTo=2026-04-02`
    const answer = await get<Of<'chart'>>(`/Energy/DataCenter/Chart?${one}&Division=hour`, as)
    expect([...Value.Errors(energyCalls.chart.answer!, answer)]).toEqual([])
    const { Parts, ...whole } = answer.Series
    const sum = (of: (part: (typeof Parts)[number]) => number | null | undefined) => Parts.reduce((all, part) => all + (of(part) ?? 0), 0)
    expect(whole.Energy).toBeGreaterThan(0)
    expect(sum(({ Energy }) => Energy)).toBeCloseTo(whole.Energy!, 9)
    expect('Cost' in whole || Parts.some((part) => 'Cost' in part || 'Unpriced' in part)).toBe(as === 'owner')
    const body = { EnergyInfoIds: [ids.E1, ids.R], DateFrom: '2026-03-26', DateTo: '2026-03-30' }
    for (const Division of ['quarter', 'day', 'month', 'weekday-hour']) {
      const custom = await kit.data<Of<'custom'>>(as, 'POST', '/Energy/DataCenter/Custom', { ...body, Division })
      expect([...Value.Errors(energyCalls.custom.answer!, custom)]).toEqual([])
      expect(custom.Items.map(({ EnergyInfoId }) => EnergyInfoId)).toEqual(body.EnergyInfoIds)
      expect(custom.Items[0]!.Energy).toBe(95)
      for (const { Energy, Parts } of custom.Items) expect(Parts.reduce((all, part) => all + (part.Energy ?? 0), 0)).toBeCloseTo(Energy!, 9)
    }
  }
})

it('a replaced meter leaves no seam, and a formula adds up what its circuits used', async () => {
  const of = async (code: string, as = 'owner') =>
    (await get<Of<'chart'>>(`/Energy/DataCenter/Chart?EnergyInfoId=${ids[code]}&DateFrom=2026-03-27&DateTo=2026-03-28`, as)).Series
  expect(await of('R')).toMatchObject({ Energy: 48, Known: 100, OpenEvents: 0 })
  expect(await of('S')).toMatchObject({ Energy: 33, Known: 50, Shares: { Entered: 100 } })
})

it('a reader sees parts of a sum only where he sees their circuit; the rest is one band', async () => {
  const rows = async (as: string) => {
    const { Items } = await get<Of<'list'>>(`/Energy/DataCenter/List?${day('2026-03-27')}`, as)
    return new Map((Items as FlowRow[]).map((row) => [row.EnergyCode, row]))
  }
  const all = await rows('owner')
  expect([...all.keys()].sort()).toEqual(['E1', 'E11', 'E12', 'R', 'S', 'X'])
  expect(all.get('E1')).toMatchObject({ Energy: 24, Cost: 4, Rest: 18, Others: null, PerArea: 2.4, Kgce: 2.9496 })
  expect(all.get('S')).toMatchObject({ Energy: 33, Rest: null, Others: null })
  const some = await rows('here')
  expect([...some.keys()].sort()).toEqual(['E1', 'E11', 'E12', 'R', 'S'])
  expect(some.get('S')).toMatchObject({ Energy: 33, Rest: 9, Others: 9 })
  expect(await kit.call('here', 'GET', `/Energy/DataCenter/Chart?EnergyInfoId=${ids.X}&${day('2026-03-27')}`)).toMatchObject({
    StatusCode: 404,
  })
  expect(await kit.call('here', 'GET', `/Energy/DataCenter/List?${day('2026-03-27')}&ProjectId=${ids.elsewhere}`)).toMatchObject({
    StatusCode: 404,
  })
  expect((await get<Of<'infoList'>>('/Energy/DataCenter/InfoList', 'stranger')).length).toBe(0)
})

it('without the right to see money, no call of consumption and no sheet returns any', async () => {
  const paths = [
    `/Energy/DataCenter/List?${day('2026-03-27')}`,
    '/Energy/DataCenter/MonthStatistics?Month=2026-03',
    `/Energy/DataCenter/Ranking?${day('2026-03-27')}`,
    `/Energy/DataCenter/Chart?EnergyInfoId=${ids.E1}&${day('2026-03-27')}`,
    `/Energy/Report/Data?${day('2026-03-27')}`,
    `/Energy/ElectricityLevel/Data?EnergyInfoId=${ids.E1}&${day('2026-03-27')}`,
    `/Energy/ElectricityLevel/Statistics?${day('2026-03-27')}`,
    `/Energy/ElectricityLevel/ComparativeStatistics?EnergyInfoId=${ids.E1}&${day('2026-03-27')}`,
    '/Home/StaticEnergy',
  ]
  const range = { DateFrom: '2026-03-27', DateTo: '2026-03-27' }
  const posted: [string, object][] = [
    ['/Energy/DataCenter/Compare', { EnergyInfoIds: [ids.E1], Ranges: [range] }],
    ['/Energy/DataCenter/Custom', { EnergyInfoIds: [ids.E1], ...range }],
  ]
  for (const [path, body] of posted) {
    expect(JSON.stringify(await kit.data('owner', 'POST', path, body)), path).toMatch(/Cost"/)
    expect(JSON.stringify(await kit.data('modest', 'POST', path, body)), path).not.toMatch(/Cost|Price"|EUR/)
  }
  for (const path of paths) {
    expect(JSON.stringify(await get(path)), path).toMatch(/Cost"/)
    expect(JSON.stringify(await get(path, 'modest')), path).not.toMatch(/Cost|Price"|EUR/)
  }
  // No circuit here has a region, so the currency decides.
  const regions = `/Energy/Report/Region?${day('2026-03-27')}`
  expect(await get(regions)).toHaveProperty('Currency', 'EUR')
  expect(await get(regions, 'modest')).toHaveProperty('Currency', null)
  const sheet = async (as: string) => {
    const { rawPayload } = await kit.request(as, 'GET', `/Energy/Report/DataOutput?DateFrom=2026-03-27&DateTo=2026-03-28`)
    return readSheet(rawPayload, kit.enterprises.ours)
  }
  const [header, ...rows] = await sheet('owner')
  expect(header).toEqual([
    ...['Name', 'Code', 'Kind', 'Unit', '2026-03-27', '2026-03-28', 'Total', 'Cost, EUR'],
    ...['Known, %', 'Measured, %', 'Interpolated, %', 'Entered, %', 'Corrected, %', 'Missing, %'],
  ])
  expect(rows.find(([, code]) => code === 'E1')).toEqual(['E1', 'E1', 'Electricity', 'kWh', 24, 24, 48, 8, 100, 100, 0, 0, 0, 0])
  expect((await sheet('modest'))[0]).not.toContain('Cost, EUR')
  const without = permissions.filter((code) => code !== 'm10703.export')
  await kit.person('looks', kit.enterprises.ours, { menus: without })
  expect(await kit.call('looks', 'GET', `/Energy/Report/DataOutput?${day('2026-03-27')}`)).toMatchObject({ StatusCode: 403 })
})

it('a month counts the topmost circuits, is compared with the same days, and says what it will come to', async () => {
  const { Kinds, Currency } = await get<Of<'monthStatistics'>>('/Energy/DataCenter/MonthStatistics?Month=2026-03')
  expect(Currency).toBe('EUR')
  // From 27 to 31 March, an hour less; with the amount that somebody entered in the other project.
  expect(Kinds).toMatchObject([
    { EnergyType: 1, Unit: 'kWh', Month: { Energy: 119 + 9, Cost: 19.9, Unpriced: 9 }, LastYear: null, YoY: null },
  ])
  const { Items } = await get<Of<'ranking'>>(`/Energy/DataCenter/Ranking?${day('2026-03-27')}&RankBy=project`)
  expect(Items.map(({ RankId, Energy, Share }) => [RankId, Energy, Share])).toEqual([
    [ids.ProjectId, 24, (100 * 24) / 33],
    [ids.elsewhere, 9, (100 * 9) / 33],
  ])
  const { Sums } = await get<Of<'reportData'>>(`/Energy/Report/Data?${day('2026-03-27')}&Columns=level`)
  expect(Sums[0]!.Cells.map(({ Energy }) => Energy)).toEqual([9, 0, 16, 0, 8, 0])
  expect(await get<Of<'staticEnergy'>>('/Home/StaticEnergy')).toMatchObject({ Unit: 'kWh', OpenEvents: 0 })
})

it('ranges are compared by date or by weekday, with as many days', async () => {
  const compare = (body: object) =>
    kit.call<Of<'compare'>>('owner', 'POST', '/Energy/DataCenter/Compare', { EnergyInfoIds: [ids.E1], Division: 'day', ...body })
  const Ranges = [
    { DateFrom: '2026-03-28', DateTo: '2026-03-29' },
    { DateFrom: '2026-03-22', DateTo: '2026-03-23' },
  ]
  const aligned = await compare({ Ranges, Align: 'weekday' })
  expect(aligned.Data.Items.map(({ DateFrom, DateTo, Energy }) => [DateFrom, DateTo, Energy])).toEqual([
    ['2026-03-28', '2026-03-29', 47],
    ['2026-03-21', '2026-03-22', null],
  ])
  expect(await compare({ Ranges: [Ranges[0], { DateFrom: '2026-03-01', DateTo: '2026-03-05' }] })).toMatchObject({
    Details: { Fields: { 'Ranges.1.DateTo': [expect.stringContaining('2')] } },
  })
  expect(await compare({ Ranges, EnergyInfoIds: [ids.E1, ids.E11] })).toMatchObject({
    Details: { Fields: { Ranges: [expect.anything()] } },
  })
  expect(await compare({ Ranges: [{ DateFrom: '1926-03-01', DateTo: '2026-03-05' }] })).toMatchObject({
    Details: { Fields: { 'Ranges.0.DateFrom': [expect.anything()] } },
  })
  expect(await kit.call('owner', 'GET', '/Energy/DataCenter/List?DateFrom=2026-02-30&DateTo=2026-03-05')).toMatchObject({
    Details: { Fields: { DateFrom: [expect.anything()] } },
  })
  expect(await kit.call('owner', 'GET', '/Energy/DataCenter/List?DateFrom=2020-01-01&DateTo=2026-03-05')).toMatchObject({ StatusCode: 400 })
})

it('levels of an hour, their mean price, and the range before', async () => {
  const { Hours } = await get<Of<'levelData'>>(`/Energy/ElectricityLevel/Data?EnergyInfoId=${ids.E1}&DateFrom=2026-03-28&DateTo=2026-03-29`)
  expect(Hours[2]!.Levels).toEqual([{ Level: 4, Energy: 1, Share: 100, Cost: 0.1 }])
  expect(Hours[8]!.Levels).toEqual([{ Level: 2, Energy: 2, Share: 100, Cost: 0.4 }])
  const { Items } = await get<Of<'levelStatistics'>>(`/Energy/ElectricityLevel/Statistics?${day('2026-03-27')}`)
  expect(Items.find(({ EnergyCode }) => EnergyCode === 'E1')).toMatchObject({ MeanPrice: 4 / 24 })
  const { Items: ranges } = await get<Of<'levelComparison'>>(
    `/Energy/ElectricityLevel/ComparativeStatistics?EnergyInfoId=${ids.E1}&DateFrom=2026-03-29&DateTo=2026-03-30`,
  )
  expect(ranges.map(({ DateFrom, Energy }) => [DateFrom, Energy])).toEqual([
    ['2026-03-29', 47],
    ['2026-03-27', 48],
    ['2025-03-29', null],
  ])
})

it('cost centres use what their shares of each day are; a circuit below one that names some adds nothing', async () => {
  const share = (code: string, From: string, ...Shares: [CostCentre: string, Percent: number][]) =>
    kit.data('owner', 'PUT', '/Energy/Info/CostCentre', {
      ...{ EnergyInfoId: ids[code], From, Shares: Shares.map(([CostCentre, Percent]) => ({ CostCentre, Percent })) },
    })
  await share('E1', '2026-01-01', ['Pumps', 75], ['Office', 25])
  await share('E1', '2026-03-28', ['Pumps', 100])
  await share('E11', '2026-01-01', ['Office', 100])
  await share('E12', '2026-01-01', ['Nobody', 100])
  const ranked = (as: string, from: string, to: string) =>
    get<Of<'ranking'>>(`/Energy/DataCenter/Ranking?DateFrom=${from}&DateTo=${to}&RankBy=costCentre`, as)
  const { Items } = await ranked('owner', '2026-03-27', '2026-03-28')
  expect(Items.map(({ Name, RankId, Energy, Cost, Known }) => [Name, RankId, Energy, Cost, Known])).toEqual([
    ['Pumps', null, 42, 7, 100],
    ['Office', null, 6, 1, 100],
  ])
  const modest = (await ranked('modest', '2026-03-27', '2026-03-28')).Items
  expect(modest.map((one) => [one.Name, one.Energy, 'Cost' in one])).toEqual([
    ['Pumps', 42, false],
    ['Office', 6, false],
  ])
  expect((await ranked('owner', '2025-12-01', '2025-12-31')).Items).toEqual([])
  expect((await ranked('stranger', '2026-03-27', '2026-03-28')).Items).toEqual([])
})

it('regions and products: what a region’s totals count, and what a unit of the product takes', async () => {
  const { Id: region } = await works.make.create(named('region'))
  const water = { EnergyName: 'W', EnergyCode: 'W', ProjectId: works.ProjectId, Source: 2, EnergyType: 2 }
  const { Id: ProductInfoId } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', water)
  const entry = { EnergyInfoId: ProductInfoId, DataTime: '2026-03-27 00:00:00', Value: 12, CycleType: 2 }
  await kit.data('owner', 'POST', '/Energy/InfoData', entry)
  await kit.data('owner', 'PUT', '/Energy/Info', { Id: ids.E1, RegionId: region, ProductInfoId })
  // Below E1: part of it.
  await kit.data('owner', 'PUT', '/Energy/Info', { Id: ids.E12, RegionId: region })
  const { Rows, Sums } = await get<Of<'reportRegion'>>(`/Energy/Report/Region?${day('2026-03-27')}`)
  expect(Rows.map(({ EnergyType, Total }) => [EnergyType, Total.Energy, Total.Cost])).toEqual([[1, 24, 4]])
  expect(Sums[0]!.Total.Energy).toBe(24)
  const { rawPayload } = await kit.request('owner', 'GET', `/Energy/Report/RegionOutput?${day('2026-03-27')}`)
  expect((await readSheet(rawPayload, kit.enterprises.ours))[1]!.slice(2, 6)).toEqual(['Electricity', 'kWh', 24, 24])
  const ranked = await get<Of<'ranking'>>(`/Energy/DataCenter/Ranking?${day('2026-03-27')}&RankBy=region`)
  expect(ranked.Items.map(({ RankId, Energy }) => [RankId, Energy])).toEqual([[region, 24]])
  const rowOf = async (as: string) =>
    ((await get<Of<'list'>>(`/Energy/DataCenter/List?${day('2026-03-27')}`, as)).Items as FlowRow[]).find((row) => row.EnergyCode === 'E1')!
  expect(await rowOf('owner')).toMatchObject({ PerProduct: 2, CostPerProduct: 4 / 12, ProductUnit: 'm³' })
  expect(await rowOf('modest')).not.toHaveProperty('CostPerProduct')
})

it('a meter whose point is deleted keeps what it counted', async () => {
  const of = async () =>
    (await get<Of<'chart'>>(`/Energy/DataCenter/Chart?EnergyInfoId=${ids.R}&DateFrom=2026-03-27&DateTo=2026-03-28`)).Series
  // The server remembers what present meters count by.
  await works.derive(now)
  const before = await of()
  expect(before).toMatchObject({ Energy: 48, Known: 100 })
  const { Items } = await get<{ Items: { ParaId: number }[] }>(`/Energy/Info/Source/List?EnergyInfoId=${ids.R}`)
  for (const { ParaId } of Items) await kit.data('owner', 'DELETE', '/Project/DevPara', { Id: ParaId })
  expect(await of()).toEqual(before)
})
