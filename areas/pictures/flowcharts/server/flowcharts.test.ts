import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { emptyScene, type Item, type Scene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import type { HistoryRow, Opened, Published } from '../contract.ts'
import { flowchartRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Project/Ddt/Flowchart'
const now = Date.parse('2026-03-01T12:00:00Z')
const latest = new Map<number, { time: number; value: number | null; quality: number }>()
/** No gateway is connected here: permitted writes end in this list. */
const written: unknown[] = []
const write = async (_db: unknown, _actor: unknown, id: number, value: number, more?: object) => {
  written.push([id, value, more])
  return { Code: 0, Msg: '' } as never
}
let kit: Kit
let make: ReturnType<typeof maker>
let pump: { device: Row; speed: Row; foreign: Row }
beforeAll(async () => {
  kit = await startKit({
    areas: () => [pointRoutes, (api) => flowchartRoutes(api, { latest, write, clock: () => now } as never)],
  })
  make = maker(kit)
  const device = (await make.create(devices, { DeviceName: 'Pump 1' })) as Row
  const speed = (await make.create(points, { DeviceId: device.Id, ParaName: 'Speed', ReadWriteType: 0 })) as Row
  const foreign = (await maker(kit, 'stranger').create(points, { ParaName: 'Theirs' })) as Row
  pump = { device, speed, foreign }
})
afterAll(() => kit.close())

let count = 0
const picture = async (given: object = {}) => {
  const { ProjectId } = await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${pump.device.GatewayId}`)
  return kit.data<Row>('owner', 'POST', path, { FlowchartName: `Station ${++count}`, ProjectId, ...given })
}
const value = (of: string, more: object = {}): Item => ({ kind: 'value', id: 'speed', x: 0, y: 0, w: 80, h: 30, of, size: 16, ...more })
const scene = (...items: unknown[]): Scene => ({ ...emptyScene(), items: items as Item[] })
const save = (Id: number, Scene: unknown, more: object = {}) =>
  kit.call<{ Stamp: number }>('owner', 'POST', `${path}/Save`, { Id, Scene, ...more })
const open = (Id: number, more: object = {}, as = 'owner') => kit.call<Opened>(as, 'POST', `/V3${path}/Detail`, { Id, ...more })
/** The body of a request after a confirmation. */
const confirm = async ({ Id, Version, Item, Action }: Record<string, unknown>, as: string) => {
  const { Data } = await kit.call<{ Ticket: string; Time: number } | null>(as, 'POST', `${path}/Confirm`, { Id, Version, Item, Action })
  return { Ticket: Data?.Ticket ?? '', Confirmed: Data?.Time ?? now }
}
const publish = (Id: number, more: object = {}) => kit.call<{ Version: number }>('owner', 'POST', `${path}/Publish`, { Id, ...more })

it('[flowchart-publish] a picture is published, published again, held at a version, withdrawn', async () => {
  const { Id, ProjectId } = await picture()
  const shown = () => kit.data<Published[]>('owner', 'GET', `${path}?ProjectId=${ProjectId}&PlatformType=1`)
  expect([await shown(), (await open(Id)).StatusCode]).toEqual([[], 404])
  await save(Id, scene(value(`#${pump.speed.Id}`)))
  expect((await publish(Id, { Note: 'First' })).Data).toEqual({ Version: 1 })
  expect(await shown()).toMatchObject([{ Id, State: 1, Version: 1, HasChanges: 0, Path: `/projectDetailsManagement/flowChart/${Id}` }])
  await save(Id, scene(value(`#${pump.speed.Id}`, { x: 40 }), { kind: 'symbol', id: 'p', x: 0, y: 0, w: 40, h: 40, symbol: 'pump.pump' }))
  expect((await open(Id)).Data).toMatchObject({ Version: 1, Flowchart: { HasChanges: 1 }, Scene: { items: [{ x: 0 }] } })
  await publish(Id)
  const { Items } = await kit.data<Page<HistoryRow>>('owner', 'GET', `${path}/HistoryList?Id=${Id}`)
  expect(Items).toMatchObject([
    {
      ...{ Version: 2, Items: 2, Points: 1, Note: null },
      Changes: [
        { Kind: 'value', Change: 'moved', Count: 1 },
        { Kind: 'symbol', Change: 'added', Count: 1 },
      ],
    },
    { Version: 1, Note: 'First' },
  ])
  expect(await kit.call('owner', 'PUT', path, { Id, VersionMode: 1, VersionNo: 3 })).toMatchObject({ StatusCode: 400 })
  await kit.data('owner', 'PUT', path, { Id, VersionMode: 1, VersionNo: 1 })
  expect((await open(Id)).Data).toMatchObject({ Version: 1, Scene: { items: [{ x: 0 }] } })
  await kit.data('owner', 'POST', `${path}/RestoreVersion`, { Id, Version: 1 })
  expect((await open(Id, { Draft: true })).Data).toMatchObject({ Version: 0, Scene: { items: [{ x: 0 }] }, Flowchart: { HasChanges: 1 } })
  await kit.data('owner', 'POST', `${path}/CancelPublish`, { Id })
  expect([await shown(), (await open(Id)).StatusCode]).toEqual([[], 404])
  expect(await kit.call('owner', 'POST', `${path}/CancelPublish`, { Id })).toMatchObject({ StatusCode: 409 })
})

it('opens with the points that it names, and what they say now', async () => {
  const { Id } = await picture()
  latest.set(pump.speed.Id, { time: now, value: 1450, quality: 0 })
  const parameters = [{ name: 'Pump', type: 'device', value: pump.device.Id }]
  await save(Id, { ...scene(value('{Pump.Speed} / 2'), value('{Other.Level}', { id: 'gone' })), parameters })
  const { Data } = await open(Id, { Draft: true })
  expect(Data).toMatchObject({
    Points: [{ ParaId: pump.speed.Id, ParaName: 'Speed', DeviceName: 'Pump 1' }],
    Named: { '{Pump.Speed}': pump.speed.Id },
    Values: [{ ParaId: pump.speed.Id, Value: 1450, Time: now }],
  })
  const other = await open(Id, { Draft: true, Parameters: [{ Name: 'Pump', Value: 999_999 }] })
  expect(other.Data).toMatchObject({ Points: [], Named: {}, Withheld: ['{Pump.Speed}', '{Other.Level}'] })
})

it('names the item that reads a point of somebody else, and stores nothing', async () => {
  const { Id } = await picture()
  for (const id of [pump.foreign.Id, 999_999_999])
    expect(await save(Id, scene(value(`#${id} + 1`)))).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { 'Scene.speed.of': [expect.stringMatching(/does not exist, or you have no access/)] } },
    })
  expect((await open(Id, { Draft: true })).Data.Scene).toMatchObject({ items: [] })
})

it('names an item that writes a point which cannot be written, when it is published', async () => {
  const { Id } = await picture()
  await save(Id, scene(value('1', { acts: [{ do: 'set', of: `#${pump.speed.Id}`, value: 3 }] })))
  expect(await publish(Id)).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Scene.speed.acts.0.of': [expect.any(String)] } } })
})

it('who may not write points publishes no picture that writes them', async () => {
  await kit.person('drawer', kit.enterprises.ours, { menus: ['m10125', 'm10125.operate', 'm10130', 'm10130.edit', 'm10130.publish'] })
  const target = (await make.create(points, { DeviceId: pump.device.Id, ParaName: 'Valve', ReadWriteType: 1 })) as Row
  const { Id } = await picture()
  const as = (call: string, body: object) => kit.call('drawer', 'POST', `${path}/${call}`, { Id, ...body })
  await as('Save', { Scene: scene(value('1', { acts: [{ do: 'set', of: `#${target.Id}` }] })) })
  expect(await as('Publish', {})).toMatchObject({ StatusCode: 403 })
  await as('Save', { Scene: scene(value('1')) })
  expect(await as('Publish', {})).toMatchObject({ StatusCode: 200 })
})

it('who may not publish holds viewers at no other version', async () => {
  const { Id } = await picture()
  await publish(Id)
  await publish(Id)
  await kit.person('sketcher', kit.enterprises.ours, { menus: ['m10125', 'm10130', 'm10130.edit'] })
  const put = (more: object) => kit.call('sketcher', 'PUT', path, { Id, ...more })
  expect(await put({ VersionMode: 1, VersionNo: 1 })).toMatchObject({ StatusCode: 403 })
  expect(await put({ VersionMode: 0, Remark: 'Hall 2' })).toMatchObject({ StatusCode: 200 })
})

it('writes what the published version says, within its range and under its interlock, and nothing else', async () => {
  const point = async (ParaName: string, more: object = {}) =>
    (await make.create(points, { DeviceId: pump.device.Id, ParaName, ...more })) as Row
  const [target, lock] = [await point('Set point', { ReadWriteType: 1 }), await point('Enabled')]
  const { Id } = await picture()
  const set = { do: 'set', of: `#${target.Id}`, low: 0, high: 60, when: `#${lock.Id} = 1`, reason: true }
  await save(Id, scene(value('1', { acts: [set, { do: 'toggle', of: `#${target.Id}` }, { do: 'link', path: '/alarms' }] })))
  await publish(Id)
  await kit.person('operator', kit.enterprises.ours, { menus: ['m10125', 'm10125.operate'] })
  await kit.person('onlooker', kit.enterprises.ours, { menus: ['m10125'] })
  const act = async (more: object = {}, as = 'operator') => {
    const asked = { Id, Version: 1, Item: 'speed', Action: 0, ...more }
    return kit.call(as, 'POST', `${path}/Act`, { ...asked, Value: 42, Reason: 'Shift change', ...more, ...(await confirm(asked, as)) })
  }
  const set1 = (id: number, number: number, time = now) => latest.set(id, { time, value: number, quality: 0 })
  const before = written.length
  // The interlock has no value, then a stale one, then a different one.
  expect((await act()).Details?.Fault).toBe('interlocked')
  set1(lock.Id, 1, now - 3_600_000)
  expect((await act()).Details?.Fault).toBe('interlocked')
  set1(lock.Id, 0)
  expect((await act()).Details?.Fault).toBe('interlocked')
  set1(lock.Id, 1)
  expect((await act({ Value: 61 })).Details?.Fields).toHaveProperty('Value')
  expect((await act({ Reason: ' ' })).Details?.Fields).toHaveProperty('Reason')
  expect((await act({ Version: 2 })).Details?.Fault).toBe('changedMeanwhile')
  expect((await act({ Action: 1 })).Details?.Fields).toHaveProperty('Value')
  for (const more of [{ Item: 'gone' }, { Action: 2 }, { Action: 9 }]) expect((await act(more)).StatusCode).toBe(404)
  expect((await act({}, 'onlooker')).StatusCode).toBe(403)
  expect((await act({}, 'stranger')).StatusCode).toBe(404)
  expect(written.length).toBe(before)
  expect(await act()).toMatchObject({ Succeeded: true, Data: { Code: 0 } })
  expect(written.at(-1)).toEqual([target.Id, 42, { Picture: expect.stringMatching(/^Station/), Reason: 'Shift change' }])
  const asked = { Id, Version: 1, Item: 'speed', Action: 1 }
  set1(target.Id, 1)
  const confirmed = await confirm(asked, 'operator')
  const again = (more: object = {}) => kit.call('operator', 'POST', `${path}/Act`, { ...asked, ...confirmed, ...more })
  const others = await confirm(asked, 'owner')
  for (const more of [others, { Confirmed: now - 11_000 }]) expect((await again(more)).Details?.Fault).toBe('confirmAgain')
  expect(written.length).toBe(before + 1)
  expect([await act({ Action: 1 }), written.at(-1)]).toMatchObject([{}, [target.Id, 0, {}]])
})

it('who operates writes to the devices of the published version, and an interlock holds while nobody knows of an alarm', async () => {
  const point = async (ParaName: string, of = pump.device.Id) =>
    (await make.create(points, { DeviceId: of, ParaName, ReadWriteType: 1 })) as Row
  const other = (await make.create(devices, { DeviceName: 'Pump 2' })) as Row
  const [target, stop, unwatched, elsewhere] = [
    await point('Target'),
    await point('Stop'),
    await point('Dry'),
    await point('Target', other.Id),
  ]
  const { Id } = await picture()
  const acts = [`alarm({Pump.Stop}) = 0`, `alarm(#${unwatched.Id}) = 0`].map((when) => ({ do: 'set', of: '{Pump.Target}', value: 5, when }))
  const parameters = (value: number) => [{ name: 'Pump', type: 'device', value }]
  await save(Id, {
    ...scene(value('1', { acts: [...acts, { do: 'set', of: '{Any}', value: 6 }] })),
    parameters: parameters(pump.device.Id),
  })
  expect((await publish(Id)).Details?.Fields).toEqual({ 'Scene.speed.acts.2.of': [expect.stringMatching(/does not exist/)] })
  await save(Id, { ...scene(value('1', { acts })), parameters: parameters(999_999_999) })
  expect((await publish(Id)).Details?.Fields).toHaveProperty('Scene.speed.acts.0.of')
  await save(Id, { ...scene(value('1', { acts })), parameters: parameters(pump.device.Id) })
  await publish(Id)
  await kit.person('stoker', kit.enterprises.ours, { menus: ['m10125', 'm10125.operate'] })
  const act = async (Action: number, device: number) => {
    const asked = { Id, Version: 1, Item: 'speed', Action }
    const given = { ...asked, Parameters: [{ Name: 'Pump', Value: device }], ...(await confirm(asked, 'stoker')) }
    return kit.call('stoker', 'POST', `${path}/Act`, given)
  }
  latest.set(stop.Id, { time: now, value: 1, quality: 0 })
  const before = written.length
  expect((await act(0, other.Id)).StatusCode).toBe(404)
  expect(written.length).toBe(before)
  await act(0, pump.device.Id)
  expect(written.at(-1)).toMatchObject([target.Id, 5, {}])
  expect(JSON.stringify(written)).not.toContain(`[${elsewhere.Id},`)
  expect((await act(1, pump.device.Id)).Details?.Fault).toBe('interlocked')
})

it('a change that was made from an older draft is refused, and one beside somebody who edits', async () => {
  const { Id } = await picture()
  const { Data } = await save(Id, scene(value('1')))
  expect((await save(Id, scene(value('2')), { Stamp: Data.Stamp })).Data).toEqual({ Stamp: Data.Stamp + 1 })
  expect(await save(Id, scene(value('3')), { Stamp: Data.Stamp })).toMatchObject({
    StatusCode: 409,
    Details: { Fault: 'changedMeanwhile', Current: { Stamp: Data.Stamp + 1 } },
  })
  const lease = (more: object = {}, as = 'owner') => kit.call<object>(as, 'POST', `${path}/Lease`, { Id, ...more })
  await kit.person('colleague', kit.enterprises.ours)
  expect((await lease({}, 'colleague')).Data).toMatchObject({ Mine: true })
  expect((await lease()).Data).toMatchObject({ Mine: false, UserName: 'colleague' })
  expect(await save(Id, scene())).toMatchObject({ StatusCode: 409, Errors: expect.stringMatching(/colleague is editing/) })
  expect((await lease({ Take: true })).Data).toMatchObject({ Mine: true })
  expect(await save(Id, scene())).toMatchObject({ StatusCode: 200 })
  expect((await lease({}, 'colleague')).Data).toMatchObject({ Mine: false, UserName: 'owner' })
  await lease({ Release: true })
  expect((await lease({}, 'colleague')).Data).toMatchObject({ Mine: true })
})

it('a drawing of 2 MB is stored, and one of more than 4 MB refused', async () => {
  const { Id } = await picture()
  const of = (count: number) =>
    scene(
      ...Array.from({ length: count }, (_, i) => ({ kind: 'text', id: `t${i}`, x: 0, y: 0, w: 1, h: 1, size: 12, text: 'x'.repeat(450) })),
    )
  expect((await save(Id, of(4000))).StatusCode).toBe(200)
  expect((await save(Id, of(8050))).StatusCode).toBe(400)
  expect((await save(Id, of(9900))).StatusCode).toBe(413)
})

it('who only looks sees published pictures, and neither drafts nor versions', async () => {
  await kit.person('looker', kit.enterprises.ours, { menus: ['m10125'] })
  const { Id } = await picture()
  await save(Id, scene(value(`#${pump.speed.Id}`)))
  expect((await open(Id, {}, 'looker')).StatusCode).toBe(404)
  await publish(Id)
  expect((await open(Id, {}, 'looker')).Data).toMatchObject({ Version: 1, Points: [{ ParaId: pump.speed.Id }] })
  for (const more of [{ Draft: true }, { Version: 1 }]) expect((await open(Id, more, 'looker')).StatusCode).toBe(403)
})

it.each([
  ['an unknown field', scene(value('1', { onclick: 'alert(1)' })), 'Scene.speed.onclick'],
  ['an unknown kind', scene({ kind: 'script', id: 'x' }), 'Scene.x.kind'],
  ['a number that is none', scene(value('1', { x: 1e308 })), 'Scene.speed.x'],
  ['a missing field', scene({ kind: 'text', id: 'x', x: 0, y: 0, w: 1, h: 1, size: 12 }), 'Scene.x.text'],
  ['an address outside', scene(value('1', { acts: [{ do: 'link', path: '//evil.example' }] })), 'Scene.speed.acts.0.path'],
  [
    'one that a browser reads as outside',
    scene(value('1', { acts: [{ do: 'link', path: '/\t/evil.example' }] })),
    'Scene.speed.acts.0.path',
  ],
  ['an expression of brackets', scene(value('('.repeat(900))), 'Scene.speed.of'],
  ['a group in itself', scene({ kind: 'group', id: 'g', in: 'g', x: 0, y: 0, w: 1, h: 1 }), 'Scene.g.in'],
  ['two items of one ID', scene(value('1'), value('2')), 'Scene.speed.id'],
  [
    'groups 33 deep',
    scene(
      ...Array.from({ length: 34 }, (_, i) => ({ kind: 'group', id: `g${i}`, ...(i ? { in: `g${i - 1}` } : {}), x: 0, y: 0, w: 1, h: 1 })),
    ),
    'Scene.g33.in',
  ],
  [
    'a pipe to a port that is missing',
    scene(value('1'), { kind: 'pipe', id: 'p', x: 0, y: 0, w: 0, h: 0, from: { item: 'speed', port: 'nose' }, to: { x: 1, y: 1 } }),
    'Scene.p.from',
  ],
  [
    'more expressions than are parsed in one go',
    scene(...Array.from({ length: 310 }, (_, i) => value(`1${' '.repeat(998)}+`, { id: `v${i}` }))),
    'Scene.items',
  ],
  ['10,001 items', scene(...Array.from({ length: 10_001 }, () => 0)), 'Scene.items'],
  ['another version', { ...scene(), v: 2 }, 'Scene.v'],
  ['no scene', [], 'Scene'],
])('%s is refused with its place', async (_, given, field) => {
  const { Id } = await picture()
  const { StatusCode, Details } = await save(Id, given)
  expect([StatusCode, Object.keys(Details?.Fields ?? {})[0]]).toEqual([400, field])
})
