import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Row } from '../../../../contract/resource.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { standardPara } from '../contract.ts'
import { seedStandardPoints } from './service.ts'

type Standard = Row<typeof standardPara>
const path = '/Project/StandardPara'
let kit: Kit
beforeAll(async () => {
  kit = await startKit()
  await seedStandardPoints(kit.database)
})
afterAll(() => kit.close())

const list = async (as: string, query = '') => kit.data<{ Items: Standard[]; TotalCount: number }>(as, 'GET', `${path}/List?${query}`)
const voltage = async (as: string) => (await list(as, 'Code=voltage.l1')).Items.find((row) => row.Code === 'voltage.l1')!

it('every tenant sees the platform’s library, once, in four languages', async () => {
  await seedStandardPoints(kit.database)
  const { TotalCount } = await list('owner')
  expect(TotalCount).toBeGreaterThanOrEqual(150)
  expect((await list('stranger')).TotalCount).toBe(TotalCount)
  expect(await voltage('owner')).toMatchObject({
    ...{ NameEn: 'Voltage L1-N', NameZh: 'A相电压', NameEs: 'Tensión L1-N', NameJa: 'L1-N 電圧' },
    ...{ ParaUnitName: 'V', RangeLow: 0, RangeHigh: 500, Aggregation: 1 },
  })
  expect((await list('viewer', 'Search=kvarh')).TotalCount).toBe(1)
})

it('only the platform can change and delete its rows, through any call', async () => {
  const { Id } = await voltage('owner')
  const refused = { StatusCode: 403, Details: { Fault: 'platformRow' } }
  expect(await kit.call('owner', 'PUT', path, { Id, ParaUnitName: 'kV' })).toMatchObject(refused)
  for (const suffix of ['', '/BatchDelete'])
    expect(await kit.call('owner', 'DELETE', `${path}${suffix}`, { Ids: [Id] })).toMatchObject(refused)
  expect(await kit.data('platform', 'PUT', path, { Id, Aliases: 'U1|Ua|Van' })).toMatchObject({ Aliases: 'U1|Ua|Van' })
  expect(await voltage('stranger')).toMatchObject({ ParaUnitName: 'V', Aliases: 'U1|Ua|Van' })
})

it('a tenant adds private rows under codes that the platform does not use', async () => {
  const own = await kit.data<Standard>('owner', 'POST', path, { Code: 'slurry.density', NameEn: 'Slurry density', ParaUnitName: 'kg/L' })
  expect((await list('stranger', 'Search=slurry')).TotalCount).toBe(0)
  expect(await kit.call('stranger', 'GET', `${path}?Id=${own.Id}`)).toMatchObject({ StatusCode: 404 })
  await kit.data('stranger', 'POST', path, { Code: 'slurry.density', NameEn: 'Density' })
  for (const Code of ['voltage.l1', 'slurry.density'])
    expect(await kit.call('owner', 'POST', path, { Code, NameEn: 'Again' })).toMatchObject({
      Details: { Fields: { Code: [expect.stringContaining('in use')] } },
    })
  expect(await kit.call('owner', 'PUT', path, { Id: own.Id, RangeLow: 3, RangeHigh: 2 })).toMatchObject({
    Details: { Fields: { RangeHigh: ['Must be greater than 3.'] } },
  })
})

it('a batch is added in one transaction, and a refusal names the position', async () => {
  const items = (...codes: string[]) => ({ Items: codes.map((Code) => ({ Code, NameEn: Code })) })
  expect(await kit.data('owner', 'POST', `${path}/BatchAdd`, items('brine.flow', 'brine.level'))).toEqual({ Added: 2 })
  const refused = await kit.call('owner', 'POST', `${path}/BatchAdd`, items('brine.ph', 'voltage.l1'))
  expect(refused).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Items.1.Code': [expect.any(String)] } } })
  expect(await kit.call('owner', 'POST', `${path}/BatchAdd`, items('brine.ph', 'brine.flow'))).toMatchObject({
    ...{ StatusCode: 409, Details: { Fields: { 'Items.1.Code': [expect.stringContaining('in use')] } } },
  })
  expect((await list('owner', 'Search=brine')).TotalCount).toBe(2)
  expect(await kit.call('viewer', 'POST', `${path}/BatchAdd`, items('brine.ph'))).toMatchObject({ StatusCode: 403 })
})

it('an exported sheet imports without changes, and cannot change shared rows', async () => {
  const sheet = (text: string) => kit.upload('owner', `${path}/Import`, text, 'standard.csv')
  const output = await kit.request('owner', 'GET', `${path}/Output?Format=csv&PageSize=1000`)
  expect(output.statusCode).toBe(200)
  expect(await sheet(output.body)).toMatchObject({ Data: { Added: 0, Changed: 0 } })
  const changed = await sheet('Code,Name in English\nvoltage.l2,Mine\n')
  expect(changed).toMatchObject({ Details: { Rows: [{ Row: 2, Message: expect.stringContaining('belongs to the platform') }] } })
})
