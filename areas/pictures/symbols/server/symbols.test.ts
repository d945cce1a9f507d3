import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { flowchartRoutes } from '../../flowcharts/server/routes.ts'
import { symbolRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
type File = { Scene: { items: object[]; symbols: object[] }; Devices: object; Left: number }
const [charts, path] = ['/Project/Ddt/Flowchart', '/Project/Ddt/Symbol']
let kit: Kit
beforeAll(async () => {
  const needs = { query: undefined, latest: new Map(), write: undefined, clock: Date.now } as never
  kit = await startKit({ areas: () => [pointRoutes, (api) => flowchartRoutes(api, needs), symbolRoutes] })
})
afterAll(() => kit.close())

const drawing = (height = 40) => ({
  ...{ width: 40, height, parts: [{ role: 'body', d: `M0 0H40V${height}H0Z`, name: 'Casing', fill: '#336699' }] },
  ports: [{ id: 'in', x: 0, y: 20, side: 'left' }],
})
let count = 0
const make = (as = 'owner', Drawing: object = drawing()) => kit.data<Row>(as, 'POST', path, { SymbolName: `Mixer ${++count}`, Drawing })
const picture = async (as: string, given: object = {}) => {
  const { Id: ProjectId } = await maker(kit, as).create(projects)
  return kit.data<Row>(as, 'POST', charts, { FlowchartName: `Hall ${++count}`, ProjectId, ...given })
}
const own = ({ Id, SymbolName, Drawing }: Row) => ({ id: `own.${Id}`, name: SymbolName, drawing: Drawing })
const item = ({ Id }: Row) => ({ kind: 'symbol', id: 'm', x: 0, y: 0, w: 40, h: 40, symbol: `own.${Id}` })
const save = (as: string, Id: number, Scene: object) => kit.call(as, 'POST', `${charts}/Save`, { Id, Scene })

it('a symbol is made, listed, changed and removed', async () => {
  const { Id } = await make()
  expect(await kit.data('owner', 'GET', `${path}?Id=${Id}`)).toMatchObject({ Drawing: drawing() })
  await kit.data('owner', 'PUT', path, { Id, Drawing: drawing(60) })
  const { Items } = await kit.data<{ Items: Row[] }>('owner', 'GET', `${path}/List`)
  expect(Items).toMatchObject([{ Id, Drawing: drawing(60) }])
  expect(await kit.data('owner', 'DELETE', path, { Id })).toEqual({ Removed: 1 })
})

it.each<[string, object, string]>([
  ['a path that is none', { parts: [{ role: 'body', d: 'M0' }] }, 'Drawing.parts.0.d'],
  ['a path with a script', { parts: [{ role: 'body', d: 'M0 0L9 9"/><script>' }] }, 'Drawing'],
  ['a place beyond all', { parts: [{ role: 'body', d: `M0 0L${'9'.repeat(400)} 0` }] }, 'Drawing.parts.0.d'],
  ['a role that is none', { parts: [{ role: 'script', d: 'M0 0L9 9' }] }, 'Drawing'],
  ['a colour that is text', { parts: [{ role: 'body', d: 'M0 0L9 9', fill: 'url(#x)' }] }, 'Drawing'],
  ['a field that is none of ours', { style: 'x' }, 'Drawing'],
  ['two connections of one name', { ports: [drawing().ports[0], drawing().ports[0]] }, 'Drawing.ports'],
  [
    'more text than a symbol has',
    { parts: Array.from({ length: 3 }, () => ({ role: 'line', d: `M0 0${'L1 1'.repeat(5000)}` })) },
    'Drawing.parts',
  ],
])('is refused with %s', async (_, wrong, field) => {
  const answer = await kit.call<unknown>('owner', 'POST', path, { SymbolName: 'Wrong', Drawing: { ...drawing(), ...wrong } })
  expect(answer.StatusCode).toBe(400)
  expect(Object.keys((answer.Details as { Fields: object }).Fields).join()).toContain(field)
})

it('a picture carries its own symbols, and one that is drawn with stays', async () => {
  const symbol = await make()
  const { Id } = await picture('owner')
  expect(await save('owner', Id, { ...emptyScene(), items: [item(symbol)] })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Scene.m.symbol': [expect.stringContaining(`own.${symbol.Id}`)] } },
  })
  const broken = { ...own(symbol), drawing: { ...drawing(), parts: [{ role: 'body', d: 'M0' }] } }
  expect(await save('owner', Id, { ...emptyScene(), items: [], symbols: [broken] })).toMatchObject({ StatusCode: 400 })
  const pipe = (port: string) => ({ kind: 'pipe', id: 'p', x: 0, y: 0, w: 0, h: 0, from: { item: 'm', port }, to: { x: 9, y: 9 } })
  const scene = (port: string) => ({ ...emptyScene(), items: [item(symbol), pipe(port)], symbols: [own(symbol)] })
  expect(await save('owner', Id, scene('out'))).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Scene.p.from': [expect.anything()] } },
  })
  expect(await save('owner', Id, scene('in'))).toMatchObject({ StatusCode: 200 })
  const used = { StatusCode: 409, Details: { UsedBy: [{ Resource: 'flowchart', Id }] } }
  expect(await kit.call('owner', 'DELETE', path, { Id: symbol.Id })).toMatchObject(used)
  await kit.data('owner', 'POST', `${charts}/Publish`, { Id })
  await save('owner', Id, emptyScene())
  expect(await kit.call('owner', 'DELETE', path, { Id: symbol.Id })).toMatchObject(used)
  await kit.data('owner', 'POST', `${charts}/Publish`, { Id })
  expect(await kit.data('owner', 'DELETE', path, { Id: symbol.Id })).toEqual({ Removed: 1 })
})

it('another company neither sees nor removes a symbol, nor holds it by naming it', async () => {
  const symbol = await make()
  const { Id } = await picture('stranger')
  await save('stranger', Id, { ...emptyScene(), items: [item(symbol)], symbols: [own(symbol)] })
  expect(await kit.call('stranger', 'DELETE', path, { Id: symbol.Id })).toMatchObject({ StatusCode: 404 })
  expect(await kit.data('owner', 'DELETE', path, { Id: symbol.Id })).toEqual({ Removed: 1 })
})

it('symbols of a file are taken once, under names that are free', async () => {
  const SymbolName = 'Agitator'
  const Symbols = [{ SymbolName, Drawing: drawing(71) }]
  const take = (as: string, of: object[]) => kit.data<Row[]>(as, 'POST', `${path}/FromFile`, { Symbols: of })
  const [first] = await take('owner', Symbols)
  expect(first).toMatchObject({ SymbolName, Made: true })
  expect(await take('owner', Symbols)).toEqual([{ ...first, Made: false }])
  expect(await take('owner', [{ SymbolName, Drawing: drawing(72) }])).toMatchObject([{ SymbolName: 'Agitator (2)', Made: true }])
  expect(await take('stranger', Symbols)).toMatchObject([{ SymbolName, Made: true }])
})

it('a picture goes to another company as a file: with its symbols, its points by name, and nothing that names its own', async () => {
  const pump = (await maker(kit).create(devices, { DeviceName: 'Pump 1' })) as Row
  const speed = (await maker(kit).create(points, { DeviceId: pump.Id, ParaName: 'Speed' })) as Row
  const symbol = await make('owner', drawing(73))
  const there = await picture('owner')
  const value = (id: string, more: object) => ({ kind: 'value', id, x: 0, y: 0, w: 80, h: 30, size: 16, of: `#${speed.Id}`, ...more })
  const items = [item(symbol), value('v', {}), value('w', { acts: [{ do: 'open', picture: there.Id }] })]
  const image = { kind: 'image', id: 'i', x: 0, y: 0, w: 9, h: 9, file: `files/1/${'a'.repeat(32)}.png` }
  expect(await save('owner', there.Id, { ...emptyScene(), items: [...items, image], symbols: [own(symbol)] })).toMatchObject({
    StatusCode: 200,
  })
  const file = await kit.data<File>('owner', 'GET', `${charts}/File?Id=${there.Id}`)
  expect(file).toMatchObject({
    Devices: { 'Pump 1': 'Pump 1' },
    Left: 2,
    Scene: { items: [{}, { of: '{Pump 1.Speed}' }, { of: '{Pump 1.Speed}' }] },
  })
  expect(JSON.stringify(file)).not.toMatch(new RegExp(`#${speed.Id}|"value":${pump.Id}|"picture"|files/`))
  const theirs = (await maker(kit, 'stranger').create(devices, { DeviceName: 'Pump 1' })) as Row
  const theirPoint = (await maker(kit, 'stranger').create(points, { DeviceId: theirs.Id, ParaName: 'Speed' })) as Row
  const { ProjectId } = await kit.data<Row>('stranger', 'GET', `/Project/Gateway?Id=${theirs.GatewayId}`)
  const take = (File: object, more: object = {}) => kit.call<Row>('stranger', 'POST', `${charts}/FromFile`, { ProjectId, File, ...more })
  const { Data } = await take(file)
  expect(Data).toMatchObject({ Open: [], Symbols: 1 })
  const open = (Id: number) =>
    kit.data<{ Scene: File['Scene']; Named: object }>('stranger', 'POST', `/V3${charts}/Detail`, { Id, Draft: true })
  const made = await open(Data.Id)
  expect(made.Named).toEqual({ '{Pump 1.Speed}': theirPoint.Id })
  expect(made.Scene.symbols).toMatchObject([{ id: expect.not.stringMatching(`own.${symbol.Id}$`), drawing: drawing(73) }])
  // Import again: the same symbols, under an unused name.
  expect((await take(file)).Data).toMatchObject({ FlowchartName: expect.stringMatching(/\(2\)$/), Symbols: 0 })
  expect((await take({ ...file, Devices: { 'Pump 1': 'Another' } })).Data).toMatchObject({ Open: ['Pump 1'] })
  // A forged file refers to points and devices of the other company.
  const forged = {
    ...file,
    Scene: { ...file.Scene, items: [value('v', {})], parameters: [{ name: 'Pump 1', type: 'device', value: pump.Id }] },
  }
  expect(await take(forged)).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Scene.v.of': [expect.anything()] } } })
  const byName = { ...forged.Scene, items: [value('v', { of: '{Pump 1.Speed}' })] }
  const blank = await take({ ...file, Devices: {}, Scene: byName })
  expect((await open(blank.Data.Id)).Named).toEqual({})
  const { Id: hidden } = await maker(kit).create(projects)
  expect(await take(file, { ProjectId: hidden })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { ProjectId: [expect.anything()] } },
  })
})
