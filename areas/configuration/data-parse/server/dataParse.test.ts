import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../devices/contract.ts'
import { gateway as gateways } from '../../gateways/contract.ts'
import { point as points } from '../../points/contract.ts'
import { dataParse, type ParseVersion, type Template, type Tested } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
const { path } = dataParse
const byName = { From: 'name' }
let kit: Kit
let make: ReturnType<typeof maker>
let gateway: Row
let device: Row
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  gateway = (await make.create(gateways)) as Row
  device = (await make.create(devices, { GatewayId: gateway.Id, DeviceName: 'Pump 1' })) as Row
})
afterAll(() => kit.close())

let count = 0
const add = (more: object = {}, as = 'owner') =>
  kit.call<Row>(as, 'POST', path, { ParseName: `Parser ${++count}`, Mapping: [{ Value: '*', Key: byName }], ...more })
const assign = (of: 'Project' | 'Gateway' | 'Device', parse: number, ids: number[], as = 'owner') =>
  kit.call<{ Changed: number }>(as, 'POST', `${path}/${of}`, { DataParseId: parse, [`${of}Ids`]: ids })
const effective = (DeviceId?: number) =>
  kit.data<Row>('owner', 'GET', `${path}/Effective?GatewayId=${gateway.Id}${DeviceId ? `&DeviceId=${DeviceId}` : ''}`)

it('a mapping is checked by field, gets a version with each change, and an earlier one comes back as the next', async () => {
  const { Data: made } = await add()
  expect(made).toMatchObject({ Version: 1, Hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const change = (more: object) => kit.call<Row>('owner', 'PUT', path, { Id: made.Id, ...more })
  expect((await change({ Remark: 'no new version' })).Data).toMatchObject({ Version: 1 })
  expect((await change({ Mapping: [{ Value: 'a.b', Key: { From: 'text', Is: 'k' } }] })).Data).toMatchObject({ Version: 2 })
  const wrong = await change({
    Mapping: [
      { Value: 'a[*', Key: byName },
      { Value: 'a', Key: byName },
    ],
  })
  expect(wrong).toMatchObject({ StatusCode: 400 })
  expect(Object.keys(wrong.Details?.Fields ?? {})).toEqual(['Mapping.0.Value', 'Mapping.1.Key'])
  expect((await change({ Mapping: [] })).StatusCode).toBe(400)
  const versions = () => kit.data<ParseVersion[]>('owner', 'GET', `${path}/VersionList?Id=${made.Id}`)
  expect((await versions()).map((v) => [v.Version, v.UserName])).toEqual([
    [2, 'owner'],
    [1, 'owner'],
  ])
  const back = await kit.call<Row>('owner', 'POST', `${path}/Rollback`, { Id: made.Id, Version: 1 })
  expect(back.Data).toMatchObject({ Version: 3, Hash: made.Hash, Mapping: made.Mapping })
  expect((await kit.call('owner', 'POST', `${path}/Rollback`, { Id: made.Id, Version: 9 })).StatusCode).toBe(404)
})

it('a message is tried without storing anything, and the points of a gateway are found by address or name', async () => {
  const of = { DeviceId: device.Id }
  const pressure = (await make.create(points, { ...of, ParaName: 'pressure', Address: '1' })) as Row
  const Payload = JSON.stringify({ 'Pump 1': { pressure: 4.2, 1: 9, speed: 7 }, 'Pump 2': { pressure: 3 } })
  const Mapping = [{ Value: '*.*', Key: byName, Device: byName }]
  const tried = await kit.data<Tested>('owner', 'POST', '/Protocol/Parse/Test', { Mapping, Payload, GatewayId: gateway.Id })
  expect(tried).toMatchObject({ Count: 4, Found: 2, Faults: [] })
  expect(tried.Readings.map((r) => [r.Device, r.Key, r.Value, r.ParaId])).toEqual(
    expect.arrayContaining([
      ['Pump 1', 'pressure', 4.2, pressure.Id],
      ['Pump 1', '1', 9, pressure.Id],
      ['Pump 1', 'speed', 7, null],
      ['Pump 2', 'pressure', 3, null],
    ]),
  )
  const { Data: saved } = await add({ Mapping, Sample: Payload })
  expect(await kit.data<Tested>('owner', 'POST', `${path}/Test`, { Id: saved.Id, Payload: '{' })).toMatchObject({
    Count: 0,
    Found: null,
    Faults: [{ Reason: 'notJson', Rule: null }],
  })
  const properties = await kit.data<Row[]>('owner', 'GET', `${path}/JsonProperty?Id=${saved.Id}`)
  expect(properties.map(({ Path }) => Path)).toContain('["Pump 1"].pressure'.replace('[', '$['))
  expect(await kit.data<Row[]>('owner', 'POST', `${path}/JsonProperty`, { Payload: '{"a":[{"b":1}]}' })).toEqual([
    { Path: 'a[*].b', Type: 'number', Example: '1', Count: 1 },
  ])
  expect((await kit.call('owner', 'POST', `${path}/JsonProperty`, { Payload: '<' })).StatusCode).toBe(400)
})

it('a script is tried as it is written, with its lines, its error by line and column, and the names that no point has', async () => {
  const attempt = (Script: string, more: object = {}) =>
    kit.data<Tested>('owner', 'POST', '/Protocol/Parse/Test', { Script, Payload: '{"v":4}', GatewayId: gateway.Id, ...more })
  const code =
    'function parse(topic, payload) {\n  log(topic, payload)\n  return { Items: [{ Device: "Pump 1", V: { pressure: payload.v, lost: 1 } }], Events: ["odd"] }\n}'
  expect(await attempt(code, { Topic: 'a/b' })).toMatchObject({
    ...{ Count: 2, Found: 1, Missing: [{ Device: 'Pump 1', Key: 'lost' }], Lines: ['a/b {"v":4}'], Fault: null },
    Events: [{ Text: 'odd', Level: 0 }],
  })
  expect(await attempt('function parse() {\n  return none\n}')).toMatchObject({
    Count: 0,
    Fault: { Reason: 'thrown', Line: 2, Column: expect.any(Number) },
  })
  expect(
    await attempt('function parse(t, b) { return { Items: [{ V: { n: b.length } }] } }', { Input: 3, Payload: '01 ff' }),
  ).toMatchObject({ Count: 1, Readings: [{ Value: 2 }] })
  expect((await kit.call('owner', 'POST', '/Protocol/Parse/Test', { Script: code, Input: 3, Payload: 'xy' })).StatusCode).toBe(400)
  const both = 'const parse = () => null; const encode = ({ Key, Value }) => ({ topic: "t", payload: { [Key]: Value } })'
  expect((await attempt(both, { Write: { Device: '', Key: 'speed', Value: 3 } })).Encoded).toEqual({
    Topic: 't',
    Payload: '{"speed":3}',
    IsHex: 0,
  })
  const { Data: made } = await add({ Kind: 2, Script: code, Mapping: undefined })
  expect(made).toMatchObject({ Kind: 2, Mapping: null, Script: code, Version: 1 })
  expect(await kit.data<Tested>('owner', 'POST', `${path}/Test`, { Id: made.Id, Payload: '{"v":1}' })).toMatchObject({ Count: 2 })
  // Its earlier mapping returns with its former kind.
  const change = await kit.call<Row>('owner', 'PUT', path, { Id: made.Id, Kind: 1, Mapping: [{ Value: '*', Key: byName }] })
  expect(change.Data).toMatchObject({ Kind: 1, Script: null, Version: 2 })
  expect(await kit.data<Row>('owner', 'POST', `${path}/Rollback`, { Id: made.Id, Version: 1 })).toMatchObject({
    Kind: 2,
    Script: code,
    Version: 3,
  })
  expect((await kit.call('owner', 'PUT', path, { Id: made.Id, Script: 'let parse = 1' })).StatusCode).toBe(400)
  expect((await kit.call('owner', 'PUT', path, { Id: made.Id, Kind: 1 })).StatusCode).toBe(400)
})

it('ready parsers come in the language of the caller and work', async () => {
  const { Items } = await kit.data<Page<Template>>('owner', 'GET', '/Protocol/DataParseTemplate/List')
  expect(Items.length).toBeGreaterThan(5)
  for (const { Mapping, Script, Sample, Topic } of Items) {
    const reader = Script === null ? { Mapping } : { Script, Input: 2 }
    const { Count, Faults, Fault } = await kit.data<Tested>('owner', 'POST', '/Protocol/Parse/Test', { ...reader, Payload: Sample, Topic })
    expect([Count > 0, Faults, Fault]).toEqual([true, [], null])
  }
  const { Script, Sample } = Items.find(({ Name }) => Name === 'hj212')!
  const tried = await kit.data<Tested>('owner', 'POST', '/Protocol/Parse/Test', { Script, Input: 2, Payload: Sample })
  expect(tried.Readings.map(({ Key, Value, Time }) => [Key, Value, Time])).toEqual([
    ['w01018-Rtd', 21.5, Date.UTC(2025, 10, 20)],
    ['w01001-Rtd', 7.1, Date.UTC(2025, 10, 20)],
  ])
  const broken = await kit.data<Tested>('owner', 'POST', '/Protocol/Parse/Test', {
    Script,
    Input: 2,
    Payload: Sample.replace('21.5', '21.6'),
  })
  expect(broken.Fault?.Text).toContain('checksum')
})

it('protocol-assign: a parser is assigned to projects, gateways and devices and taken away, and the nearest wins', async () => {
  const [project, of, nearest] = [(await add()).Data, (await add()).Data, (await add()).Data]
  expect(await effective()).toEqual({ DataParseId: null, ParseName: null, AssignedTo: null })
  await assign('Project', project.Id, [gateway.ProjectId as number])
  expect(await effective()).toMatchObject({ DataParseId: project.Id, AssignedTo: 'project' })
  await assign('Gateway', of.Id, [gateway.Id])
  await assign('Device', nearest.Id, [device.Id])
  expect(await effective()).toMatchObject({ DataParseId: of.Id, ParseName: of.ParseName, AssignedTo: 'gateway' })
  expect(await effective(device.Id)).toMatchObject({ DataParseId: nearest.Id, AssignedTo: 'device' })
  const assigned = await kit.data<Page<Row>>('owner', 'GET', `${path}/Device/List?DataParseId=${nearest.Id}`)
  expect(assigned.Items).toMatchObject([{ DeviceName: 'Pump 1' }])
  // Each has one at most, and one that is in use stays.
  expect(await assign('Device', of.Id, [device.Id])).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'dataParse', Id: nearest.Id }] },
  })
  expect((await assign('Device', nearest.Id, [device.Id])).Data).toEqual({ Changed: 0 })
  expect(await kit.call('owner', 'DELETE', '/Protocol/BatchDataParse', { Ids: [nearest.Id, of.Id] })).toMatchObject({ StatusCode: 409 })
  await kit.data('owner', 'DELETE', `${path}/Device`, { DataParseId: nearest.Id, DeviceIds: [device.Id] })
  expect(await kit.data('owner', 'DELETE', '/Protocol/BatchDataParse', { Ids: [nearest.Id] })).toEqual({ Removed: 1 })
  expect(await effective(device.Id)).toMatchObject({ DataParseId: of.Id, AssignedTo: 'gateway' })
})

it('a stranger sees and assigns nothing, and a viewer changes nothing', async () => {
  const { Data } = await add()
  expect((await assign('Gateway', Data.Id, [gateway.Id], 'stranger')).StatusCode).toBe(404)
  const theirs = (await add({}, 'stranger')).Data
  expect((await assign('Gateway', theirs.Id, [gateway.Id], 'stranger')).StatusCode).toBe(400)
  const Mapping = [{ Value: '*', Key: byName }]
  for (const [as, code] of [
    ['stranger', 404],
    ['viewer', 403],
  ] as const)
    expect((await kit.call(as, 'POST', '/Protocol/Parse/Test', { Mapping, Payload: '{}', GatewayId: gateway.Id })).StatusCode).toBe(code)
  expect((await kit.call('stranger', 'GET', `${path}/Effective?GatewayId=${gateway.Id}`)).StatusCode).toBe(404)
  expect((await add({}, 'viewer')).StatusCode).toBe(403)
  expect((await assign('Gateway', Data.Id, [gateway.Id], 'viewer')).StatusCode).toBe(403)
})
