import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { named } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { Part } from '../../../analysis/reports/blocks.ts'
import { startWorks } from '../../../energy/consumption/server/consumption.fixture.ts'
import type { dosingCalls } from '../contract.ts'
import { dosingBlocks } from './reportBlocks.ts'
import { dosingRoutes } from './routes.ts'
import { createRun } from './worker.ts'

const [hour, day] = [3_600_000, 86_400_000]
const now = Date.parse('2026-06-30T10:00:00Z')
/** Midnight in Madrid. */
const midnight = Date.parse('2026-06-29T22:00:00Z')

type Of<K extends keyof typeof dosingCalls> = Answer<(typeof dosingCalls)[K]>
let works: Awaited<ReturnType<typeof startWorks>>
let kit: Kit
let telemetry: Telemetry
const ids: Record<string, number> = {}
beforeAll(async () => {
  works = await startWorks(
    () => now,
    [
      (app, needs) => {
        telemetry = needs.telemetry
        dosingRoutes(app, needs)
      },
    ],
  )
  kit = works.kit
  const others = permissions.filter((code) => code !== 'm10721.cost')
  await kit.person('modest', kit.enterprises.ours, { menus: others })
  const [pulses, water] = [await works.meter(), await works.meter()]
  const since = { from: midnight - 40 * day, to: now }
  // 2 pulses of half a kg an hour, into 50 m³.
  await works.count(pulses, since, 0, 2)
  await works.count(water, since, 1000, 50)
  const { Id: RegionId } = await works.make.create(named('region'), { RegionName: 'North' })
  ids.hypo = await add('DI01', {
    ...{ Source: 1, ParaId: pulses, Multiplier: 0.5, WaterParaId: water, Concentration: 12.5, Price: 0.4, RegionId },
    ...{ TargetDose: 20, DoseLow: 15, DoseHigh: 25, LeadDays: 3, MinStock: 48, TankSize: 1000 },
  })
  Object.assign(ids, { pulses, water })
})
afterAll(() => works?.close())

const add = async (DrugCode: string, more: object) =>
  (
    await kit.data<{ Id: number }>('owner', 'POST', '/Drug/Info', {
      DrugName: `Chemical ${DrugCode}`,
      DrugCode,
      ProjectId: works.ProjectId,
      ...more,
    })
  ).Id
const get = <T>(path: string, as = 'owner') => kit.data<T>(as, 'GET', path)
const days = (from: string, to = from) => `DateFrom=${from}&DateTo=${to}`
const chart = (id: number, range: string, as?: string) => get<Of<'chart'>>(`/Drug/DataCenter/Chart?DrugInfoId=${id}&${range}`, as)
const deliver = (DrugInfoId: number, DeliverTime: string, more: object) =>
  kit.data<{ Id: number }>('owner', 'POST', '/Drug/Delivery', { DrugInfoId, DeliverTime, BatchNo: DeliverTime.slice(0, 10), ...more })
const keep = () =>
  createRun({
    database: kit.database,
    telemetry,
    clock: () => now,
    isOwner: () => true,
    log: {
      warn: (o: object) => {
        throw new Error(JSON.stringify(o))
      },
    } as never,
  })(() => false)
const load = async (point: number, rows: [time: number, value: number][]) => {
  for (const some of Map.groupBy(rows, ([time]) => Math.floor(time / day)).values())
    await telemetry.load(
      (async function* () {
        yield some.map(([time, value]) => ({ point, time, value, quality: 0 }))
      })(),
    )
}

it('a block of a report says what was dosed into how much water on each day, without money', async () => {
  const { dosing } = dosingBlocks({ telemetry })
  const start = midnight - 3 * day
  const actor = { ...serverActor(kit.enterprises.ours), UserId: 0 }
  const making = { db: kit.database.as(actor), actor, language: 'en' as const, zone: 'Europe/Madrid', span: { start, end: midnight }, now }
  const parts = await dosing({ ...making, projects: [{ Id: works.ProjectId, Name: 'Works' }], title: 'Chemicals' })
  const [figures, bars, table] = parts as [Part, Part, Extract<Part, { Is: 'table' }>]
  // 24 kg into 1,200 m³ a day: 20 mg/L of the product, 2.5 of what works in it.
  expect(figures).toMatchObject({ Is: 'figures', Title: 'Chemicals' })
  expect((figures as Extract<Part, { Is: 'figures' }>).Figures[0]).toMatchObject({ Name: 'Chemical DI01', Value: 72, Unit: 'kg' })
  expect((bars as Extract<Part, { Is: 'chart' }>).Curves[0]!.Value).toEqual([24, 24, 24])
  expect(table.Rows[0]!.slice(0, 6)).toEqual(['Chemical DI01', 'DI01', 72, 'kg', 9, 3600])
  expect(JSON.stringify(parts)).not.toContain('EUR')
  expect(await dosing({ ...making, projects: [], title: 'Chemicals' })).toMatchObject([{ Is: 'text' }])
})

it('a day of pulses and water is a dose, a dry amount and a cost; hours add up to days', async () => {
  const { Total, Parts, Unit } = await chart(ids.hypo!, days('2026-06-20', '2026-06-21'))
  expect(Unit).toBe('kg')
  expect(Parts.length).toBe(48)
  expect(Total).toMatchObject({ Qty: 48, Kg: 48, Dry: 6, Water: 2400, Dose: 20, UnitUse: 20, Known: 100 })
  expect([Total.Cost, Total.CostPerM3]).toEqual([19.2, 19.2 / 2400])
  expect(Parts.reduce((sum, { Qty }) => sum + Qty! * 1000, 0)).toBeCloseTo(48_000, 9)
  expect(Parts.every(({ Dose }) => Math.abs(Dose! - 20) < 0.01)).toBe(true)
  const { Total: modest } = await chart(ids.hypo!, days('2026-06-20'), 'modest')
  expect(modest).toMatchObject({ Qty: 24 })
  expect(JSON.stringify(modest)).not.toMatch(/Cost|Unpriced/)
  expect(await kit.call('owner', 'GET', `/Drug/DataCenter/Chart?DrugInfoId=${ids.hypo}&${days('1926-01-01', '2026-01-01')}`)).toMatchObject(
    {
      StatusCode: 400,
    },
  )
  expect(await kit.call('stranger', 'GET', `/Drug/DataCenter/Chart?DrugInfoId=${ids.hypo}&${days('2026-06-20')}`)).toMatchObject({
    StatusCode: 404,
  })
})

it('without water there is no dose and no cost of a m³', async () => {
  const dry = await add('DI02', { Source: 1, ParaId: ids.pulses, Price: 1 })
  const { Total } = await chart(dry, days('2026-06-20'))
  expect(Total).toMatchObject({ Qty: 48, Water: null, Dose: null, UnitUse: null, Cost: 48, CostPerM3: null })
  const { Total: none } = await chart(dry, days('2026-01-20'))
  expect(none).toMatchObject({ Qty: null, Kg: null, Dose: null, Known: 0, Shares: null })
})

it('entered amounts count by hour, day and month, with the water that was entered', async () => {
  const id = await add('CO01', { Unit: 'L', Density: 1.2, Price: 0.5 })
  const enter = (DataTime: string, Value: number, more: object = {}) =>
    kit.data('owner', 'POST', '/Drug/InfoData', { DrugInfoId: id, DataTime, Value, ...more })
  await enter('2026-06-20 00:00:00', 100, { WaterValue: 6000 })
  await enter('2026-06-21 00:00:00', 90, { WaterValue: 0 })
  const { Total } = await chart(id, days('2026-06-20'))
  expect(Total).toMatchObject({ Qty: 100, Kg: 120, Water: 6000, Dose: 20, Cost: 50, Shares: { Entered: 100, Measured: 0, Missing: 0 } })
  expect((await chart(id, days('2026-06-21'))).Total).toMatchObject({ Qty: 90, Water: 0, Dose: null, CostPerM3: null })
  // A day without water adds nothing to the dose of both.
  expect((await chart(id, days('2026-06-20', '2026-06-21'))).Total).toMatchObject({ Qty: 190, Dose: 20 })
  ids.entered = id
})

it('a pump doses its stroke times the time that it runs', async () => {
  const stroke = (
    await works.make.create(named('point'), { DeviceId: (await get<{ DeviceId: number }>(`/Drug/Info?Id=${ids.hypo}`)).DeviceId })
  ).Id
  const runs = (
    await works.make.create(named('point'), { DeviceId: (await get<{ DeviceId: number }>(`/Drug/Info?Id=${ids.hypo}`)).DeviceId })
  ).Id
  const start = midnight - 3 * day
  const steps = Array.from({ length: 24 * 12 }, (_, i) => start + (i * hour) / 12)
  await load(
    stroke,
    steps.map((time) => [time, 50]),
  )
  // Covers the second half of the day.
  await load(
    runs,
    steps.map((time, i) => [time, i < 12 * 12 ? 1 : 0]),
  )
  const id = await add('FL01', { Source: 3, ParaId: stroke, RunParaId: runs, PumpRate: 8 })
  const { Total } = await chart(id, days('2026-06-27'))
  expect(Total.Qty).toBeCloseTo(48, 1)
})

it('deliveries are used in their order, at their price; the ledger follows what was used, and late entries', async () => {
  const id = ids.entered!
  await deliver(id, '2026-06-19 09:00:00', { Qty: 120, Price: 1, Concentration: 10 })
  await deliver(id, '2026-06-20 09:00:00', { Qty: 500, Price: 2, Concentration: 20 })
  const { Total, Parts } = await chart(id, `${days('2026-06-20', '2026-06-21')}&Division=day`)
  expect(Parts.map(({ Cost }) => Cost)).toEqual([100, 20 + 140])
  expect(Total).toMatchObject({ Cost: 260, Dry: (12 + 14) * 1.2 })
  expect((await chart(id, `${days('2026-06-21')}&Division=day`)).Total.Cost).toBe(160)
  const stock = async () => (await get<{ StockQty: number }>(`/Drug/Info?Id=${id}`)).StockQty
  expect(await stock()).toBe(620)
  await keep()
  await keep()
  expect(await stock()).toBe(430)
  await kit.data('owner', 'POST', '/Drug/InfoData/Ledger', { Cells: [{ DrugInfoId: id, Time: '2026-06-20', Value: 70 }] })
  await keep()
  expect(await stock()).toBe(460)
  // No more than there is.
  await kit.data('owner', 'POST', '/Drug/InfoData/Ledger', { Cells: [{ DrugInfoId: id, Time: '2026-06-22', Value: 9000 }] })
  await keep()
  expect(await stock()).toBe(0)
})

it('a rise of the level proposes one delivery; tank and ledger are compared; the days left have a band', async () => {
  const level = (
    await works.make.create(named('point'), { DeviceId: (await get<{ DeviceId: number }>(`/Drug/Info?Id=${ids.hypo}`)).DeviceId })
  ).Id
  const start = midnight - 35 * day
  const filled = midnight - 10 * day + 9 * hour
  // 1 kg an hour from 90 %, and a tanker with 700 kg.
  const at = (time: number) => 90 - (time - start) / hour / 10 + (time > filled ? 70 : 0)
  await load(
    level,
    Array.from({ length: 35 * 96 + 48 }, (_, i) => start + i * 900_000)
      .filter((time) => time <= now)
      .map((time) => [time, at(time)]),
  )
  const id = await add('DI09', { Source: 4, TankParaId: level, TankSize: 1000, WaterParaId: ids.water, LeadDays: 3, MinStock: 48 })
  expect((await chart(id, days('2026-06-25'))).Total).toMatchObject({ Dose: expect.closeTo(20, 1) })
  expect((await chart(id, days('2026-06-20'))).Total.Qty).toBeCloseTo(24, 0)
  await keep()
  await keep()
  const { Items } = await get<{ Items: { Id: number; Status: number; Qty: number; DeliverTime: string }[] }>(
    `/Drug/Delivery/List?DrugInfoId=${id}`,
  )
  expect(Items).toMatchObject([{ Status: 0, Qty: expect.closeTo(700, -1) }])
  await kit.data('owner', 'POST', '/Drug/Delivery/Confirm', { Id: Items[0]!.Id, BatchNo: 'T-1', Qty: 700, Price: 0.5 })
  await keep()
  const all = await get<Of<'statistics'>>('/Drug/DataCenter/Statistics')
  const one = all.Items.find(({ DrugInfoId }) => DrugInfoId === id)!
  // 10 days of 24 kg are in the ledger, half a day is not.
  expect(one.StockQty).toBeCloseTo(700 - 10 * 24, 0)
  expect(one.DailyUse).toBeCloseTo(24, 1)
  // 1,000 less what is left after three days.
  expect(one).toMatchObject({ Proposed: 0, OrderQty: expect.closeTo(1000 - (448 - 72), 0), TankQty: null })
  await kit.db.rows(sql`update drug_info set "LeadDays" = 25 where "Id" = ${id}`)
})

it('the home card shows the first of the list, with the same numbers, and a due order is said once', async () => {
  await deliver(ids.hypo!, '2026-06-01 09:00:00', { Qty: 900, Price: 0.5 })
  await keep()
  const { Items } = await get<Of<'statistics'>>('/Drug/DataCenter/Statistics')
  const hypo = Items.find(({ DrugInfoId }) => DrugInfoId === ids.hypo)!
  // 29 whole days of 24 kg since the delivery are out.
  expect(hypo).toMatchObject({ StockQty: 900 - 29 * 24, UsedSince: expect.closeTo(12, 1), DailyUse: 24 })
  expect(hypo.DaysLeft).toBeCloseTo((900 - 29 * 24 - 12) / 24, 1)
  expect(hypo.DaysLow! <= hypo.DaysLeft! && hypo.DaysLeft! <= hypo.DaysHigh!).toBe(true)
  expect(hypo.State).toBe(2)
  const card = await get<Of<'staticDrug'>>('/Home/StaticDrug')
  expect(card.Count).toBe(Items.length)
  for (const [i, item] of card.Items.entries()) expect(Items[i]).toMatchObject(item)
  expect(card.OrderNow).toBe(Items.filter(({ State }) => State === 3).length)
  const notices = () =>
    kit.db.rows<{ Source: string }>(
      sql`select "Source" from notice where "Wording" like 'chemicalOrder%' and "Source" like ${`chemicalOrder/${ids.hypo}/%`}`,
    )
  expect(await notices()).toHaveLength(0)
  await kit.data('owner', 'PUT', '/Drug/Info', { Id: ids.hypo, LeadDays: 9 })
  await keep()
  await keep()
  expect(await notices()).toHaveLength(1)
  expect(await kit.call('viewer', 'GET', '/Home/StaticDrug')).toMatchObject({ Succeeded: true })
})

it('lists compare ranges, and reports leave as sheets, with money for those who may see it', async () => {
  const { Items } = await get<{ Items: { DrugInfoId: number }[] }>(`/Drug/DataCenter/List?${days('2026-06-20', '2026-06-21')}&DrugType=1`)
  expect(Items.find(({ DrugInfoId }) => DrugInfoId === ids.hypo)).toMatchObject({
    Qty: 48,
    LastPeriod: 48,
    MoM: 0,
    LastYear: null,
    YoY: null,
  })
  const report = await get<Of<'reportData'>>(`/Drug/Report/Data?${days('2026-06-19', '2026-06-21')}`)
  expect(report.Columns).toEqual(['2026-06-19', '2026-06-20', '2026-06-21'])
  expect(report.Rows.find(({ DrugInfoId }) => DrugInfoId === ids.hypo)!.Cells.map(({ Qty }) => Qty)).toEqual([24, 24, 24])
  const regions = await get<Of<'reportRegion'>>(`/Drug/Report/Region?${days('2026-06-19', '2026-06-21')}`, 'modest')
  expect(regions.Rows).toMatchObject([{ Name: 'North', DrugCode: 'DI01', Total: { Qty: 72, UnitUse: 20 } }])
  expect(JSON.stringify(regions)).not.toMatch(/Cost|Currency/)
  for (const [path, as, has] of [
    ['DataOutput', 'owner', true],
    ['RegionOutput', 'modest', false],
  ] as const) {
    const file = (await kit.request(as, 'GET', `/Drug/Report/${path}?${days('2026-06-19', '2026-06-21')}`)).rawPayload
    const [header] = await readSheet(file)
    expect(header!.some((cell) => String(cell).includes('EUR'))).toBe(has)
  }
  expect(await kit.call('viewer', 'GET', `/Drug/Report/DataOutput?${days('2026-06-19')}`)).toMatchObject({ StatusCode: 403 })
})
