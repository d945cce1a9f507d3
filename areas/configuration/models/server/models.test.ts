import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { canonical } from '../../../../contract/gateway-config.ts'
import type { Row } from '../../../../contract/resource.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../devices/contract.ts'
import type { proModel } from '../contract.ts'

type Model = Row<typeof proModel>
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
})
afterAll(() => kit.close())

const path = '/ProModel/ProModel'
const device = (given: object = {}) => make.create(devices, given as Record<string, unknown>)
const model = (ModelName: string, as = 'owner') => kit.data<Model>(as, 'POST', path, { ModelName, Brand: 'Acme' })

it('a copy has what the model has, a name of its own, and no devices', async () => {
  const { Id } = await model('P-100')
  await device({ ModelId: Id })
  expect(await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })).toEqual({ Added: 1 })
  await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })
  const { Items } = await kit.data<{ Items: Model[] }>('owner', 'GET', `${path}/List?Search=P-100`)
  expect(Items.map((m) => [m.ModelName, m.Brand])).toEqual(['P-100', 'P-100 (2)', 'P-100 (3)'].map((name) => [name, 'Acme']))
  expect(await kit.data('owner', 'GET', `${path}/MaxId`)).toEqual({ MaxId: Items.at(-1)!.Id })
  const of = (id: number) => kit.data<{ Items: object[] }>('owner', 'GET', `/Project/Device/List?ModelId=${id}`)
  expect((await of(Id)).Items).toMatchObject([{ ModelName: 'P-100' }])
  expect((await of(Items[1]!.Id)).Items).toEqual([])
  expect(await kit.call('stranger', 'POST', `${path}/Copy`, { Ids: [Id] })).toMatchObject({ StatusCode: 404 })
})

it('its points are edited as cells: changed, added and renamed together, and counted as edits', async () => {
  const { Id } = await model('P-150')
  const save = (Rows: object[], as = 'owner') => kit.call(as, 'POST', '/ProModel/ModelPara/Cells', { ModelId: Id, Rows })
  const list = () => kit.data<{ Items: Row[] }>('owner', 'GET', `/ProModel/ModelPara/List?ModelId=${Id}&OrderColumn=Id&OrderType=asc`)
  type Row = { Id: number; UpdateStamp: number; ParaName: string }
  expect(
    await save([
      { ParaName: 'Speed', Address: '{base}', ParaKey: 'speed' },
      { ParaName: 'Power', Address: '{base+2}' },
    ]),
  ).toMatchObject({ Data: { Changed: 0, Added: 2 } })
  const [speed, power] = (await list()).Items as [Row, Row]
  const swapped = [
    { Id: speed.Id, UpdateStamp: speed.UpdateStamp, ParaName: 'Power', SlaveNumber: '{unit+1}' },
    { Id: power.Id, ParaName: 'Speed', AlarmHigh: 9 },
  ]
  expect(await save(swapped)).toMatchObject({ Data: { Changed: 2, Added: 0 } })
  expect((await list()).Items).toMatchObject([
    { Id: speed.Id, ParaName: 'Power', SlaveNumber: '{unit+1}', Address: '{base}' },
    { Id: power.Id, ParaName: 'Speed', AlarmHigh: 9, SlaveNumber: '{unit}' },
  ])
  expect(await kit.data('owner', 'GET', `${path}?Id=${Id}`)).toMatchObject({ Edits: expect.any(Number), Version: 0 })
  const wrong = async (...rows: object[]) => Object.keys((await save(rows)).Details?.Fields ?? {})
  expect(await wrong({ Id: power.Id, ParaKey: 'speed' })).toEqual(['Rows.0.ParaKey'])
  expect(await wrong({ Id: power.Id, AlarmLow: 10 })).toEqual(['Rows.0.AlarmLow'])
  expect(await wrong({ Id: power.Id, Address: '{base' })).toEqual(['Rows.0.Address'])
  expect(await wrong({ ParaName: 'Flow', Address: '1' }, { ParaName: 'Flow', Address: '2' })).toEqual(['Rows.1.ParaName'])
  expect((await save([{ Id: speed.Id, UpdateStamp: speed.UpdateStamp, AlarmHigh: 5 }])).Details?.Fault).toBe('changedMeanwhile')
  expect((await save([{ Id: speed.Id, AlarmHigh: 5 }], 'stranger')).StatusCode).toBe(404)
  expect((await save([{ Id: speed.Id, AlarmHigh: 5 }], 'viewer')).StatusCode).toBe(403)
})

it('a device has a model of its own tenant only', async () => {
  const [own, foreign] = [await model('P-200'), await model('P-200', 'stranger')]
  const { Id } = await device()
  for (const ModelId of [foreign.Id, 999_999_999])
    expect(await kit.call('owner', 'PUT', '/Project/Device', { Id, ModelId })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { ModelId: [expect.any(String)] } },
    })
  expect(await kit.data('owner', 'PUT', '/Project/Device', { Id, ModelId: own.Id })).toMatchObject({ ModelName: 'P-200' })
  expect(await kit.data('owner', 'PUT', '/Project/Device', { Id, ModelId: null })).toMatchObject({ ModelId: null, ModelName: null })
})

it('one that a device or a fault code uses stays, and the answer names these', async () => {
  const { Id } = await model('P-300')
  const free = await model('P-301')
  const used = await device({ ModelId: Id, DeviceName: 'Feed pump' })
  for (const suffix of ['', '/BatchDelete'])
    expect(await kit.call('owner', 'DELETE', `${path}${suffix}`, { Ids: [free.Id, Id] })).toMatchObject({
      StatusCode: 409,
      Details: { Fault: 'inUse', UsedBy: [{ Resource: 'device', Id: used.Id, Title: 'Feed pump' }] },
    })
  await kit.data('owner', 'PUT', '/Project/Device', { Id: used.Id, ModelId: null })
  const code = await kit.data<{ Id: number }>('owner', 'POST', '/Alarm/Alarmcode', { Code: 'M-300', Name: 'Leaks', ModelId: Id })
  expect(await kit.call('owner', 'DELETE', path, { Id })).toMatchObject({
    Details: { Fault: 'inUse', UsedBy: [{ Resource: 'alarmCode', Id: code.Id, Title: 'M-300' }] },
  })
  await kit.data('owner', 'PUT', '/Alarm/Alarmcode', { Id: code.Id, ModelId: null })
  expect(await kit.data('owner', 'DELETE', path, { Ids: [free.Id, Id] })).toEqual({ Removed: 2 })
})

it('leaves as a sheet', async () => {
  await model('P-400')
  const sheet = await kit.request('owner', 'GET', `${path}/Output?Format=csv&Search=P-400`)
  expect(sheet.rawPayload.toString()).toContain('P-400,')
})

it('a model leaves as a file and comes in elsewhere with all its points, under a name that is free', async () => {
  const Parameters = 'base=100 First register'
  const made = await kit.data<Model>('owner', 'POST', path, { ModelName: 'P-600', Brand: 'Acme', Parameters })
  await kit.data('owner', 'POST', '/Project/StandardPara', { Code: 'file.only_here', NameEn: 'Only here' })
  const codes = await kit.data<{ Items: { Id: number; Code: string }[] }>(
    'owner',
    'GET',
    '/Project/StandardPara/List?Search=file.only_here',
  )
  const [own] = codes.Items
  const points = [
    { ParaName: 'Pressure', ParaKey: 'p1', Address: '{base}', AlarmHigh: 8, StandardParaId: own!.Id, Sort: 2 },
    { ParaName: 'Flow', ParaKey: 'f1', Address: '{base+2}', Sort: 1 },
  ]
  for (const point of points) await kit.data('owner', 'POST', '/ProModel/ModelPara', { ModelId: made.Id, ...point })
  type File = { Model: object; Points: Record<string, unknown>[]; Hash: string }
  const File = await kit.data<File>('owner', 'GET', `${path}/File?Id=${made.Id}`)
  expect(File).toMatchObject({ Model: { ModelName: 'P-600', Brand: 'Acme', Parameters } })
  expect(File.Points).toMatchObject([{ ParaKey: 'f1' }, { ParaKey: 'p1', AlarmHigh: 8, StandardCode: 'file.only_here' }])
  expect(JSON.stringify(File)).not.toContain('Id"')

  type Found = { Id: number | null; ModelName: string; Points: number; UnknownCodes: string[] }
  const take = (as: string, more: object = {}) => kit.call<Found>(as, 'POST', `${path}/ImportFile`, { File, ...more })
  expect((await take('owner', { Preview: 1 })).Data).toEqual({ Id: null, ModelName: 'P-600 (2)', Points: 2, UnknownCodes: [] })
  expect((await take('stranger', { Preview: 1 })).Data).toMatchObject({ ModelName: 'P-600' })
  expect((await take('owner')).Details).toMatchObject({ Fault: 'taken' })
  const { Data } = await take('stranger')
  expect(Data).toMatchObject({ ModelName: 'P-600', Points: 2, UnknownCodes: ['file.only_here'] })
  const again = await kit.data<File>('stranger', 'GET', `${path}/File?Id=${Data.Id}`)
  expect(again.Points.map(({ StandardCode: _, ...p }) => p)).toEqual(File.Points.map(({ StandardCode: _, ...p }) => p))
  expect(await kit.call('stranger', 'GET', `${path}/File?Id=${made.Id}`)).toMatchObject({ StatusCode: 404 })
  expect(await take('viewer')).toMatchObject({ StatusCode: 403 })
})

it('a file that was changed, has unknown fields or wrong points is refused by field, and leaves nothing', async () => {
  const made = await model('P-500')
  await kit.data('owner', 'POST', '/ProModel/ModelPara', { ModelId: made.Id, ParaName: 'Speed', Address: '1' })
  type File = { Points: Record<string, unknown>[]; Hash: string }
  const file = await kit.data<File>('owner', 'GET', `${path}/File?Id=${made.Id}`)
  const fields = async (File: object) =>
    Object.keys((await kit.call('owner', 'POST', `${path}/ImportFile`, { File, ModelName: 'P-501' })).Details?.Fields ?? {})
  expect(await fields({ ...file, Points: [{ ...file.Points[0], Address: '2' }] })).toEqual(['File.Hash'])
  expect(await fields({ ...file, Points: [{ ...file.Points[0], Secret: 1 }] })).toEqual(['File.Points.0.Secret'])
  expect(await fields({ ...file, FormatVersion: 2 })).toEqual(['File.FormatVersion'])
  const { Hash: _, ...content } = {
    ...file,
    Points: [file.Points[0], { ...file.Points[0], ParaName: 'x', ParaKey: null, Address: 'nowhere' }],
  }
  const Hash = createHash('sha256').update(canonical(content)).digest('hex')
  expect(await fields({ ...content, Hash })).toEqual(['File.Points.1.Address'])
  expect((await kit.data<{ Items: Model[] }>('owner', 'GET', `${path}/List?Search=P-501`)).Items).toEqual([])
})

it('chosen models move into a folder together, and out of it again', async () => {
  const { Id: FolderId } = await kit.data<{ Id: number }>('owner', 'POST', '/ProModel/PointTempMenu', { MenuName: 'Pumps' })
  const foreign = await kit.data<{ Id: number }>('stranger', 'POST', '/ProModel/PointTempMenu', { MenuName: 'Pumps' })
  const Ids = [(await model('M-1')).Id, (await model('M-2')).Id]
  const move = (body: object, as = 'owner') => kit.call(as, 'POST', `${path}/Move`, body)
  const inFolder = async () =>
    (await kit.data<{ Items: Model[] }>('owner', 'GET', `${path}/List?FolderId=${FolderId}`)).Items.map((m) => m.Id)
  expect(await move({ Ids, FolderId })).toMatchObject({ Data: { Changed: 2 } })
  expect(await inFolder()).toEqual(Ids)
  expect(await move({ Ids })).toMatchObject({ Data: { Changed: 0 } })
  expect(await move({ Ids, FolderId: foreign.Id })).toMatchObject({ Details: { Fields: { FolderId: [expect.any(String)] } } })
  expect(await move({ Ids, FolderId: foreign.Id }, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await move({ Ids, FolderId: null }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await move({ Ids: [Ids[0]], FolderId: null })).toMatchObject({ Data: { Changed: 1 } })
  expect(await inFolder()).toEqual([Ids[1]])
})
