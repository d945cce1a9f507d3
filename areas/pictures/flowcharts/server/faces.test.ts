import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene, type Item, type Scene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import type { Alarms, Curves, Opened } from '../contract.ts'
import type { Pulses } from './pulses.ts'
import { flowchartRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Project/Ddt/Flowchart'
const now = Date.parse('2026-03-01T12:00:00Z')
const latest = new Map<number, { time: number; value: number | null; quality: number }>()
/** No gateway is connected here: permitted writes end in this list. */
let written: unknown[][] = []
const write = async (_db: unknown, _actor: unknown, id: number, value: number, more?: object) => {
  written.push([id, value, more])
  return { Code: 0, Msg: '' } as never
}
/** Pulses have their own tests. */
const pulse: Pulses['pulse'] = async (_db, _actor, id, value, more) => {
  written.push([id, value, more])
  return { Code: 0, Msg: '' }
}
let asked: { ids: number[]; start: number; end: number; buckets: number }[] = []
const query = {
  series: async (q: (typeof asked)[number]) => {
    asked.push(q)
    return { Step: 60, Series: q.ids.map((ParaId) => ({ ParaId, Time: [q.start], Min: [1], Max: [2], Avg: [1.5] })) }
  },
}
let kit: Kit
let make: ReturnType<typeof maker>
let project: number
let [one, two, elsewhere, plain]: Row[] = []
let model: number
const target: Record<number, number> = {}
beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      pointRoutes,
      (api) => flowchartRoutes(api, { latest: latest as never, query: query as never, write, pulse, clock: () => now }),
    ],
  })
  make = maker(kit)
  model = ((await make.create(proModel)) as Row).Id
  const pump = async (DeviceName: string, more: object = {}) => {
    const made = (await make.create(devices, { DeviceName, ModelId: model, ...more })) as Row
    const { Id } = (await make.create(points, { DeviceId: made.Id, ParaName: 'Target', ReadWriteType: 1 })) as Row
    target[made.Id] = Id
    latest.set(Id, { time: now, value: 10, quality: 0 })
    return made
  }
  one = await pump('Pump 1')
  two = await pump('Pump 2', { GatewayId: one!.GatewayId })
  elsewhere = await pump('Pump 3', { GatewayId: ((await maker(kit).create(gateways)) as Row).Id })
  plain = await pump('Plain', { GatewayId: one!.GatewayId, ModelId: null })
  project = (await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${one!.GatewayId}`)).ProjectId as number
  await kit.person('operator', kit.enterprises.ours, { menus: ['m10125', 'm10125.operate'] })
})
afterAll(() => kit.close())

let count = 0
const at = { x: 0, y: 0, w: 100, h: 50 }
const scene = (items: object[], parameters: object[] = []): Scene => ({
  ...emptyScene(),
  items: items as Item[],
  parameters: parameters as never,
})
const drawn = async (of: Scene, more: object = {}, as = 'owner') => {
  const { Id } = await kit.data<Row>(as, 'POST', path, { FlowchartName: `Face ${++count}`, ProjectId: project, ...more })
  return { Id, ...(await kit.call(as, 'POST', `${path}/Save`, { Id, Scene: of })) }
}
const save = (Id: number, of: Scene) => kit.call('owner', 'POST', `${path}/Save`, { Id, Scene: of })
const publish = (Id: number) => kit.call('owner', 'POST', `${path}/Publish`, { Id })
const published = async (of: Scene, more: object = {}) => {
  const { Id } = await drawn(of, more)
  expect(await publish(Id)).toMatchObject({ StatusCode: 200 })
  return Id
}
const open = (body: object, as = 'operator') => kit.call<Opened>(as, 'POST', `/V3${path}/Detail`, body)
const act = async (body: Record<string, unknown>, as = 'operator') => {
  const { Id, Version, Item, Action, Face } = body
  const { Data } = await kit.call<{ Ticket: string; Time: number } | null>(as, 'POST', `${path}/Confirm`, {
    Id,
    Version,
    Item,
    Action,
    Face,
  })
  written = []
  return kit.call(as, 'POST', `${path}/Act`, { ...body, Ticket: Data?.Ticket ?? '', Confirmed: Data?.Time ?? now })
}
const pumpOf = (value: number) => ({ name: 'Pump', type: 'device', model, value })
const button = (more: object = {}) => ({
  kind: 'input',
  look: 'button',
  id: 'b',
  ...at,
  acts: [{ do: 'set', of: '{Pump.Target}', value: 5, ...more }],
})
const view = (picture: number, device: unknown) => ({ kind: 'view', id: 'v', picture, parameters: { Pump: device }, ...at })
const faceOf = (more: object) => ({ kind: 'text', id: 'f', text: 'F', size: 12, ...at, acts: [{ do: 'faceplate', ...more }] })

it('a picture inside shows and writes the device that is passed to it, as it was when the picture was published', async () => {
  const inner = await published(scene([button()], [pumpOf(one!.Id)]))
  const outer = await published(scene([view(inner, '{Main}')], [{ name: 'Main', type: 'device', value: two!.Id }]))
  const { Data } = await open({ Id: outer })
  expect(Data).toMatchObject({ Inside: [{ Id: inner, Version: 1 }], Still: [], Named: { '{~1.Target}': target[two!.Id] } })
  const body = { Id: outer, Version: 1, Item: 'v.b', Action: 0, Inside: [{ Id: inner, Version: 1 }] }
  expect(await act(body)).toMatchObject({ Data: { Code: 0 } })
  expect(written).toEqual([[target[two!.Id], 5, { Picture: expect.stringMatching(/^Face/) }]])
  expect((await act({ ...body, Inside: [] })).Details?.Fault).toBe('changedMeanwhile')
  expect((await act({ ...body, Parameters: [{ Name: 'Main', Value: one!.Id }] })).StatusCode).toBe(404)
  // The author of an embedded picture cannot add a write to pictures that others published.
  await save(inner, scene([button({ of: `#${target[plain!.Id]}` })], [pumpOf(one!.Id)]))
  await publish(inner)
  expect((await open({ Id: outer })).Data.Still).toEqual(['v.b'])
  expect((await act({ ...body, Inside: [{ Id: inner, Version: 2 }] })).Details?.Fields).toEqual({
    Item: [expect.stringMatching(/not part of the picture/)],
  })
  expect(written).toEqual([])
})

it('a picture inside that is foreign, not published, or contains the picture itself is refused with its place', async () => {
  const fields = async (of: Promise<{ Details?: { Fields?: object } | null }>) => Object.keys((await of).Details?.Fields ?? {})
  const draft = await drawn(scene([]))
  const inner = await published(scene([]))
  const outer = await published(scene([view(inner, 1)]))
  const place = ['Scene.v.picture']
  for (const of of [draft.Id, 999_999_999]) expect(await fields(drawn(scene([view(of, 1)])))).toEqual(place)
  expect(await fields(save(inner, scene([view(outer, 1)])))).toEqual(place)
  expect(await fields(save(inner, scene([view(inner, 1)])))).toEqual(place)
  const theirs = maker(kit, 'stranger')
  const gateway = (await theirs.create(gateways)) as Row
  const foreign = await drawn(scene([]), { ProjectId: gateway.ProjectId }, 'stranger')
  await kit.call('stranger', 'POST', `${path}/Publish`, { Id: foreign.Id })
  expect(await fields(drawn(scene([view(foreign.Id, 1)])))).toEqual(place)
  let deep = inner
  for (let i = 0; i < 3; i++) deep = await published(scene([view(deep, 1)]))
  expect(await fields(drawn(scene([view(deep, 1)])))).toEqual([])
  deep = await published(scene([view(deep, 1)]))
  expect(await fields(drawn(scene([view(deep, 1)])))).toEqual(place)
})

it('a faceplate shows the device that its symbol names: by the picture of its model, or with what every device has', async () => {
  const face = await published(scene([button()], [pumpOf(one!.Id)]), { Purpose: 1, ModelId: model })
  const outer = await published(
    scene([faceOf({ device: two!.Id }), { ...faceOf({ device: plain!.Id }), id: 'g' }, { ...faceOf({ device: 999_999 }), id: 'h' }]),
  )
  const Face = { Item: 'f', Action: 0 }
  expect((await open({ Id: outer, Face })).Data).toMatchObject({
    ...{ Flowchart: { Id: face }, Device: { Id: two!.Id, DeviceName: 'Pump 2' }, Given: { Pump: two!.Id }, Still: [] },
    Named: { '{Pump.Target}': target[two!.Id] },
  })
  expect((await open({ Id: outer, Face: { Item: 'g', Action: 0 } })).Data).toMatchObject({
    ...{ Flowchart: { Id: outer }, Device: { DeviceName: 'Plain' } },
    Scene: { items: [{ kind: 'table', reads: [`#${target[plain!.Id]}`] }] },
  })
  for (const Item of ['h', 'gone']) expect((await open({ Id: outer, Face: { Item, Action: 0 } })).StatusCode).toBe(404)
  expect((await open({ Id: outer, Face }, 'stranger')).StatusCode).toBe(404)
  const body = { Id: outer, Version: 1, Item: 'b', Action: 0, Face, Inside: [{ Id: face, Version: 1 }] }
  expect(await act(body)).toMatchObject({ Data: { Code: 0 } })
  expect(written).toEqual([[target[two!.Id], 5, expect.objectContaining({ Faceplate: expect.any(String) })]])
  expect((await act(body, 'stranger')).StatusCode).toBe(404)
  expect((await act({ ...body, Item: 'f' })).StatusCode).toBe(404)
})

it('a device without a picture of its own has that of its model, which writes to devices of its project only', async () => {
  const Id = await published(scene([button()], [pumpOf(one!.Id)]), { ModelId: model, Sort: 1 })
  const of = async (device: Row, as = 'operator') =>
    kit.call<{ Picture: object | null }>(as, 'GET', `${path}/OfDevice?DeviceId=${device.Id}`)
  expect((await of(two!)).Data).toMatchObject({ Picture: { Id, Parameter: 'Pump' } })
  expect((await of(plain!)).Data).toMatchObject({ Picture: null })
  expect((await of(two!, 'stranger')).StatusCode).toBe(404)
  const own = await published(scene([]), { DeviceId: two!.Id })
  expect((await of(two!)).Data).toMatchObject({ Picture: { Id: own, Parameter: null } })
  const body = (device: Row) => ({ Id, Version: 1, Item: 'b', Action: 0, Parameters: [{ Name: 'Pump', Value: device.Id }] })
  expect(await act(body(two!))).toMatchObject({ Data: { Code: 0 } })
  expect(written).toEqual([[target[two!.Id], 5, expect.anything()]])
  for (const device of [elsewhere!, plain!]) {
    expect((await act(body(device))).StatusCode).toBe(404)
    expect(written).toEqual([])
  }
  await kit.person('drafter', kit.enterprises.ours, { menus: ['m10125', 'm10130', 'm10130.edit'] })
  expect(await kit.call('drafter', 'PUT', path, { Id, ModelId: null })).toMatchObject({ StatusCode: 403 })
  await kit.person('publisher', kit.enterprises.ours, { menus: ['m10125', 'm10130', 'm10130.edit', 'm10130.publish'] })
  expect(await kit.call('publisher', 'PUT', path, { Id, ModelId: null })).toMatchObject({ StatusCode: 403 })
})

it('who operates chooses the device to write to, but neither the one whose state allows it nor a number of an interlock', async () => {
  const standby = { ...pumpOf(one!.Id), name: 'Standby' }
  const limit = { name: 'Limit', type: 'number', value: target[one!.Id]! }
  const guarded = button({ when: '{Standby.Target} > 50' })
  const Id = await published(scene([guarded], [pumpOf(one!.Id), standby]), { ModelId: model, Sort: 9 })
  const outcome = async (body: object) => {
    const { Details } = await act({ Version: 1, Item: 'b', Action: 0, ...body })
    expect(written).toEqual([])
    return Details?.Fields ? Object.keys(Details.Fields) : Details?.Fault
  }
  latest.set(target[two!.Id]!, { time: now, value: 60, quality: 0 })
  expect(await outcome({ Id })).toBe('interlocked')
  expect(await outcome({ Id, Parameters: [{ Name: 'Pump', Value: two!.Id }] })).toBe('interlocked')
  expect(await outcome({ Id, Parameters: [{ Name: 'Standby', Value: two!.Id }] })).toEqual(['Item'])
  // The same through a faceplate whose interlock is passed in by the enclosing picture.
  const face = await published(scene([guarded], [pumpOf(one!.Id), { ...standby, model: undefined }]), { Purpose: 1 })
  const outer = await published(
    scene([faceOf({ picture: face, device: one!.Id, parameters: { Standby: '{Other}' } })], [{ ...pumpOf(one!.Id), name: 'Other' }]),
  )
  const seen = { Id: outer, Face: { Item: 'f', Action: 0 }, Inside: [{ Id: face, Version: 1 }] }
  expect(await outcome(seen)).toBe('interlocked')
  expect(await outcome({ ...seen, Parameters: [{ Name: 'Other', Value: two!.Id }] })).toEqual(['Item'])
  // A number does not refer to the point with that Id.
  const numbered = await published(scene([button({ of: `#${target[one!.Id]}`, when: '{Limit} > 10' })], [limit]))
  expect(await act({ Id: numbered, Version: 1, Item: 'b', Action: 0 })).toMatchObject(
    limit.value > 10 ? { Data: { Code: 0 } } : { Details: { Fault: 'interlocked' } },
  )
  expect((await open({ Id: numbered })).Data).toMatchObject({ Named: {}, Withheld: [] })
  latest.set(target[two!.Id]!, { time: now, value: 10, quality: 0 })
})

it('a pulse has its value, its rest and its time, and nothing is written that is not enabled', async () => {
  const of = `#${target[one!.Id]}`
  const Id = await published(
    scene([
      { ...button({ do: 'pulse', of, value: 3, rest: 7, ms: 100 }), id: 'p' },
      { ...button({ of }), id: 'q', bind: [{ to: 'enabled', of: `${of} > 50` }] },
    ]),
  )
  expect(await act({ Id, Version: 1, Item: 'p', Action: 0 })).toMatchObject({ Data: { Code: 0 } })
  expect(written).toMatchObject([[target[one!.Id], { value: 3, rest: 7, ms: 100 }, { Picture: expect.any(String) }]])
  written = []
  expect((await act({ Id, Version: 1, Item: 'q', Action: 0 })).Details?.Fault).toBe('interlocked')
  expect(written).toEqual([])
})

it('trends and alarm lists get their data through the picture, cut to its points, without the rights of charts and alarms', async () => {
  const id = target[one!.Id]!
  const Id = await published(
    scene([
      { kind: 'trend', id: 't', reads: [`#${id}`], span: '6h', ...at },
      { kind: 'alarms', id: 'a', ...at },
    ]),
  )
  await kit.database.system.rows(sql`
    insert into alarm_info ("EnterpriseId", "ProjectId", "GatewayId", "DeviceId", "ParaId", "AlmNo", "RuleName", "Subject", "AlarmLevel", "StartTime")
    select t."EnterpriseId", ${project}, d."GatewayId", d."Id", t."Id", 'A' || t."Id", 'High ' || d."DeviceName", 'point ' || t."Id", 3, now()
    from point t join device d on d."Id" = t."DeviceId" where t."Id" = any(${[id, target[two!.Id]!]}::bigint[])`)
  asked = []
  const curves = (as = 'operator') => kit.call<Curves>(as, 'POST', `/V3${path}/Curves`, { Id })
  expect((await curves()).Data).toMatchObject([{ Span: '6h', End: now, Points: [{ ParaId: id, Low: [1], High: [2], Mean: [1.5] }] }])
  expect(asked).toMatchObject([{ ids: [id], start: now - 6 * 3_600_000, end: now, buckets: 240 }])
  const alarms = (as = 'operator') => kit.call<Alarms>(as, 'POST', `/V3${path}/Alarms`, { Id })
  expect((await alarms()).Data).toMatchObject({
    Marks: [{ ParaId: id, Level: 3, Unacknowledged: true }],
    Rows: [{ ParaId: id, DeviceName: 'Pump 1', RuleName: 'High Pump 1', Level: 3 }],
  })
  for (const call of [curves, alarms]) expect((await call('stranger')).StatusCode).toBe(404)
})
