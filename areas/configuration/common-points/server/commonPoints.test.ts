import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { pointColumns } from '../../../../contract/point-fields.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { device as devices } from '../../devices/contract.ts'
import { point as points } from '../../points/contract.ts'
import { pointRoutes } from '../../points/server/routes.ts'
import { seedStandardPoints } from '../../standard-points/server/service.ts'
import { commonPara } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
type Answer = { Devices: Row[]; Rows: Row[]; NoRoom: number | null }
const { path } = commonPara
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  await seedStandardPoints(kit.database)
  make = maker(kit)
})
afterAll(() => kit.close())

const common = (ParaName: string, Address: string, more: object = {}) =>
  kit.data<Row>('owner', 'POST', path, { ParaName, Address, ...more })
const device = (given: Record<string, unknown> = {}) => make.create(devices, given) as Promise<Row>
const add = (Ids: number[], DeviceIds: number[], more: object = {}, as = 'owner') =>
  kit.call<Answer>(as, 'POST', `${path}/AddToDevices`, { Ids, DeviceIds, ...more })
const pointsOf = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}&PageSize=1000`)).Items
const sheet = (name: string) => kit.request('owner', 'GET', `${path}/${name}`, undefined, { 'accept-language': 'en' })
const upload = (file: Buffer) => kit.upload('owner', `${path}/Import`, file)

it('common points are added to several devices in one request, each at the unit ID of the device', async () => {
  const [hours, state] = [
    await common('Running hours {unit}', '{unit*100}', { ParaUnitName: 'h', GroupName: 'Operation' }),
    await common('Running', '7.3', { ParaDataType: 0 }),
  ]
  const [one, two] = [await device({ SlaveNumber: 3 }), await device({ SlaveNumber: 4 })]
  const preview = await add([hours.Id, state.Id], [one.Id, two.Id], { Preview: 1 })
  expect(preview.Data).toMatchObject({
    Devices: [
      { Added: 2, Blocked: 0 },
      { Added: 2, Blocked: 0 },
    ],
    NoRoom: null,
  })
  expect(await pointsOf(one.Id)).toEqual([])
  expect((await add([hours.Id, state.Id], [one.Id, two.Id])).Data).toEqual(preview.Data)
  for (const [{ Id }, unit] of [
    [one, 3],
    [two, 4],
  ] as const)
    expect((await pointsOf(Id)).toSorted((a, b) => a.Id - b.Id)).toMatchObject([
      { ParaName: 'Running', Address: '7.3', SlaveNumber: unit },
      { ParaName: `Running hours ${unit}`, Address: String(unit * 100), SlaveNumber: unit, ParaUnitName: 'h' },
    ])
})

it('a name or an address in use, and an expression without a value, block all devices and are listed by row', async () => {
  const [free, named, placed, open] = [
    await common('Free', '1'),
    await common('Named', '2'),
    await common('Placed', '3'),
    await common('Open', '{base}'),
  ]
  const [one, two] = [await device({ SlaveNumber: 1 }), await device({ SlaveNumber: 1 })]
  await make.create(points, { DeviceId: two.Id, ParaName: 'Named', Address: '50', SlaveNumber: 1 })
  await make.create(points, { DeviceId: two.Id, ParaName: 'Other', Address: '3', SlaveNumber: 1 })
  const ids = [free, named, placed, open].map(({ Id }) => Id)
  const { Data } = await add(ids, [one.Id, two.Id], { Preview: 1 })
  const blocked = Data.Rows.filter((row) => row.Kind === 'blocked').map((row) => [row.DeviceId, row.ParaName, row.Field])
  expect(blocked).toEqual(
    expect.arrayContaining([
      [one.Id, 'Open', 'Address'],
      [two.Id, 'Named', 'ParaName'],
      [two.Id, 'Placed', 'Address'],
    ]),
  )
  expect(await add(ids, [one.Id, two.Id])).toMatchObject({
    StatusCode: 409,
    Details: {
      Fault: 'modelBlocked',
      Rows: expect.arrayContaining([expect.objectContaining({ Field: 'Address', Message: expect.stringContaining('base') })]),
    },
  })
  expect(await pointsOf(one.Id)).toEqual([])
  expect(await pointsOf(two.Id)).toHaveLength(2)
})

it("points beyond the company's limit are refused before any is added", async () => {
  const { Id } = await common('Beyond', '9')
  const target = await device()
  const [{ n } = { n: 0 }] = await kit.db.rows<{ n: number }>(
    sql`select count(*)::int as n from point where "EnterpriseId" = ${kit.enterprises.ours}`,
  )
  const limit = (most: number | null) =>
    kit.database.system.rows(sql`update enterprise set "MaxPoints" = ${most} where "Id" = ${kit.enterprises.ours}`)
  await limit(n)
  expect((await add([Id], [target.Id], { Preview: 1 })).Data).toMatchObject({ NoRoom: n })
  expect(await add([Id], [target.Id])).toMatchObject({ StatusCode: 403, Details: { Fault: 'noRoomPoints' } })
  await limit(null)
  expect((await add([Id], [target.Id])).Data).toMatchObject({ NoRoom: null })
})

it('a point of another company, and a device of another company, do not exist; adding needs the right to add points', async () => {
  const { Id } = await common('Ours', '11')
  const target = await device()
  expect(await add([Id], [target.Id], {}, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await add([Id], [target.Id + 1000])).toMatchObject({ StatusCode: 404 })
  expect(await add([Id + 1000], [target.Id])).toMatchObject({ StatusCode: 404 })
  expect(await add([Id], [target.Id], {}, 'viewer')).toMatchObject({ StatusCode: 403 })
})

it('many are added in one request, and rules of points hold', async () => {
  const items = (...more: object[]) => ({ Items: more.map((of, i) => ({ ParaName: `Batch ${i}`, Address: String(600 + i), ...of })) })
  expect(await kit.data('owner', 'POST', `${path}/BatchAdd`, items({}, {}))).toEqual({ Added: 2 })
  expect(
    await kit.call('owner', 'POST', `${path}/BatchAdd`, items({ ParaName: 'B2' }, { ParaName: 'B3', AlarmLow: 5, AlarmHigh: 4 })),
  ).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Items.1.AlarmHigh': [expect.any(String)] } },
  })
})

it('the sheet has the 27 columns, key, standard code and group, and returns without a change', async () => {
  const { Items } = await kit.data<Page<Row>>('owner', 'GET', '/Project/StandardPara/List?Code=voltage.l1')
  const standard = Items.find((row) => row.Code === 'voltage.l1')
  await common('Voltage', '20', { ParaKey: 'u1', GroupName: 'Electrical', StandardParaId: standard!.Id })
  const output = (await sheet('Output?PageSize=1000')).rawPayload
  const [header, ...rows] = (await readSheet(output)) as [string[], ...unknown[][]]
  expect(header).toHaveLength(pointColumns.length + 3)
  expect(header).toEqual(expect.arrayContaining(['Key', 'Standard parameter', 'Group', 'Point name', 'Upload to server']))
  expect(rows.find((row) => row.includes('Voltage'))).toEqual(expect.arrayContaining(['u1', 'voltage.l1', 'Electrical']))
  expect(await upload(output)).toMatchObject({ Data: { Added: 0, Changed: 0, Unchanged: rows.length } })
  expect(await upload((await sheet('Template')).rawPayload)).toMatchObject({ Data: { Added: 1 } })
})
