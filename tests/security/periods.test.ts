// Periods: what questions read as a whole, from the first day to the last. Without a bound, one circuit with 20,000 meters held up everybody.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../areas/index.ts'
import { type House, startHouse } from '../house.ts'

let house: House
let circuit: number
let company: number
beforeAll(async () => {
  house = await startHouse()
  const project = await house.data('POST', '/Project/Project', { ProjectName: 'Works' })
  circuit = (
    await house.data('POST', '/Energy/Info', { EnergyName: 'Site', EnergyCode: 'E1', EnergyType: 1, Source: 1, ProjectId: project.Id })
  ).Id
  const [row] = await house.database.system.rows<{ EnterpriseId: number }>(
    sql`select "EnterpriseId" from energy_info where "Id" = ${circuit}`,
  )
  company = row!.EnterpriseId
})
afterAll(() => house?.close())

const fieldsOf = async (path: string, body: object, method = 'POST') => {
  const { Details } = (await house.call(house.admin, method, path, body)) as { Details?: { Fields?: Record<string, string[]> } }
  return Details?.Fields
}
const days = sql`generate_series('2020-01-01'::date, '2030-01-01', '1 day') d`

test('each resource with a first day has a bound', () => {
  const unbounded = resources.filter(({ fields, most }) => ['From', 'ValidFrom'].some((name) => name in fields) && !most)
  expect(unbounded.map(({ name }) => name)).toEqual([])
})

test('a circuit has 200 meters over time, 100 tariffs and 1,000 shares of cost centres', async () => {
  const db = house.database.system
  await db.rows(
    sql`insert into energy_source ("EnterpriseId", "EnergyInfoId", "From") select ${company}, ${circuit}, d from ${days} limit 200`,
  )
  const source = { EnergyInfoId: circuit, From: '2026-01-01 00:00:00' }
  expect(await fieldsOf('/Energy/Info/Source', source)).toEqual({
    EnergyInfoId: ['There are 200 already, and more are not possible. Remove one first.'],
  })
  const tariff = { StandardName: 'Flat', ValidFrom: '2020-01-01', TariffType: 1, BasePrice: 0.1 }
  const { Id } = await house.data('POST', '/Energy/ElectricityPriceStandard', tariff)
  await db.rows(sql`
    insert into energy_tariff ("EnterpriseId", "EnergyInfoId", "PriceStandardId", "ValidFrom")
    select ${company}, ${circuit}, ${Id}, d::date::text from ${days} limit 100`)
  const change = { EnergyInfoId: circuit, PriceStandardId: Id, ValidFrom: '2031-01-01' }
  expect(await fieldsOf('/Energy/ElectricityPriceStandard/Circuit', change)).toMatchObject({
    EnergyInfoId: [expect.stringContaining('100')],
  })
  await db.rows(sql`
    insert into energy_cost_centre ("EnterpriseId", "EnergyInfoId", "From", "CostCentre", "Percent")
    select ${company}, ${circuit}, d, 'Centre ' || n, 10 from ${days}, generate_series(1, 10) n limit 1000`)
  const shares = { EnergyInfoId: circuit, From: '2031-01-01', Shares: [{ CostCentre: 'Centre 1', Percent: 100 }] }
  expect(await fieldsOf('/Energy/Info/CostCentre', shares, 'PUT')).toMatchObject({ Shares: [expect.stringContaining('1000')] })
  // One that is changed is none more.
  expect(await fieldsOf('/Energy/Info/CostCentre', { ...shares, From: '2020-01-01' }, 'PUT')).toBeUndefined()
})
