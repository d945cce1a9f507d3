import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { columnFields, pointColumns } from '../../../../contract/point-fields.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { device as devices } from '../../devices/contract.ts'
import { point as points } from '../../points/contract.ts'
import { pointTempMenu, proModel } from '../contract.ts'
import { path, type Row, rows, startModels } from './harness.ts'

const { kit, make, model, addRow, publish, device, apply, pointsOf, change } = await startModels()
afterAll(() => kit.close())

const plain = (answer: { Data: { Rows: Row[] } }) => answer.Data.Rows.map((r) => [r.ParaName, r.Kind, r.Field, r.Before, r.After])

it('each device gets the points of its model with its own parameter values', async () => {
  const { Id } = await model({ Parameters: 'base=100 First register;line= Bus line' })
  await addRow(Id, 'Flow {line}', '{base+4}', { ParaUnitName: 'm³/h', AlarmHigh: 9 })
  await addRow(Id, 'Running', '{base}.3', { ParaDataType: 0, SlaveNumber: '{unit+1}' })
  expect(await apply(Id, [1])).toMatchObject({ StatusCode: 409, Details: { Fault: 'modelUnpublished' } })
  expect(await publish(Id)).toEqual({ Version: 1 })
  const [one, two] = [await device({ SlaveNumber: 7, ModelValues: 'line=1' }), await device({ ModelValues: 'base=200;line=2' })]
  const preview = await apply(Id, [one.Id, two.Id], { Preview: 1 })
  expect(preview.Data).toMatchObject({ Version: 1, Devices: [{ Added: 2, Blocked: 0 }, { Added: 2 }] })
  expect(await pointsOf(one.Id)).toEqual([])
  expect((await apply(Id, [one.Id, two.Id])).Data).toEqual(preview.Data)
  expect(await pointsOf(one.Id)).toMatchObject([
    { ParaName: 'Flow 1', Address: '104', SlaveNumber: 7, ParaUnitName: 'm³/h', AlarmHigh: 9 },
    { ParaName: 'Running', Address: '100.3', SlaveNumber: 8, ParaDataType: 0 },
  ])
  expect(await pointsOf(two.Id)).toMatchObject([{ ParaName: 'Flow 2', Address: '204' }, { Address: '200.3' }])
  expect(await kit.data('owner', 'GET', `${devices.path}?Id=${one.Id}`)).toMatchObject({ ModelId: Id, ModelVersion: 1 })
  expect(await kit.data('owner', 'GET', `${path}?Id=${Id}`)).toMatchObject({ Version: 1, Edits: 0 })
})

it('invalid models are rejected by field, and publishing lists the faulty rows', async () => {
  const { Id } = await model({ Parameters: 'base=1' })
  const refused = async (field: string, given: object) =>
    expect(await kit.call('owner', 'POST', rows, { ModelId: Id, ParaName: 'X', Address: '1', ...given })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { [field]: [expect.stringMatching(/\w/)] } },
    })
  for (const Address of ['70000', '{base', '{base/2}', '{+}', `{${'1+'.repeat(40)}1}`]) await refused('Address', { Address })
  for (const SlaveNumber of ['0', 'x', '{}']) await refused('SlaveNumber', { SlaveNumber })
  await refused('ParaKey', { ParaKey: '1st' })
  await refused('AlarmHigh', { AlarmLow: 2, AlarmHigh: 1 })
  await addRow(Id, 'A', '{missing}')
  await addRow(Id, 'B', '7')
  await addRow(Id, 'C', '{base+6}')
  expect(await kit.call('owner', 'POST', `${path}/Publish`, { Id })).toMatchObject({
    StatusCode: 400,
    Details: {
      Fault: 'modelFaulty',
      Rows: [
        { Row: 1, Field: 'Address', Value: 'A', Message: expect.stringContaining('missing') },
        { Row: 3, Field: 'Address', Value: 'C' },
      ],
    },
  })
})

it('publishing after a change by somebody else is a conflict', async () => {
  const { Id } = await model()
  const row = await addRow(Id, 'A', '1')
  const seen = await kit.data<Row>('owner', 'GET', `${path}?Id=${Id}`)
  expect(seen).toMatchObject({ Version: 0, Edits: 1 })
  await kit.data('owner', 'PUT', rows, { Id: row.Id, Address: '2' })
  const { Version, Edits } = seen
  expect(await kit.call('owner', 'POST', `${path}/Publish`, { Id, Version, Edits })).toMatchObject({
    Details: { Fault: 'changedMeanwhile', Current: { Edits: 2 } },
  })
  expect(await kit.call('viewer', 'POST', `${path}/Publish`, { Id })).toMatchObject({ StatusCode: 403 })
})

it('points keep their Ids, matched by model row, then by name; overrides stay until they are reset', async () => {
  const { Id } = await model()
  const flow = await addRow(Id, 'Flow', '4')
  const level = await addRow(Id, 'Level', '6')
  const pump = await device({ ModelId: Id })
  const there = await make.create(points, { DeviceId: pump.Id, ParaName: 'Level', Address: '60', AlarmHigh: 5 })
  await publish(Id)
  await apply(Id, [pump.Id])
  const before = await pointsOf(pump.Id)
  expect(before.find((p) => p.Id === there.Id)).toMatchObject({ ParaName: 'Level', Address: '6', AlarmHigh: null, ModelParaId: level.Id })
  const own = before.find((p) => p.ParaName === 'Flow')!
  await change(own.Id, { AlarmHigh: 8, ParaUnitName: 'L/s' })
  await kit.data('owner', 'PUT', rows, { Id: flow.Id, ParaName: 'Flow rate', AlarmHigh: 3 })
  await kit.data('owner', 'DELETE', rows, { Id: level.Id })
  await publish(Id)
  const preview = await apply(Id, [pump.Id], { Preview: 1 })
  expect(plain(preview)).toEqual([
    ['Flow', 'changed', 'ParaName', 'Flow', 'Flow rate'],
    ['Flow', 'kept', 'ParaUnitName', 'L/s', null],
    ['Flow', 'kept', 'AlarmHigh', 8, 3],
    ['Level', 'gone', '', null, null],
  ])
  expect((await apply(Id, [pump.Id])).Data).toEqual(preview.Data)
  expect(await pointsOf(pump.Id)).toMatchObject(
    [there, own]
      .map(({ Id }) => (Id === own.Id ? { Id, ParaName: 'Flow rate', AlarmHigh: 8 } : { Id, ModelParaId: null }))
      .toSorted((a, b) => a.Id - b.Id),
  )
  const reset = (as: string, body: object) => kit.call(as, 'POST', '/Project/DevPara/Reset', body)
  expect(await reset('owner', { Ids: [own.Id], Fields: ['AlarmHigh'] })).toMatchObject({ Data: { Changed: 1 } })
  expect((await pointsOf(pump.Id)).find((p) => p.Id === own.Id)).toMatchObject({
    AlarmHigh: 3,
    ParaUnitName: 'L/s',
    Overrides: ['ParaUnitName'],
  })
  expect(await reset('owner', { Ids: [own.Id] })).toMatchObject({ Data: { Changed: 1 } })
  expect((await pointsOf(pump.Id)).find((p) => p.Id === own.Id)).toMatchObject({ ParaUnitName: null, Overrides: null })
  expect(await reset('owner', { Ids: [there.Id] })).toMatchObject({ StatusCode: 400, Details: { Fault: 'noModel' } })
  expect(await reset('stranger', { Ids: [own.Id] })).toMatchObject({ StatusCode: 404 })
  expect(await reset('viewer', { Ids: [own.Id] })).toMatchObject({ StatusCode: 403 })
})

it('changing any column in any way is an override', async () => {
  const { Id } = await model()
  await addRow(Id, 'A', '4')
  const { Id: deviceId } = await device()
  await publish(Id)
  await apply(Id, [deviceId])
  const [a] = await pointsOf(deviceId)
  const other = (name: string, value: unknown) => {
    const f = (columnFields as Record<string, { kind: string; of?: readonly unknown[] }>)[name]!
    if (name === 'Address') return '9'
    if (f.kind === 'text') return `${value ?? ''}x`
    return f.kind === 'flag' ? 1 - Number(value) : f.kind === 'choice' ? f.of!.find((v) => v !== value) : Number(value ?? 0) + 1
  }
  // Sheets, batches and forms all end in the database, so this checks the database only.
  for (const name of pointColumns)
    await kit.db.rows(sql`update point set ${sql.raw(`"${name}"`)} = ${other(name, a![name])} where "Id" = ${a!.Id}`)
  expect(new Set((await pointsOf(deviceId))[0]!.Overrides as string[])).toEqual(new Set(pointColumns))
})

it('obstacles are listed, and nothing is applied', async () => {
  const { Id } = await model({ Parameters: 'base=' })
  const row = await addRow(Id, 'A', '{base}')
  await addRow(Id, 'B', '8')
  await publish(Id)
  const one = await device()
  expect((await apply(Id, [one.Id], { Preview: 1 })).Data.Rows).toMatchObject([
    { ParaName: 'A', Kind: 'blocked', Field: 'Address', Reason: expect.stringContaining('base') },
    { ParaName: 'B', Kind: 'added' },
  ])
  expect(await apply(Id, [one.Id])).toMatchObject({ StatusCode: 409, Details: { Fault: 'modelBlocked' } })
  await kit.data('owner', 'PUT', devices.path, { Id: one.Id, ModelValues: 'base=70000' })
  expect((await apply(Id, [one.Id], { Preview: 1 })).Data.Rows[0]).toMatchObject({
    Kind: 'blocked',
    Reason: expect.stringContaining('70000'),
  })
  await kit.data('owner', 'PUT', devices.path, { Id: one.Id, ModelValues: 'base=3' })
  const foreign = await make.create(points, { DeviceId: one.Id, ParaName: 'Other', Address: '3', SlaveNumber: 1, RegisterType: 4 })
  expect((await apply(Id, [one.Id], { Preview: 1 })).Data.Rows[0]).toMatchObject({
    ParaName: 'A',
    Field: 'Address',
    Reason: expect.stringContaining('Other'),
  })
  expect(await pointsOf(one.Id)).toHaveLength(1)
  // Another device on the same bus and slave.
  const beside = await device({ GatewayId: one.GatewayId, NetProtocolId: one.NetProtocolId, ModelValues: 'base=8' })
  expect((await apply(Id, [beside.Id], { Preview: 1 })).Data.Rows.filter((r) => r.Kind === 'blocked')).toMatchObject([{ ParaName: 'B' }])
  await change(foreign.Id, { Address: '33' })
  expect((await apply(Id, [one.Id])).Data.Devices).toMatchObject([{ Added: 2, Blocked: 0 }])
  // A name that a point of the device already has.
  await kit.data('owner', 'PUT', rows, { Id: row.Id, ParaName: 'Other' })
  await publish(Id)
  expect((await apply(Id, [one.Id], { Preview: 1 })).Data.Rows[0]).toMatchObject({ Kind: 'blocked', Field: 'ParaName' })
})

it('two points can swap names, and points missing from the model are deleted on request', async () => {
  const { Id } = await model()
  const [a, b, c] = [await addRow(Id, 'A', '1'), await addRow(Id, 'B', '3'), await addRow(Id, 'C', '5')]
  const { Id: deviceId } = await device()
  await publish(Id)
  await apply(Id, [deviceId])
  const [first] = await pointsOf(deviceId)
  await kit.data('owner', 'PUT', rows, { Id: a.Id, ParaName: 'T' })
  await kit.data('owner', 'PUT', rows, { Id: b.Id, ParaName: 'A' })
  await kit.data('owner', 'PUT', rows, { Id: a.Id, ParaName: 'B' })
  await kit.data('owner', 'DELETE', rows, { Id: c.Id })
  await publish(Id)
  await apply(Id, [deviceId], { RemoveGone: 1 })
  expect(await pointsOf(deviceId)).toMatchObject([{ Id: first!.Id, ParaName: 'B', Address: '1' }, { ParaName: 'A' }])
  await kit.data('owner', 'PUT', devices.path, { Id: deviceId, ModelId: null })
  expect(await pointsOf(deviceId)).toMatchObject([{ ModelParaId: null }, { ModelParaId: null }])
  expect(await kit.data('owner', 'GET', `${devices.path}?Id=${deviceId}`)).toMatchObject({ ModelVersion: null })
})

it('alarm rules that refer to renamed points are listed, and updated on request', async () => {
  const { Id } = await model()
  const row = await addRow(Id, 'Pressure', '1')
  const pump = await device({ ModelId: Id })
  await publish(Id)
  await apply(Id, [pump.Id])
  const gateway = await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${pump.GatewayId}`)
  const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 8 }
  const Conditions = [{ ...condition, DeviceSelection: { Type: 2, ModelId: Id }, AlarmParams: [{ ParaName: 'Pressure' }] }]
  const configure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions }] }
  const [rule] = await kit.db.rows<Row>(sql`
    insert into alarm_rule ("EnterpriseId", "RuleName", "RuleNo", "ProjectId", "RuleConfigure")
    values (${kit.enterprises.ours}, 'High pressure', 'R1', ${gateway.ProjectId}, ${JSON.stringify(configure)}::jsonb) returning "Id"`)
  await kit.data('owner', 'PUT', rows, { Id: row.Id, ParaName: 'Discharge pressure' })
  await publish(Id)
  expect((await apply(Id, [pump.Id], { Preview: 1 })).Data.Rules).toEqual([
    { Id: rule!.Id, RuleName: 'High pressure', Before: 'Pressure', After: 'Discharge pressure' },
  ])
  expect(await apply(Id, [pump.Id])).toMatchObject({ Details: { Fault: 'modelBlocked' } })
  expect(await apply(Id, [pump.Id], { RenameInRules: 1 })).toMatchObject({ StatusCode: 200 })
  const [after] = await kit.db.rows<{ text: string }>(sql`select "RuleConfigure"::text as text from alarm_rule where "Id" = ${rule!.Id}`)
  expect(after!.text).toContain('"Discharge pressure"')
  expect(after!.text).not.toContain('"Pressure"')
})

it('a company above its point limit is warned in the preview and gets no points', async () => {
  const { Id } = await model()
  await addRow(Id, 'A', '1')
  await publish(Id)
  const { Id: deviceId } = await device()
  const limit = (most: number | null) => kit.db.rows(sql`update enterprise set "MaxPoints" = ${most} where "Id" = ${kit.enterprises.ours}`)
  await limit(1)
  expect((await apply(Id, [deviceId], { Preview: 1 })).Data.NoRoom).toBe(1)
  expect(await apply(Id, [deviceId])).toMatchObject({ StatusCode: 403, Details: { Fault: 'noRoomPoints' } })
  expect(await pointsOf(deviceId)).toEqual([])
  await limit(null)
})

it('devices and models of other tenants are not found', async () => {
  const { Id } = await model()
  const row = await addRow(Id, 'A', '1')
  await publish(Id)
  const own = await device({ ModelId: Id })
  const theirs = await maker(kit, 'stranger').create(devices)
  const mine = await kit.data<Row>('stranger', 'POST', path, { ModelName: 'Theirs' })
  expect(await apply(Id, [own.Id, theirs.Id])).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('platform', 'POST', `${path}/Apply`, { ModelId: Id, DeviceIds: [theirs.Id] })).toMatchObject({ StatusCode: 404 })
  for (const body of [{ Id }, { ModelId: Id, DeviceIds: [theirs.Id] }])
    expect(await kit.call('stranger', 'POST', `${path}/${'Id' in body ? 'Publish' : 'Apply'}`, body)).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('stranger', 'POST', `${rows}/Copy`, { Ids: [row.Id], ModelId: mine.Id })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('owner', 'POST', `${rows}/Copy`, { Ids: [row.Id], ModelId: mine.Id })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('viewer', 'POST', `${path}/Apply`, { ModelId: Id, DeviceIds: [own.Id] })).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('owner', 'POST', `${path}/Apply`, { ModelId: Id })).toMatchObject({
    Details: { Fields: { DeviceIds: [expect.any(String)] } },
  })
})

it('[model-copy] copies models with points, and points into another model; both have sheets and a highest Id', async () => {
  const { Id } = await model({ Parameters: 'base=5' })
  await addRow(Id, 'A', '{base}', { ParaKey: 'a', AlarmHigh: 4 })
  await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })
  const list = async (id: number) => (await kit.data<Page<Row>>('owner', 'GET', `${rows}/List?ModelId=${id}`)).Items
  const { MaxId } = await kit.data<{ MaxId: number }>('owner', 'GET', `${path}/MaxId`)
  expect(await kit.data('owner', 'GET', `${path}?Id=${MaxId}`)).toMatchObject({ Parameters: 'base=5', Version: 0, Edits: 1 })
  const [copied] = await list(MaxId)
  expect(copied).toMatchObject({ ParaName: 'A', Address: '{base}', ParaKey: 'a', AlarmHigh: 4, SlaveNumber: '{unit}' })
  expect(await kit.data('owner', 'GET', `${rows}/MaxId`)).toEqual({ MaxId: copied!.Id })
  const other = await model()
  expect(await kit.data('owner', 'POST', `${rows}/Copy`, { Ids: [copied!.Id], ModelId: other.Id })).toEqual({ Added: 1 })
  expect(await kit.call('owner', 'POST', `${rows}/Copy`, { Ids: [copied!.Id], ModelId: other.Id })).toMatchObject({ StatusCode: 409 })
  expect(await list(other.Id)).toMatchObject([{ ParaName: 'A' }])
  expect((await kit.request('owner', 'GET', `${rows}/Output?Format=csv&ModelId=${Id}`)).body).toContain('{base}')
})

it('a folder that contains a model cannot be deleted', async () => {
  const folder = await make.create(pointTempMenu, { MenuName: 'Pumps' })
  const { Id } = await make.create(proModel, { FolderId: folder.Id })
  expect(await kit.call('owner', 'DELETE', pointTempMenu.path, { Id: folder.Id })).toMatchObject({
    Details: { Fault: 'inUse', UsedBy: [{ Resource: 'proModel', Id }] },
  })
  expect((await kit.data<Page<Row>>('owner', 'GET', `${path}/List?FolderId=${folder.Id}`)).Items).toMatchObject([
    { Id, FolderName: 'Pumps' },
  ])
})

it('refuses models and applications that are too large for the server', async () => {
  const { Id } = await model()
  await kit.db.rows(sql`
    insert into model_para ("EnterpriseId", "ModelId", "ParaName", "ParaKey", "Address", "SlaveNumber", "Sort")
    select "EnterpriseId", "Id", 'P' || i, 'p' || i, i::text, '1', i from pro_model, generate_series(1, 2001) i where "Id" = ${Id}`)
  expect(await kit.call('owner', 'POST', `${path}/Publish`, { Id })).toMatchObject({ StatusCode: 400, Details: { Fault: 'modelTooLarge' } })
  await kit.db.rows(sql`delete from model_para where "ModelId" = ${Id} and "Sort" > 2000`)
  await publish(Id)
  const first = await device()
  await kit.db.rows(sql`
    insert into device ("EnterpriseId", "DeviceName", "GatewayId", "SlaveNumber", "NetProtocolId", "CommType")
    select "EnterpriseId", 'many ' || i, "GatewayId", "SlaveNumber", "NetProtocolId", "CommType" from device, generate_series(1, 51) i
    where "Id" = ${first.Id}`)
  const many = await kit.db.rows<{ Id: number }>(sql`select "Id" from device where "DeviceName" like 'many %' order by "Id"`)
  const ids = many.map((row) => row.Id)
  expect(await apply(Id, ids, { Preview: 1 })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { DeviceIds: [expect.stringContaining('100000 points')] } },
  })
  const [preview] = await Promise.all([apply(Id, ids.slice(0, 20), { Preview: 1 }), kit.data('owner', 'GET', `${path}?Id=${Id}`)])
  expect(preview.Data.Devices).toHaveLength(20)
})
