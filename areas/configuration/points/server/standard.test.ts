import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { writeSheet } from '../../../../server/files/xlsx.ts'
import { device } from '../../devices/contract.ts'
import { buildConfig, configHash } from '../../gateways/server/config.ts'
import { seedStandardPoints } from '../../standard-points/server/service.ts'
import { point } from '../contract.ts'
import { pointRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
let kit: Kit
let make: ReturnType<typeof maker>
let voltage: Row
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  await seedStandardPoints(kit.database)
  make = maker(kit)
  const { Items } = await kit.data<Page<Row>>('owner', 'GET', '/Project/StandardPara/List?Code=voltage.l1')
  voltage = Items.find((row) => row.Code === 'voltage.l1')!
})
afterAll(() => kit.close())

const newDevice = async () => (await make.create(device)) as Row
const rowsOf = async (id: number) => (await kit.data<Page<Row>>('owner', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}`)).Items
const sheetOf = async (id: number) => (await kit.request('owner', 'GET', `/Project/DevPara/Output?DeviceId=${id}`)).rawPayload

it('[point-export-27] a standard parameter is in neither the sheet of 27 columns nor the configuration of the gateway', async () => {
  const { Id, GatewayId } = await newDevice()
  const made = await make.create(point, { DeviceId: Id, ParaName: 'U1' })
  const hash = async () => configHash(await buildConfig(kit.db, GatewayId as number))
  const before = await hash()
  const changed = await kit.data('owner', 'PUT', point.path, { Id: made.Id, StandardParaId: voltage.Id })
  expect(changed).toMatchObject({ StandardParaId: voltage.Id, StandardCode: 'voltage.l1' })
  expect(await hash()).toBe(before)
  const [header, row] = (await readSheet(await sheetOf(Id))) as [string[], unknown[]]
  expect([header.length, row.length]).toEqual([27, 27])
  expect(header).not.toContain('Standard parameter')
  expect(await kit.upload('owner', `${point.path}/Import?DeviceId=${Id}`, await sheetOf(Id))).toMatchObject({ Data: { Unchanged: 1 } })
  expect(await rowsOf(Id)).toMatchObject([{ StandardParaId: voltage.Id }])
})

it('sheets name standard parameters by code, by a name in any language, or by another name; unknown names are refused by row', async () => {
  const { Id } = await newDevice()
  await make.create(point, { DeviceId: Id, ParaName: 'U1' })
  const [header, row] = (await readSheet(await sheetOf(Id))) as [string[], unknown[]]
  await kit.data('platform', 'PUT', '/Project/StandardPara', { Id: voltage.Id, Aliases: 'Van|U L1-N' })
  const send = async (name: string) =>
    kit.upload('owner', `${point.path}/Import?DeviceId=${Id}`, await writeSheet([...header, '标准参数'], [[...row, name]] as never))
  for (const name of ['voltage.l1', 'A相电压', 'van', 'u l1-n ']) {
    await kit.data('owner', 'PUT', point.path, { Id: (await rowsOf(Id))[0]!.Id, StandardParaId: null })
    expect(await send(name), name).toMatchObject({ Data: { Changed: 1 } })
    expect(await rowsOf(Id)).toMatchObject([{ StandardCode: 'voltage.l1' }])
  }
  expect(await send('volts')).toMatchObject({ Details: { Rows: [{ Row: 2, Field: 'StandardParaId', Value: 'volts' }] } })
})

it("applying a model fills empty columns from its standard parameters, and a device's own choice is an override", async () => {
  const model = await kit.data<Row>('owner', 'POST', '/ProModel/ProModel', { ModelName: 'Meter' })
  const row = (given: object) => kit.data<Row>('owner', 'POST', '/ProModel/ModelPara', { ModelId: model.Id, ...given })
  await row({ ParaName: 'L1', Address: '1', StandardParaId: voltage.Id })
  await row({ ParaName: 'L2', Address: '3', StandardParaId: voltage.Id, ParaUnitName: 'kV', AxisMin: 900 })
  await kit.data('owner', 'POST', '/ProModel/ProModel/Publish', { Id: model.Id })
  const { Id } = await newDevice()
  const apply = (more: object = {}) =>
    kit.data<{ Rows: Row[] }>('owner', 'POST', '/ProModel/ProModel/Apply', { ModelId: model.Id, DeviceIds: [Id], ...more })
  await apply()
  const [one, two] = (await rowsOf(Id)).toSorted((a, b) => a.Id - b.Id)
  expect(one).toMatchObject({ StandardParaId: voltage.Id, ParaUnitName: 'V', AxisMin: 0, AxisMax: 500 })
  // A range that would invert the axis is not filled in.
  expect(two).toMatchObject({ StandardParaId: voltage.Id, ParaUnitName: 'kV', AxisMin: 900, AxisMax: null })
  expect(await kit.data('owner', 'PUT', point.path, { Id: one!.Id, StandardParaId: null })).toMatchObject({ Overrides: ['StandardParaId'] })
  expect((await apply({ Preview: 1 })).Rows).toMatchObject([{ Kind: 'kept', Field: 'StandardParaId', Before: null, After: 'voltage.l1' }])
  await kit.data('owner', 'POST', `${point.path}/Reset`, { Ids: [one!.Id] })
  expect(await rowsOf(Id)).toMatchObject([{ StandardParaId: voltage.Id, Overrides: null }, {}])
  const used = await kit.call('platform', 'DELETE', '/Project/StandardPara', { Id: voltage.Id })
  expect(used).toMatchObject({ StatusCode: 409, Details: { Fault: 'inUse' } })
})
