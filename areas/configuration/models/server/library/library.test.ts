import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../../../../contract/call.ts'
import { addressFault } from '../../../../../contract/protocols/index.ts'
import { brokenRules } from '../../../../../contract/rules.ts'
import { fitting } from '../../../../../server/http/validation.ts'
import { seedStandardPoints } from '../../../standard-points/server/service.ts'
import { type LibraryModel, modelPara } from '../../contract.ts'
import { path, type Row, rows, startModels } from '../harness.ts'
import { seedModelLibrary, shippedModels, shippedRows } from './service.ts'

let given: Awaited<ReturnType<typeof startModels>>
beforeAll(async () => {
  given = await startModels()
  await seedStandardPoints(given.kit.database)
  await seedModelLibrary(given.kit.database)
})
afterAll(() => given.kit.close())

const library = async (as = 'owner', query = 'PageSize=100') =>
  (await given.kit.data<Page<LibraryModel>>(as, 'GET', `${path}/Library?${query}`)).Items
const shared = async (name: string) => (await library()).find(({ ModelName }) => ModelName === name)!
const own = async (as = 'owner', query = '') => (await given.kit.data<Page<Row>>(as, 'GET', `${path}/List?PageSize=1000${query}`)).Items
const pointsOf = async (id: number, as = 'owner') =>
  (await given.kit.data<Page<Row>>(as, 'GET', `${rows}/List?ModelId=${id}&PageSize=1000`)).Items

describe.each(shippedModels)('$ModelName', (model) => {
  it('has points that the checks of points accept, with known standard parameters', async () => {
    const codes = await given.kit.data<Page<{ Code: string }>>('owner', 'GET', '/Project/StandardPara/List?PageSize=1000')
    const known = new Set(codes.Items.map(({ Code }) => Code))
    expect(model.Points.filter(({ Code }) => Code && !known.has(Code))).toEqual([])
    for (const { StandardParaId: _, ...row } of shippedRows(model, new Map())) {
      const address = String(row.Address)
      if (!address.includes('{')) expect(addressFault(model.Protocol, address), address).toBeUndefined()
      const checked = { ...row, ModelId: 1 }
      expect(() => fitting(modelPara, 'create', checked), row.ParaName).not.toThrow()
      expect(brokenRules([...modelPara.rules!, ...modelPara.warnings!], checked, Object.keys(checked)), row.ParaName).toEqual([])
    }
    const unique = (name: 'ParaName' | 'ParaKey' | 'Address') => {
      const values = model.Points.flatMap((point) =>
        point[name] == null ? [] : [`${name === 'Address' ? point.RegisterType : ''} ${point[name]}`],
      )
      expect(new Set(values).size, name).toBe(values.length)
    }
    for (const name of ['ParaName', 'ParaKey', 'Address'] as const) unique(name)
  })
})

it('companies see the published models of the platform, apart from their own', async () => {
  const found = await library('stranger')
  expect(found.map(({ ModelName }) => ModelName).sort()).toEqual(shippedModels.map(({ ModelName }) => ModelName).sort())
  expect(found.find(({ ModelNo }) => ModelNo === 'RFC 1628')).toMatchObject({ Protocol: 100, Version: 1 })
  expect(await library('viewer', 'Search=sunspec')).toHaveLength(2)
  expect(await library('owner', 'PageSize=4&PageIndex=3')).toHaveLength(1)
  expect(await own('stranger')).toEqual([])
})

it('no company reads, changes or deletes a model of the platform, or gives it to a device', async () => {
  const { Id } = await shared('Cold room (demo plant)')
  const device = await given.device()
  const calls: [method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object][] = [
    ['GET', `${path}?Id=${Id}`],
    ['GET', `${path}/File?Id=${Id}`],
    ['PUT', path, { Id, ModelName: 'Mine' }],
    ['DELETE', path, { Ids: [Id] }],
    ['POST', `${path}/Publish`, { Id }],
    ['POST', `${path}/Move`, { Ids: [Id], FolderId: null }],
    ['POST', `${path}/Share`, { Id, IsShared: 0 }],
    ['POST', `${path}/Apply`, { ModelId: Id, DeviceIds: [device.Id] }],
  ]
  for (const [method, at, body] of calls) expect(await given.kit.call('owner', method, at, body), at).toMatchObject({ StatusCode: 404 })
  for (const [at, body] of [
    ['/Project/Device', { Id: device.Id, ModelId: Id }],
    [rows, { ModelId: Id, ParaName: 'Mine', Address: '0' }],
  ] as const)
    expect(await given.kit.call('owner', at === rows ? 'POST' : 'PUT', at, body)).toMatchObject({
      Details: { Fields: { ModelId: [expect.any(String)] } },
    })
  expect(await pointsOf(Id)).toEqual([])
})

it('a copy belongs to the company with all points and standard parameters, is published and applied', async () => {
  const source = await shared('SunSpec inverter, three-phase')
  expect(await given.kit.data('owner', 'POST', `${path}/Copy`, { Ids: [source.Id] })).toEqual({ Added: 1 })
  const [copy] = await own('owner', '&Search=SunSpec')
  expect(copy).toMatchObject({ ModelName: source.ModelName, Version: 0, IsShared: 0, Protocol: 0, FolderId: null })
  await given.publish(copy!.Id)
  const device = await given.device()
  expect((await given.apply(copy!.Id, [device.Id])).Data.Devices).toMatchObject([{ Added: source.Points, Blocked: 0 }])
  const points = new Map((await given.pointsOf(device.Id)).map((point) => [point.ParaName, point]))
  // SunSpec: the map begins at 40000, model 1 has 66 registers, model 103 begins at 40070.
  expect(points.get('Inverter model')).toMatchObject({ Address: '40070', RegisterType: 4, ParaDataType: 2 })
  expect(points.get('AC power')).toMatchObject({ Address: '40084', ParaDataType: 1, ParaUnitName: 'W × 10^W_SF' })
  expect(points.get('AC energy')).toMatchObject({ Address: '40094', ParaDataType: 33 })
  expect(points.get('Operating state')).toMatchObject({ Address: '40108', StandardCode: 'state.code' })
})

it('a model of SNMP is published, and applied to a device on a channel of SNMP', async () => {
  const { Id, Points } = await shared('UPS, three lines')
  await given.kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })
  const [copy] = await own('owner', '&Search=UPS')
  expect(copy).toMatchObject({ Protocol: 100, Version: 0 })
  await given.publish(copy!.Id)
  const { GatewayId } = await given.device()
  const channel = { GatewayId, ProtocolName: 'UPS', ProtocolType: 100, Ip: '10.1.7.40', Port: 161, Settings: { Version: '1' } }
  const { Id: NetProtocolId } = await given.kit.data<Row>('owner', 'POST', '/Project/Protocol/NetProtocol', channel)
  const ups = await given.device({ GatewayId, NetProtocolId })
  expect((await given.apply(copy!.Id, [ups.Id])).Data.Devices).toMatchObject([{ Added: Points, Blocked: 0 }])
  expect(await given.pointsOf(ups.Id)).toContainEqual(
    expect.objectContaining({ ParaName: 'Battery charge', Address: '1.3.6.1.2.1.33.1.2.4.0', StandardCode: 'battery.soc' }),
  )
})

it('a model of a meter leaves as a file, comes in elsewhere, and gives a device on a channel of meters its points', async () => {
  const { kit } = given
  const { Id, ModelName, Points } = (await library()).find(({ Protocol }) => Protocol === 30)!
  await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })
  const [copy] = (await own()).filter((row) => row.ModelName === ModelName)
  const File = await kit.data<{ Model: object }>('owner', 'GET', `${path}/File?Id=${copy!.Id}`)
  expect(File.Model).toMatchObject({ Protocol: 30 })
  const { Id: imported } = await kit.data<Row>('stranger', 'POST', `${path}/ImportFile`, { File })
  expect(await kit.data('stranger', 'GET', `${path}?Id=${imported}`)).toMatchObject({ Protocol: 30 })
  expect(await pointsOf(imported, 'stranger')).toHaveLength(Points)
  const wrong = await kit.call('owner', 'POST', rows, { ModelId: copy!.Id, ParaName: 'Register', Address: '100.3' })
  expect(wrong).toMatchObject({ Details: { Fields: { Address: [expect.stringContaining('901F/1')] } } })
  await given.publish(copy!.Id)
  const { GatewayId } = await given.device()
  const channel = { GatewayId, ProtocolName: 'Meters', ProtocolType: 30, Ip: '10.1.7.41', Port: 4001 }
  const { Id: NetProtocolId } = await kit.data<Row>('owner', 'POST', '/Project/Protocol/NetProtocol', channel)
  const meter = await given.device({ GatewayId, NetProtocolId })
  expect((await given.apply(copy!.Id, [meter.Id])).Data.Devices).toMatchObject([{ Added: Points, Blocked: 0 }])
  expect(await kit.call('viewer', 'POST', `${path}/Copy`, { Ids: [Id] })).toMatchObject({ StatusCode: 403 })
})

it('companies see a model of the platform from when it is shared, as it was published last', async () => {
  const { kit } = given
  const as = 'platform'
  const model = await kit.data<Row>(as, 'POST', path, { ModelName: 'Blower', EnterpriseId: 1 })
  const blower = async () => (await library('owner', 'Search=Blower')).map(({ Version, Points }) => [Version, Points])
  await kit.data(as, 'POST', rows, { ModelId: model.Id, ParaName: 'Speed', Address: '0' })
  expect(await kit.call(as, 'POST', `${path}/Share`, { Id: model.Id, IsShared: 1 })).toMatchObject({ Details: { Fault: 'wrongState' } })
  await kit.data(as, 'POST', `${path}/Publish`, { Id: model.Id })
  expect(await blower()).toEqual([])
  await kit.data(as, 'POST', `${path}/Share`, { Id: model.Id, IsShared: 1 })
  await kit.data(as, 'POST', rows, { ModelId: model.Id, ParaName: 'Draft', Address: '1' })
  expect(await blower()).toEqual([[1, 1]])
  await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [model.Id] })
  expect((await pointsOf((await own('owner', '&Search=Blower'))[0]!.Id)).map(({ ParaName }) => ParaName)).toEqual(['Speed'])
  await kit.data(as, 'POST', `${path}/Share`, { Id: model.Id, IsShared: 0 })
  expect(await blower()).toEqual([])
  expect(await kit.call('stranger', 'POST', `${path}/Copy`, { Ids: [model.Id] })).toMatchObject({ StatusCode: 404 })
  const theirs = await kit.data<Row>('owner', 'POST', path, { ModelName: 'Theirs' })
  for (const who of [as, 'owner'])
    expect(await kit.call(who, 'POST', `${path}/Share`, { Id: theirs.Id, IsShared: 1 })).toMatchObject({ StatusCode: 403 })
})

it('the next start adds no shipped model again, also not one that the platform deleted', async () => {
  const { Id } = await shared('Heat meter')
  await given.kit.data('platform', 'DELETE', path, { Ids: [Id] })
  await seedModelLibrary(given.kit.database)
  const left = await library()
  expect(left).toHaveLength(shippedModels.length - 1)
  expect(left.some(({ ModelName }) => ModelName === 'Heat meter')).toBe(false)
})
