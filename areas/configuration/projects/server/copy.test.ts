import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { alarmRule } from '../../../alarms/alarm-rules/contract.ts'
import { alarmRuleRoutes } from '../../../alarms/alarms/server/ruleRoutes.ts'
import { flowchartRoutes } from '../../../pictures/flowcharts/server/routes.ts'
import { netProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { proModel } from '../../models/contract.ts'
import { point } from '../../points/contract.ts'
import { project } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
const kit = await startKit({
  areas: () => [
    (api) => flowchartRoutes(api, { latest: new Map(), clock: Date.now } as never),
    (api) => alarmRuleRoutes(api, { clock: Date.now } as never),
  ],
})
afterAll(() => kit.close())
const make = maker(kit)
const path = '/Project/Project/QProjectCopyGatewayAndDevices'
const list = async (base: string, query: string) => (await kit.data<Page<Row>>('owner', 'GET', `${base}/List?${query}`)).Items

const plant = async () => {
  const site = await make.create(project, { ProjectName: `Site ${Math.random()}`, Address: 'River road' })
  const box = await make.create(gateway, { ProjectId: site.Id, GatewayName: 'Pump house' })
  const line = await make.create(netProtocol, { GatewayId: box.Id, ProtocolName: 'Line' })
  const model = await make.create(proModel)
  const pump = await make.create(device, {
    ...{ GatewayId: box.Id, DeviceName: 'Pump', CommType: 0, NetProtocolId: line.Id, SerialProtocolId: null, ModelId: model.Id },
  })
  await make.create(point, { DeviceId: pump.Id, ParaName: 'Flow', Address: '1' })
  await make.create(point, { DeviceId: pump.Id, ParaName: 'Pressure', Address: '2' })
  return { site, box, model }
}
const copy = (as: string, body: object) => kit.call<Row>(as, 'POST', path, body)

it('the plan lists the contents of a copy and writes nothing', async () => {
  const { site, box } = await plant()
  const before = await list('/Project/Project', 'PageSize=1000')
  expect(await kit.data('owner', 'GET', `${path}?ProjectId=${site.Id}`)).toMatchObject({
    ...{ ProjectName: `${String(site.ProjectName).slice(0, 44)} (2)`, Channels: 1, Devices: 1, Points: 2, Rules: [], CopiesRules: true },
    Gateways: [{ Id: box.Id, GatewayName: 'Pump house', SN: box.SN, Devices: 1, Points: 2 }],
  })
  expect(await list('/Project/Project', 'PageSize=1000')).toEqual(before)
})

it('a copy has the same channels, devices and points under a new serial number, with their models', async () => {
  const { site, box, model } = await plant()
  const answer = await copy('owner', { ProjectId: site.Id, ProjectName: 'Second site', Gateways: [{ Id: box.Id, SN: 'COPY00000001' }] })
  expect(answer.Data).toMatchObject({ Gateways: 1, Channels: 1, Devices: 1, Points: 2 })
  expect(await kit.data('owner', 'GET', `${project.path}?Id=${answer.Data.Id}`)).toMatchObject({ Address: 'River road' })
  const [other] = await list(gateway.path, `ProjectId=${answer.Data.Id}`)
  expect(other).toMatchObject({ GatewayName: 'Pump house', SN: 'COPY00000001', ConfigStatus: 1, OnlineStatus: 2 })
  const [pump] = await list(device.path, `GatewayId=${other!.Id}`)
  const [line] = await list(netProtocol.path, `GatewayId=${other!.Id}`)
  expect(pump).toMatchObject({ DeviceName: 'Pump', ModelId: model.Id, NetProtocolId: line!.Id })
  const points = await list(point.path, `DeviceId=${pump!.Id}`)
  expect(points.map((p) => [p.ParaName, p.Address]).sort()).toEqual([
    ['Flow', '1'],
    ['Pressure', '2'],
  ])
  const [entries] = await kit.database.system.rows<{ n: number }>(
    sql`select count(*)::int as n from change where "Resource" = 'point' and "Verb" = 'create' and "RecordId" = any(${points.map((p) => p.Id)}::bigint[])`,
  )
  expect(entries!.n).toBe(2)
})

it('takes its pictures along: points and links are those of the copy, and what it lacks is listed and named', async () => {
  const { site, box } = await plant()
  const other = await make.create(gateway, { ProjectId: site.Id, GatewayName: 'Left behind' })
  const [pump] = await list(device.path, `GatewayId=${box.Id}`)
  const [flow] = await list(point.path, `DeviceId=${pump!.Id}&ParaName=Flow`)
  const valve = await make.create(device, { GatewayId: other.Id, DeviceName: 'Valve' })
  const opening = await make.create(point, { DeviceId: valve.Id, ParaName: 'Opening' })
  const weather = await make.create(point, { ParaName: 'Rain' })
  const charts = '/Project/Ddt/Flowchart'
  const add = (FlowchartName: string) => kit.data<Row>('owner', 'POST', charts, { FlowchartName, ProjectId: site.Id })
  const [detail, overview] = [await add('Detail'), await add('Overview')]
  const place = { x: 0, y: 0, w: 80, h: 30, size: 16 }
  const value = (id: string, of: string, more: object = {}) => ({ kind: 'value', id, of, ...place, ...more })
  const items = [
    value('flow', `#${flow!.Id} * 2`, { acts: [{ do: 'open', picture: detail.Id }] }),
    ...[value('opening', `#${opening.Id}`), value('rain', `#${weather.Id}`), value('speed', '{Any.Flow}')],
  ]
  const parameters = [{ name: 'Any', type: 'device', value: pump!.Id }]
  await kit.data('owner', 'POST', `${charts}/Save`, { Id: overview.Id, Scene: { ...emptyScene(), items, parameters } })
  expect(await kit.data('owner', 'GET', `${path}?ProjectId=${site.Id}`)).toMatchObject({ Pictures: 2 })
  const { Data } = await copy('owner', { ProjectId: site.Id, ProjectName: 'With pictures', Gateways: [{ Id: box.Id, SN: 'COPY00000009' }] })
  expect(Data).toMatchObject({ Pictures: 2, Unbound: [{ FlowchartName: 'Overview', Name: 'Valve.Opening' }] })
  const copies = new Map((await list(charts, `ProjectId=${Data.Id}`)).map((row) => [row.FlowchartName, row]))
  const [newBox] = await list(gateway.path, `ProjectId=${Data.Id}`)
  const [newPump] = await list(device.path, `GatewayId=${newBox!.Id}`)
  const [newFlow] = await list(point.path, `DeviceId=${newPump!.Id}&ParaName=Flow`)
  const opened = await kit.data<Row>('owner', 'POST', `/V3${charts}/Detail`, { Id: copies.get('Overview')!.Id, Draft: true })
  expect(opened).toMatchObject({
    Flowchart: { State: 0 },
    Scene: {
      items: [
        { of: `#${newFlow!.Id} * 2`, acts: [{ picture: copies.get('Detail')!.Id }] },
        ...[{ of: '{Valve.Opening}' }, { of: `#${weather.Id}` }, { of: '{Any.Flow}' }],
      ],
      parameters: [
        { name: 'Any', value: newPump!.Id },
        { name: 'Valve', type: 'device' },
      ],
    },
    Named: { '{Any.Flow}': newFlow!.Id },
    Withheld: ['{Valve.Opening}'],
  })
})

it('pictures inside pictures, faceplates and lists of alarms of a copy show its own pictures and devices', async () => {
  const { site, box, model } = await plant()
  const [pump] = await list(device.path, `GatewayId=${box.Id}`)
  const other = await make.create(gateway, { ProjectId: site.Id, GatewayName: 'Left behind' })
  const valve = await make.create(device, { GatewayId: other.Id, DeviceName: 'Valve' })
  const elsewhere = await make.create(project)
  const charts = '/Project/Ddt/Flowchart'
  const add = async (FlowchartName: string, more: object = {}) =>
    (await kit.data<Row>('owner', 'POST', charts, { FlowchartName, ProjectId: site.Id, ...more })).Id
  const save = (Id: number, items: object[], parameters: object[] = []) =>
    kit.data('owner', 'POST', `${charts}/Save`, { Id, Scene: { ...emptyScene(), items, parameters } })
  const own = [{ name: 'Pump', type: 'device', value: pump!.Id }]
  const at = { x: 0, y: 0, w: 80, h: 30 }
  const value = { kind: 'value', id: 'flow', of: '{Pump.Flow}', size: 16, ...at }
  const [shared, inner, face, outer] = [
    await add('Shared', { ProjectId: elsewhere.Id }),
    await add('Inner'),
    await add('Face', { Purpose: 1, ModelId: model.Id, DeviceId: pump!.Id }),
    await add('Outer'),
  ]
  for (const id of [shared, inner, face]) await save(id, [value], own)
  for (const Id of [shared, inner]) await kit.data('owner', 'POST', `${charts}/Publish`, { Id })
  const opens = (id: string, act: object) => ({ kind: 'text', id, text: id, size: 12, ...at, acts: [{ do: 'faceplate', ...act }] })
  await save(
    outer,
    [
      { kind: 'view', id: 'inside', picture: inner, parameters: { Pump: pump!.Id }, ...at },
      { kind: 'view', id: 'passed', picture: shared, parameters: { Pump: pump!.Id }, ...at },
      { kind: 'view', id: 'gone', picture: inner, parameters: { Pump: valve.Id }, ...at },
      opens('face', { picture: face, parameters: { Pump: pump!.Id } }),
      opens('its', { device: pump!.Id }),
      opens('none', { device: valve.Id }),
      opens('any', { device: '{Pump}' }),
      { kind: 'alarms', id: 'list', device: pump!.Id, ...at },
    ],
    own,
  )
  const { Data } = await copy('owner', { ProjectId: site.Id, ProjectName: 'Nested', Gateways: [{ Id: box.Id, SN: 'COPY00000011' }] })
  const copies = new Map((await list(charts, `ProjectId=${Data.Id}`)).map((row) => [row.FlowchartName, row]))
  const [newBox] = await list(gateway.path, `ProjectId=${Data.Id}`)
  const [{ Id: newPump }] = (await list(device.path, `GatewayId=${newBox!.Id}`)) as [Row]
  expect(copies.get('Face')).toMatchObject({ Purpose: 1, ModelId: model.Id, DeviceId: newPump })
  const opened = await kit.data<Row>('owner', 'POST', `/V3${charts}/Detail`, { Id: copies.get('Outer')!.Id, Draft: true })
  const [newInner, newFace] = [copies.get('Inner')!.Id, copies.get('Face')!.Id]
  expect((opened.Scene as { items: Row[] }).items).toMatchObject([
    { id: 'inside', picture: newInner, parameters: { Pump: newPump } },
    { id: 'passed', picture: shared, parameters: { Pump: newPump } },
    { id: 'gone', picture: newInner, parameters: {} },
    { acts: [{ picture: newFace, parameters: { Pump: newPump } }] },
    { acts: [{ device: newPump }] },
    { acts: [{ do: 'faceplate' }] },
    { acts: [{ device: '{Pump}' }] },
    { id: 'list', device: newPump },
  ])
  expect(JSON.stringify(opened.Scene)).not.toMatch(new RegExp(`"(device|Pump)":(${pump!.Id}|${valve.Id})\\b`))
  // The copy is published from the inside out: it shows its own pictures, with its own points.
  await kit.data('owner', 'POST', `${charts}/Publish`, { Id: newInner })
  const again = await kit.data<Row>('owner', 'POST', `/V3${charts}/Detail`, { Id: copies.get('Outer')!.Id, Draft: true })
  expect(again.Inside).toMatchObject([{ Id: shared }, { Id: newInner }])
  expect(new Set((again.Points as Row[]).map(({ DeviceId }) => DeviceId))).toEqual(new Set([newPump]))
})

it('takes its alarm rules along, disabled and for its own points, and names those whose points it lacks', async () => {
  const { site, box, model } = await plant()
  const other = await make.create(gateway, { ProjectId: site.Id, GatewayName: 'Left behind' })
  const valve = await make.create(device, { GatewayId: other.Id, DeviceName: 'Valve' })
  const opening = await make.create(point, { DeviceId: valve.Id, ParaName: 'Opening', ReadWriteType: 1 })
  const [pump] = await list(device.path, `GatewayId=${box.Id}`)
  const pointOf = async (id: number, name: string) => (await list(point.path, `DeviceId=${id}&ParaName=${name}`))[0]!
  const flow = await pointOf(pump!.Id, 'Flow')
  await kit.data('owner', 'PUT', point.path, { Id: flow.Id, ReadWriteType: 1 })
  const rule = (RuleName: string, AlarmParams: object[], more: object = {}, DeviceSelection?: object) => {
    const condition = {
      TriggerStyle: 1,
      TriggerCondition: 1,
      OperateSymbol: 3,
      ParamValue: 5,
      AlarmParams,
      ...(DeviceSelection && { DeviceSelection }),
    }
    const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
    return kit.data('owner', 'POST', alarmRule.path, { RuleName, ProjectId: site.Id, Status: 1, RuleConfigure, ...more })
  }
  await rule('High flow', [{ ParaId: flow.Id }], { AlarmLevel: 3, DeviceControl: [{ ParaId: flow.Id, Value: 1, DelayS: 2 }] })
  await rule('Chosen', [{ ParaName: 'Flow' }], {}, { Type: 1, DeviceIds: [pump!.Id] })
  await rule('All of a model', [{ ParaName: 'Flow' }], {}, { Type: 2, ModelId: model.Id })
  await rule('Opening', [{ ParaId: opening.Id }])
  await rule('Shuts the valve', [{ ParaId: flow.Id }], { DeviceControl: [{ ParaId: opening.Id, Value: 0 }] })
  const plan = await kit.data<{ Rules: object[] }>('owner', 'GET', `${path}?ProjectId=${site.Id}`)
  expect(plan).toMatchObject({ CopiesRules: true })
  expect(plan.Rules).toHaveLength(5)
  const { Data } = await copy('owner', { ProjectId: site.Id, ProjectName: 'With rules', Gateways: [{ Id: box.Id, SN: 'COPY00000010' }] })
  const Lacks = ['Valve Opening']
  expect(Data).toMatchObject({
    Rules: 3,
    RulesLeft: [
      { RuleName: 'Opening', Lacks },
      { RuleName: 'Shuts the valve', Lacks },
    ],
  })
  const [newBox] = await list(gateway.path, `ProjectId=${Data.Id}`)
  const [newPump] = await list(device.path, `GatewayId=${newBox!.Id}`)
  const newFlow = await pointOf(newPump!.Id, 'Flow')
  const copied = await list(alarmRule.path, `ProjectId=${Data.Id}&OrderColumn=Id&OrderType=asc`)
  expect(copied.map(({ RuleName, Status }) => [RuleName, Status])).toEqual([
    ['High flow', 0],
    ['Chosen', 0],
    ['All of a model', 0],
  ])
  const condition = (row: Row) => (row.RuleConfigure as { RuleList: { Conditions: object[] }[] }).RuleList[0]!.Conditions[0]
  expect(copied[0]).toMatchObject({ AlarmLevel: 3, DeviceControl: [{ ParaId: newFlow.Id, Value: 1, DelayS: 2 }] })
  expect(condition(copied[0]!)).toMatchObject({ AlarmParams: [{ ParaId: newFlow.Id, DeviceId: newPump!.Id, ParaName: 'Flow' }] })
  expect(condition(copied[1]!)).toMatchObject({ DeviceSelection: { Type: 1, DeviceIds: [newPump!.Id] } })
  expect(condition(copied[2]!)).toMatchObject({ DeviceSelection: { Type: 2, ModelId: model.Id, ProjectId: Data.Id } })
})

it('a used name or serial number, or too little room, copies nothing and is reported by field', async () => {
  const { site, box } = await plant()
  const gateways = (SN: unknown) => ({ ProjectId: site.Id, ProjectName: 'Third site', Gateways: [{ Id: box.Id, SN }] })
  expect((await copy('owner', gateways(box.SN))).Details).toMatchObject({ Fields: { 'Gateways.0.SN': [expect.any(String)] } })
  expect((await copy('owner', { ...gateways('COPY00000002'), ProjectName: site.ProjectName })).Details).toMatchObject({
    Fields: { ProjectName: [expect.any(String)] },
  })
  const limit = (most: number | null) =>
    kit.database.system.rows(sql`update enterprise set "MaxPoints" = ${most} where "Id" = ${kit.enterprises.ours}`)
  await limit(1)
  expect(await copy('owner', gateways('COPY00000003'))).toMatchObject({ StatusCode: 403, Details: { Fault: 'noRoomPoints' } })
  await limit(null)
  expect(await list(project.path, `ProjectName=Third%20site`)).toEqual([])
})

it('copies no project and no gateway of another company, and needs the permission to add each part', async () => {
  const { site, box } = await plant()
  const body = { ProjectId: site.Id, ProjectName: 'Taken', Gateways: [{ Id: box.Id, SN: 'COPY00000004' }] }
  expect((await copy('stranger', body)).StatusCode).toBe(404)
  expect((await kit.call('stranger', 'GET', `${path}?ProjectId=${site.Id}`)).StatusCode).toBe(404)
  const theirs = await maker(kit, 'stranger').create(gateway)
  expect((await copy('owner', { ...body, Gateways: [{ Id: theirs.Id, SN: 'COPY00000005' }] })).StatusCode).toBe(404)
  expect((await copy('viewer', body)).StatusCode).toBe(403)
})
