import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { point } from '../../points/contract.ts'
import { buildConfig, configHash } from './config.ts'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

type Differences = {
  From: number | null
  To: number | null
  Added: number
  Removed: number
  Changed: number
  Rows: Record<string, unknown>[]
}
const push = (id: number, Note?: string) =>
  plant.kit.data<{ Code: number }>('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: id, ...(Note && { Note }) })
const versions = async (id: number, as = 'owner') =>
  (await plant.kit.data<{ Items: Record<string, unknown>[] }>(as, 'GET', `/Project/Gateway/Version/List?GatewayId=${id}`)).Items
const compare = (body: object) => plant.kit.data<Differences>('owner', 'POST', '/Project/Gateway/Version/Compare', body)
const reset = (body: object) => plant.kit.data<Differences>('owner', 'POST', '/Project/Gateway/Reset', body)
const hashOf = async (id: number) => configHash(await buildConfig(plant.kit.db, id))
const change = (Id: number, values: object) => plant.kit.data('owner', 'PUT', point.path, { Id, ...values })
const pointsOf = (device: number) =>
  plant.kit.db.rows<Record<string, unknown>>(sql`select * from point where "DeviceId" = ${device} order by "Id"`)
const equip = async (points: number) => {
  const g = await plant.equip(points)
  await plant.connect(g)
  expect(await push(g.Id, 'As commissioned')).toMatchObject({ Code: 0 })
  return g
}

test('each accepted push becomes a version with person, time and note, and equal configurations are stored once', async () => {
  const g = await equip(2)
  await push(g.Id)
  await change(g.points[0]!, { Address: '20' })
  await push(g.Id)
  expect(await versions(g.Id)).toMatchObject([
    { Version: 3, UserName: 'owner', Points: 2, Devices: 1 },
    { Version: 2 },
    { Version: 1, Note: 'As commissioned' },
  ])
  const contents = await plant.kit.db.rows(sql`select 1 from config_content where "GatewayId" = ${g.Id}`)
  expect(contents).toHaveLength(2)
  expect((await versions(g.Id, 'stranger')).length).toBe(0)
})

test('unpushed changes, and those between any two versions, are listed by row and field', async () => {
  const g = await equip(2)
  await change(g.points[0]!, { Address: '30', AlarmHigh: 7 })
  await plant.kit.data('owner', 'DELETE', `${point.path}?Id=${g.points[1]}`)
  const added = await plant.kit.data<{ Id: number }>('owner', 'POST', point.path, { DeviceId: g.device, ParaName: 'New', Address: '40' })
  const unpushed = await compare({ GatewayId: g.Id })
  expect(unpushed).toMatchObject({ From: 1, To: null, Added: 1, Removed: 1, Changed: 1 })
  expect(unpushed.Rows).toMatchObject([
    // Limits stay on the server, so they are not a difference.
    { Id: g.points[0], Verb: 'change', Resource: 'point', Of: expect.any(String), Fields: [{ Field: 'Address', After: '30' }] },
    { Id: g.points[1], Verb: 'remove' },
    { Id: added.Id, Verb: 'add', Title: 'New' },
  ])
  await push(g.Id)
  expect(await compare({ GatewayId: g.Id })).toMatchObject({ From: 2, Added: 0, Removed: 0, Changed: 0, Rows: [] })
  expect(await compare({ GatewayId: g.Id, From: 2, To: 1 })).toMatchObject({ From: 2, To: 1, Added: 1, Removed: 1, Changed: 1 })
})

test('a reset restores removed points under their Ids and swapped names, and removes new devices and channels', async () => {
  const g = await equip(3)
  const accepted = await hashOf(g.Id)
  const [first, second, third] = await pointsOf(g.device)
  await plant.kit.data('owner', 'DELETE', `${point.path}?Id=${third!.Id}`)
  await change(first!.Id as number, { ParaName: 'Between', DecimalDigits: 0, AlarmHigh: 5 })
  await change(second!.Id as number, { ParaName: first!.ParaName })
  await change(first!.Id as number, { ParaName: second!.ParaName })
  const net = await plant.kit.data<{ Id: number }>('owner', 'POST', '/Project/Protocol/NetProtocol', {
    ...{ ProtocolName: 'Second line', GatewayId: g.Id, Ip: '10.0.0.9' },
  })
  const pump = await plant.kit.data<{ Id: number }>('owner', 'POST', '/Project/Device', {
    ...{ DeviceName: 'New pump', GatewayId: g.Id, NetProtocolId: net.Id },
  })
  await plant.kit.data('owner', 'POST', point.path, { DeviceId: pump.Id, ParaName: 'Flow', Address: '1' })
  const preview = await reset({ Id: g.Id, Preview: true })
  expect(await hashOf(g.Id)).not.toBe(accepted)
  expect(await reset({ Id: g.Id })).toEqual(preview)
  expect(preview).toMatchObject({ To: 1, Added: 1, Removed: 3, Changed: 2 })
  expect(await hashOf(g.Id)).toBe(accepted)
  const [one, two, three] = await pointsOf(g.device)
  expect([one!.ParaName, two!.ParaName, three!.Id]).toEqual([first!.ParaName, second!.ParaName, third!.Id])
  // Limits belong to the server and keep their present values.
  expect(one!.AlarmHigh).toBe(5)
  expect(await plant.kit.call('owner', 'GET', `/Project/Device?Id=${pump.Id}`)).toMatchObject({ StatusCode: 404 })
  expect(await reset({ Id: g.Id })).toMatchObject({ Added: 0, Removed: 0, Changed: 0 })
  const entries = await plant.kit.db.rows<{ Verb: string; Before: { ParaName: string } | null }>(
    sql`select "Verb", "Before" from change where "Resource" = 'point' and "RecordId" = ${first!.Id} order by "Id" desc limit 1`,
  )
  expect(entries).toMatchObject([{ Verb: 'update', Before: { ParaName: second!.ParaName } }])
})

test('a reset restores a removed device with its points, without a deleted model', async () => {
  const model = await plant.kit.data<{ Id: number }>('owner', 'POST', '/ProModel/ProModel', { ModelName: 'Short-lived' })
  const g = await plant.equip(2)
  await plant.kit.data('owner', 'PUT', '/Project/Device', { Id: g.device, ModelId: model.Id })
  await plant.connect(g)
  await push(g.Id)
  await plant.kit.data('owner', 'DELETE', `/Project/Device?Id=${g.device}`)
  await plant.kit.data('owner', 'DELETE', '/ProModel/ProModel', { Ids: [model.Id] })
  expect(await reset({ Id: g.Id })).toMatchObject({ Added: 3, Removed: 0, Changed: 0 })
  expect((await pointsOf(g.device)).map(({ Id }) => Id)).toEqual(g.points)
  expect(await plant.kit.data('owner', 'GET', `/Project/Device?Id=${g.device}`)).toMatchObject({ ModelId: null })
})

test('the newest fifty versions and all labelled ones are retained', async () => {
  const g = await equip(1)
  const [{ Id }] = (await versions(g.Id)) as [{ Id: number }]
  await plant.kit.data('owner', 'PUT', '/Project/Gateway/Version', { Id, Label: 'Handover' })
  await plant.kit.db.rows(sql`
    insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "Devices", "Points")
    select "EnterpriseId", "GatewayId", i, 'old', 60, 1, 1 from config_version, generate_series(2, 80) i where "Id" = ${Id}`)
  await plant.kit.db.rows(sql`update gateway set "TargetConfigVersion" = 80 where "Id" = ${g.Id}`)
  await push(g.Id)
  const kept = await plant.kit.db.rows<{ Version: number }>(
    sql`select "Version" from config_version where "GatewayId" = ${g.Id} order by "Version"`,
  )
  expect([kept.length, kept[0]!.Version, kept[1]!.Version, kept.at(-1)!.Version]).toEqual([51, 1, 32, 81])
})

test('a reset requires a version, the permission, the right tenant and no hidden fields', async () => {
  const g = await plant.equip(1)
  expect(await plant.kit.call('owner', 'POST', '/Project/Gateway/Reset', { Id: g.Id })).toMatchObject({ Details: { Fault: 'noVersion' } })
  await plant.connect(g)
  await push(g.Id)
  for (const [as, StatusCode] of [
    ['viewer', 403],
    ['stranger', 404],
  ] as const)
    expect(await plant.kit.call(as, 'POST', '/Project/Gateway/Reset', { Id: g.Id })).toMatchObject({ StatusCode })
  expect(await plant.kit.call('stranger', 'POST', '/Project/Gateway/Version/Compare', { GatewayId: g.Id })).toMatchObject({
    StatusCode: 404,
  })
  expect(await plant.kit.call('owner', 'POST', '/Project/Gateway/Reset', { Id: g.Id, ConfigVersion: 99 })).toMatchObject({
    StatusCode: 404,
  })
})

test('a gateway has at most a hundred labelled versions', async () => {
  const g = await equip(1)
  await plant.kit.db.rows(sql`
    insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "Devices", "Points", "Label")
    select "EnterpriseId", "GatewayId", n, "Hash", 60, 1, 1, 'label ' || n from config_version, generate_series(101, 200) n where "GatewayId" = ${g.Id}`)
  const of = (label: string | null) =>
    plant.kit.db.rows<{ Id: number }>(
      sql`select "Id" from config_version where "GatewayId" = ${g.Id} and ("Label" is null) = ${label === null} limit 1`,
    )
  const [[open], [labelled]] = await Promise.all([of(null), of('any')])
  const name = (Id: number, Label: string | null) => plant.kit.call('owner', 'PUT', '/Project/Gateway/Version', { Id, Label })
  expect(await name(open!.Id, 'One more')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Label: [expect.stringContaining('100')] } },
  })
  expect(await name(labelled!.Id, 'Renamed')).toMatchObject({ StatusCode: 200 })
  await name(labelled!.Id, null)
  expect(await name(open!.Id, 'One more')).toMatchObject({ StatusCode: 200 })
})
