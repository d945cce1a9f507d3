import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { named } from '../../../../server/resource/sql.ts'
import type { monthCalls, StatementCircuit } from '../closing.ts'
import type { energyCalls } from '../contract.ts'
import { startWorks } from './consumption.fixture.ts'

const now = Date.parse('2026-06-10T10:00:00Z')
// Local midnight of 1 April to that of 3 April.
const april = { from: Date.parse('2026-03-31T22:00:00Z'), to: Date.parse('2026-04-02T22:00:00Z') }

let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
const ids: Record<string, number> = {}
type Statement = Answer<typeof monthCalls.statement>
type Matrix = Answer<typeof energyCalls.reportData>

beforeAll(async () => {
  works = await startWorks(() => now)
  kit = works.kit
  const { ProjectId, meter } = works
  const PriceStandardId = await works.tariff()
  const circuit = async (EnergyCode: string, more: object) =>
    (await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', { EnergyName: EnergyCode, EnergyCode, ProjectId, ...more })).Id
  const a = await meter()
  ids.point = a
  ids.E1 = await circuit('E1', { Source: 1, ParaId: a, PriceStandardId })
  ids.E2 = await circuit('E2', { Source: 2, ParentId: ids.E1, PriceStandardId })
  ids.tariff = PriceStandardId
  await kit.data('owner', 'PUT', '/Energy/Info/CostCentre', {
    ...{ EnergyInfoId: ids.E1, From: '2026-01-01' },
    Shares: [
      { CostCentre: 'Pumps', Percent: 75 },
      { CostCentre: 'Office', Percent: 25 },
    ],
  })
  await enter('2026-04-01', 9.6)
  // The counter falls after a day, and it is unknown whether it was replaced.
  await works.count(a, { from: april.from, to: april.from + 24 * 3_600_000 }, 1000, 1)
  await works.count(a, { from: april.from + 25 * 3_600_000, to: april.to }, 0, 1)
  await kit.person('clerk', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10703.close') })
  await kit.person('modest', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10701.cost') })
})
afterAll(() => works?.close())

const enter = (day: string, Value: number) =>
  kit.data('owner', 'POST', '/Energy/InfoData', { EnergyInfoId: ids.E2, DataTime: `${day} 00:00:00`, Value, CycleType: 2 })
const close = (Month: string, Confirmed = 0, as = 'owner') =>
  kit.call<{ Sha256: string }>(as, 'POST', '/Energy/Month/Close', { ProjectId: works.ProjectId, Month, Confirmed })
const statement = (Month: string, as = 'owner') =>
  kit.data<Statement>(as, 'GET', `/Energy/Month/Statement?ProjectId=${works.ProjectId}&Month=${Month}`)
const of = (all: { Circuits: unknown[] }, code: string) =>
  (all.Circuits as StatementCircuit[]).find(({ EnergyCode }) => EnergyCode === code)!
const said = (field: string, text: string) => ({ Details: { Fields: { [field]: [expect.stringContaining(text)] } } })

it('a month that runs, or that is not one, is not closed; open meter events are listed, and confirmed by whoever may close', async () => {
  expect(await close('2026-06')).toMatchObject(said('Month', 'not over'))
  expect(await close('2026-13')).toMatchObject({ StatusCode: 400 })
  expect(await close('2026-04', 0, 'clerk')).toMatchObject({ StatusCode: 403 })
  const { Events, IsClosed } = await statement('2026-04')
  expect([IsClosed, Events.length]).toEqual([0, 1])
  expect(Events[0]).toMatchObject({ EnergyInfoId: ids.E1, EnergyCode: 'E1' })
  expect(await close('2026-04', 0)).toMatchObject(said('Confirmed', '1'))
})

it('of fifty people who close a month at once, one does and the others are told so; its hash is in the log', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => close('2026-04', 1)))
  const done = answers.filter(({ Succeeded }) => Succeeded)
  expect(done.length).toBe(1)
  expect(new Set(answers.filter(({ Succeeded }) => !Succeeded).map(({ StatusCode }) => StatusCode))).toEqual(new Set([409]))
  const [row] = await kit.db.rows<{ Statement: string; After: { Sha256: string } }>(sql`
    select m."Statement", c."After" from energy_month m join change c on c."RecordId" = m."Id" and c."Resource" = 'energyMonth'`)
  const Sha256 = createHash('sha256').update(row!.Statement).digest('hex')
  expect([row!.After.Sha256, done[0]!.Data.Sha256]).toEqual([Sha256, Sha256])
  const { Items } = await kit.data<Answer<typeof monthCalls.list>>('owner', 'GET', `/Energy/Month/List?ProjectId=${works.ProjectId}`)
  expect(Items.map(({ Month, IsClosed, IsOver, ClosedBy }) => [Month, IsClosed, IsOver, ClosedBy])).toEqual([
    ['2026-06', 0, 0, null],
    ['2026-05', 0, 1, null],
    ['2026-04', 1, 1, 'owner'],
  ])
  expect(await close('2026-03')).toMatchObject(said('Month', '2026-04'))
})

it('a statement keeps names, prices and amounts; its lines add up, and without the right to see money there is none', async () => {
  const before = await statement('2026-04')
  const [e1, e2] = [of(before, 'E1'), of(before, 'E2')]
  expect(e2).toMatchObject({ Energy: 9.6, ParentId: ids.E1, TotalCost: 1.6, Shares: { Entered: 100 } })
  expect(e1.Lines!.reduce((sum, { Cost }) => sum + Cost, 0)).toBeCloseTo(e1.TotalCost!, 2)
  expect(e1.CostCentres.map(({ CostCentre, Percent }) => [CostCentre, Percent])).toEqual([
    ['Office', 25],
    ['Pumps', 75],
  ])
  const prices = { Id: ids.tariff, TariffType: 1, BasePrice: 9 }
  await kit.data('owner', 'PUT', '/Energy/ElectricityPriceStandard', prices)
  await kit.data('owner', 'PUT', '/Energy/Info', { Id: ids.E2, EnergyName: 'Renamed' })
  expect(await statement('2026-04')).toEqual(before)
  const chart = await kit.data<Answer<typeof energyCalls.chart>>(
    'owner',
    'GET',
    `/Energy/DataCenter/Chart?EnergyInfoId=${ids.E2}&DateFrom=2026-04-01&DateTo=2026-04-01`,
  )
  expect(chart.Series.Cost).toBe(1.6)
  expect(JSON.stringify(await statement('2026-04', 'modest'))).not.toMatch(/Cost"|Lines|EUR/)
  expect(await kit.call('owner', 'PUT', '/System/Enterprise/System', { CurrencyCode: 'USD' })).toMatchObject({
    Details: { Fields: { CurrencyCode: [expect.stringContaining('closed')] } },
  })
})

it('what comes late is a line of the next month, named after its own, at the prices of then; reports keep the statement', async () => {
  await enter('2026-04-02', 19.2)
  const report = await kit.data<Matrix>('owner', 'GET', '/Energy/Report/Data?DateFrom=2026-04-01&DateTo=2026-04-30&Columns=month')
  expect(report.Rows.find(({ EnergyCode }) => EnergyCode === 'E2')!.Total).toMatchObject({ Energy: 9.6, Late: 19.2, Cost: 1.6 })
  const late = [{ Month: '2026-04', EnergyCode: 'E2', Energy: 19.2, Cost: 3.2 }]
  const file = await kit.request('owner', 'GET', '/Energy/Report/DataOutput?DateFrom=2026-04-01&DateTo=2026-04-30&Columns=month')
  const [header, ...rows] = await readSheet(file.rawPayload, kit.enterprises.ours)
  expect([header!.at(-1), rows.find(([, code]) => code === 'E2')!.at(-1)]).toEqual(['Since closing', 19.2])
  const range = `EnergyInfoId=${ids.E2}&DateFrom=2026-04-01&DateTo=2026-04-30`
  const chart = await kit.data<Answer<typeof energyCalls.chart>>('owner', 'GET', `/Energy/DataCenter/Chart?${range}`)
  expect(chart.Series).toMatchObject({ Energy: 28.8, Late: 19.2 })
  expect((await statement('2026-04')).Late).toMatchObject(late)
  expect((await statement('2026-05')).Late).toMatchObject(late)
  expect(await close('2026-05')).toMatchObject({ Succeeded: true })
  // It is settled once.
  expect((await statement('2026-04')).Late).toEqual([])
  expect((await statement('2026-05')).Late).toMatchObject(late)
  expect((await statement('2026-06')).Late).toEqual([])
  // A late answer counts as well: the old meter ended at 1025, the new one began at 0.
  await kit.db.rows(sql`
    insert into meter_event ("PointId", "EnterpriseId", "Time", "Kind", "OldEnd", "NewStart")
    values (${ids.point}, ${kit.enterprises.ours}, ${april.from + 25 * 3_600_000}, 2, 1025, 0)`)
  expect((await statement('2026-06')).Late).toMatchObject([{ Month: '2026-04', EnergyCode: 'E1', Energy: 1, Cost: 0.1 }])
})

it('cost centres of a statement follow the shares of each day, as their ranking does; a closed month keeps its shares', async () => {
  const { Id: ProjectId } = await works.make.create(named('project'))
  const Charges = [{ Name: 'Meter', Amount: 30, Per: 1 }]
  const tariff = { StandardName: 'With a charge', ValidFrom: '2025-01-01', TariffType: 1, BasePrice: 0.5, Charges }
  const { Id: PriceStandardId } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/ElectricityPriceStandard', tariff)
  const circuit = { EnergyName: 'E3', EnergyCode: 'E3', ProjectId, Source: 2, PriceStandardId }
  const { Id: EnergyInfoId } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', circuit)
  const used = (day: string, Value: number) =>
    kit.data('owner', 'POST', '/Energy/InfoData', { EnergyInfoId, DataTime: `${day} 00:00:00`, Value, CycleType: 2 })
  const share = (From: string, ...of: [CostCentre: string, Percent: number][]) =>
    kit.data('owner', 'PUT', '/Energy/Info/CostCentre', {
      ...{ EnergyInfoId, From },
      Shares: of.map(([CostCentre, Percent]) => ({ CostCentre, Percent })),
    })
  await used('2026-04-01', 10)
  await used('2026-04-02', 30)
  await share('2026-01-01', ['Pumps', 75], ['Office', 25])
  await share('2026-04-02', ['Office', 100])
  const month = `ProjectId=${ProjectId}&Month=2026-04`
  const centres = async () => of(await kit.data<Statement>('owner', 'GET', `/Energy/Month/Statement?${month}`), 'E3').CostCentres
  // Of the charge of 30, as much as of the energy.
  const expected = [
    { CostCentre: 'Office', Percent: 81.25, Energy: 32.5, Cost: 16.25 + 0.8125 * 30 },
    { CostCentre: 'Pumps', Percent: 18.75, Energy: 7.5, Cost: 3.75 + 0.1875 * 30 },
  ]
  expect(await centres()).toEqual(expected)
  const path = `/Energy/DataCenter/Ranking?ProjectId=${ProjectId}&DateFrom=2026-04-01&DateTo=2026-04-30&RankBy=costCentre`
  const { Items } = await kit.data<Answer<typeof energyCalls.ranking>>('owner', 'GET', path)
  expect(Items.map(({ Name, Energy, Cost }) => [Name, Energy, Cost])).toEqual([
    ['Office', 32.5, 16.25],
    ['Pumps', 7.5, 3.75],
  ])
  await kit.data('owner', 'POST', '/Energy/Month/Close', { ProjectId, Month: '2026-04' })
  await share('2026-04-01', ['Pumps', 100])
  expect(await centres()).toEqual(expected)
})

it('home says what the month says, and counts the meter events of every circuit with a meter', async () => {
  const circuit = async (EnergyCode: string, ParaId: number, more: object = {}) =>
    (
      await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', {
        EnergyName: EnergyCode,
        EnergyCode,
        ProjectId: works.ProjectId,
        ParaId,
        ...more,
      })
    ).Id
  const june = Date.parse('2026-05-31T22:00:00Z')
  const fall = june + 24 * 3_600_000
  const [above, below] = [await works.meter(), await works.meter()]
  const ParentId = await circuit('H1', above)
  await circuit('H11', below, { ParentId })
  await works.count(above, { from: june, to: now }, 0, 3)
  await works.count(below, { from: june, to: fall }, 500, 1)
  await works.count(below, { from: fall + 300_000, to: now }, 0, 1)
  const home = await kit.data<Answer<typeof energyCalls.staticEnergy>>('owner', 'GET', '/Home/StaticEnergy')
  const path = '/Energy/DataCenter/MonthStatistics'
  const { Kinds, Currency } = await kit.data<Answer<typeof energyCalls.monthStatistics>>('owner', 'GET', path)
  const { Today, Month, Unit } = Kinds.find(({ EnergyType }) => EnergyType === 1)!
  expect(Month.Energy).toBeGreaterThan(Today.Energy!)
  expect(home).toEqual({ Unit, TodayEnergy: Today.Energy, MonthEnergy: Month.Energy, MonthCost: Month.Cost, Currency, OpenEvents: 1 })
})

it('another company sees no month and closes none', async () => {
  for (const path of ['List?', 'Statement?Month=2026-04&'])
    expect(await kit.call('stranger', 'GET', `/Energy/Month/${path}ProjectId=${works.ProjectId}`)).toMatchObject({ StatusCode: 404 })
  expect(await close('2026-05', 0, 'stranger')).toMatchObject({ StatusCode: 404 })
})
