import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer, Page, Wrapper } from '../../../../../contract/call.ts'
import { type Imported, layouts } from '../../../../../contract/exports.ts'
import { maker } from '../../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../../main/testing/kit.ts'
import { device } from '../../../../configuration/devices/contract.ts'
import { point, type pointCalls } from '../../../../configuration/points/contract.ts'
import { seedStandardPoints } from '../../../../configuration/standard-points/server/service.ts'

type Row = { Id: number } & Record<string, unknown>
type Layout = Answer<typeof pointCalls.layout>
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  await seedStandardPoints(kit.database)
  make = maker(kit)
})
afterAll(() => kit?.close())

const send = <T>(as: string, path: string, file: string) => {
  const form = `--sheet\r\nContent-Disposition: form-data; name="file"; filename="list"\r\n\r\n${file}\r\n--sheet--\r\n`
  return kit.call(as, 'POST', `${point.path}${path}`, Buffer.from(form), {
    'content-type': 'multipart/form-data; boundary=sheet',
  }) as Promise<Wrapper<T>>
}
const inspect = (as: string, id: number, file: string) => send<Layout>(as, `/Layout?DeviceId=${id}`, file)
const bring = (id: number, query: string, file: string) => send<Imported>('owner', `/Import?DeviceId=${id}&${query}`, file)
const pointsOf = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `${point.path}/List?PageSize=1000&OrderColumn=Id&DeviceId=${id}`)).Items

const kepware = (tags: string[]) =>
  `Tag Name,Address,Data Type,Respect Data Type,Client Access,Scan Rate,Scaling,Raw Low,Raw High,Scaled Low,Scaled High,Scaled Data Type,Clamp Low,Clamp High,Eng Units,Description,Negate Value\n${tags.join('\n')}\n`
const tag = (name: string, address: string, type: string) => `"${name}",${address},${type},1,R/W,1000,,,,,,,,,kW,"As drawn, sheet 4",`

it('imports a Kepware export: a preview writes nothing, and what cannot be translated is listed with its row', async () => {
  const { Id } = await make.create(device, { SlaveNumber: 9 })
  const file = kepware([
    ...Array.from({ length: 300 }, (_, i) => tag(`Line.Tag ${i + 1}`, `4${String(i * 2 + 1).padStart(5, '0')}`, 'Float')),
    ...[tag('Line.Text', '400900.10H', 'String'), tag('Line.Tag 1', '400902', 'Float'), tag('Line.Again', '400001', 'Float')],
  ])
  const seen = await inspect('owner', Id, file)
  expect(seen.Data).toMatchObject({ Layout: layouts.kepware, AsksWordOrder: 1, SlaveNumber: 9 })
  const query = `Layout=2&WordOrder=CDAB&SlaveNumber=9`
  const preview = await bring(Id, `${query}&Preview=1`, file)
  expect(preview.Data).toMatchObject({ Added: 300, Changed: 0, LeftOutCount: 3 })
  expect(preview.Data.LeftOut!.map(({ Row, Column, Value }) => [Row, Column, Value])).toEqual([
    [302, 'Address', '400900.10H'],
    [303, 'Point name', 'Line.Tag 1'],
    [304, 'Address', '0'],
  ])
  expect(await pointsOf(Id)).toEqual([])
  expect((await bring(Id, query, file)).Data).toMatchObject({ Added: 300 })
  const rows = await pointsOf(Id)
  expect(rows).toHaveLength(300)
  expect(rows[1]).toMatchObject({
    ParaName: 'Line.Tag 2',
    RegisterType: 4,
    Address: '2',
    ParaDataType: 8,
    SlaveNumber: 9,
    ParaUnitName: 'kW',
  })
  // Without the word order, no float is guessed.
  expect((await bring(Id, 'Layout=2&Preview=1', file)).Data).toMatchObject({ Added: 0, Changed: 0, LeftOutCount: 303 })
})

const maker40001 = 'Messpunkt,Register Nr,Typ,Bemerkung\nUa,40001,FLOAT,a\nUb,40003,FLOAT,b\nUc,x,FLOAT,c\n'

it("maps any sheet, and offers a company's mapping again for the same titles", async () => {
  const { Id } = await make.create(device)
  const first = (await inspect('owner', Id, maker40001)).Data
  // Aliases of standard parameters identify the column of names.
  expect(first.Columns.map(({ Field }) => Field)).toEqual(['ParaName', '', '', ''])
  expect(first).toMatchObject({ Layout: layouts.sheet, Remembered: 0 })
  const query = 'Layout=1&Columns=ParaName,Address,ParaDataType,&AddressStyle=2&WordOrder=ABCD'
  expect((await bring(Id, `${query}&Preview=1`, maker40001)).Data).toMatchObject({ Added: 2, LeftOutCount: 1 })
  expect((await inspect('owner', Id, maker40001)).Data.Remembered).toBe(0)
  expect((await bring(Id, query, maker40001)).Data).toMatchObject({ Added: 2 })
  expect((await pointsOf(Id)).map((row) => [row.ParaName, row.RegisterType, row.Address, row.ParaDataType])).toEqual([
    ['Ua', 4, '0', 7],
    ['Ub', 4, '2', 7],
  ])
  const again = (await inspect('owner', Id, maker40001)).Data
  expect(again).toMatchObject({ Remembered: 1, AddressStyle: 2, WordOrder: 'ABCD' })
  expect(again.Columns.map(({ Field }) => Field)).toEqual(['ParaName', 'Address', 'ParaDataType', ''])
  const theirs = await maker(kit, 'stranger').create(device)
  expect((await inspect('stranger', theirs.Id, maker40001)).Data.Remembered).toBe(0)
  expect((await inspect('stranger', Id, maker40001)).StatusCode).toBe(404)
})

it('imports one device of a ThingsBoard gateway file', async () => {
  const { Id } = await make.create(device)
  const slave = (deviceName: string, unitId: number) => ({
    ...{ deviceName, unitId, byteOrder: 'BIG', wordOrder: 'BIG' },
    timeseries: [{ tag: `${deviceName} flow`, type: '32float', functionCode: 3, objectsCount: 2, address: 10 }],
  })
  const file = JSON.stringify({ master: { slaves: [slave('East', 3), slave('West', 4)] } })
  expect((await inspect('owner', Id, file)).Data.Sources).toEqual([
    { Name: 'East', Points: 1 },
    { Name: 'West', Points: 1 },
  ])
  expect((await bring(Id, 'Layout=3', file)).Details?.Fields).toHaveProperty('Source')
  expect((await bring(Id, 'Layout=3&Source=West', file)).Data).toMatchObject({ Added: 1 })
  expect(await pointsOf(Id)).toMatchObject([{ ParaName: 'West flow', SlaveNumber: 4, ParaDataType: 7, Address: '10' }])
})

it('our own sheets are read as before', async () => {
  const { Id } = await make.create(device)
  expect((await inspect('owner', Id, 'Point name,Address\nFlow,1\n')).Data.Layout).toBe(layouts.own)
})

it('refuses hostile titles and mappings by name', async () => {
  const { Id } = await make.create(device)
  const wide = `${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n1\n`
  const refused = async (file: string) => (await inspect('owner', Id, file)).Details?.Fault
  expect(await refused('Name,__proto__\na,b\n')).toBe('sheetColumn')
  expect(await refused('Name,Address,name\na,1,b\n')).toBe('sheetTwice')
  expect(await refused(wide)).toBe('sheetTooWide')
  expect(await refused('{"master":')).toBe('sheetUnreadable')
  for (const columns of ['ParaName,Address,Address', 'ParaName,Address,DeviceId', 'ParaName,Address,constructor', 'ParaName'])
    expect((await bring(Id, `Layout=1&Columns=${columns}`, maker40001)).Details?.Fields).toHaveProperty('Columns')
  expect((await send<Imported>('owner', '/Import?Layout=2', kepware([]))).StatusCode).toBe(400)
})
