import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene, type Item, mostItems, type Scene } from '../../../../contract/picture/scene.ts'
import { patchOf, type ScenePatch } from '../../../../contract/picture/scenePatch.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { flowchartRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Project/Ddt/Flowchart'
let kit: Kit
let Id: number
beforeAll(async () => {
  const needs = { query: undefined, latest: new Map(), write: undefined, clock: Date.now } as never
  kit = await startKit({ areas: () => [pointRoutes, (api) => flowchartRoutes(api, needs)] })
  const { Id: ProjectId } = await maker(kit).create(projects)
  Id = (await kit.data<Row>('owner', 'POST', path, { FlowchartName: 'Hall', ProjectId })).Id
})
afterAll(() => kit.close())

const item = (id: string, more: object = {}) => ({ kind: 'value', id, x: 0, y: 0, w: 80, h: 30, size: 16, of: '1', ...more }) as Item
const scene = (...items: Item[]): Scene => ({ ...emptyScene(), items })
const draft = () => kit.data<{ Scene: Scene; Stamp: number }>('owner', 'POST', `/V3${path}/Detail`, { Id, Draft: true })
const save = (more: object, as = 'owner') => kit.call<{ Stamp: number }>(as, 'POST', `${path}/Save`, { Id, ...more })

it('a patch of the latest draft is saved, and one of an older draft is not', async () => {
  const first = scene(item('a'), item('b'))
  const { Stamp } = (await save({ Scene: first })).Data
  const next = { ...first, width: 900, items: [item('c'), item('a', { x: 40 })] }
  const Patch = patchOf(first, next)
  expect((await save({ Patch, Stamp })).Data).toEqual({ Stamp: Stamp + 1 })
  expect((await draft()).Scene).toEqual(next)
  expect(await save({ Patch, Stamp })).toMatchObject({
    StatusCode: 409,
    Details: { Fault: 'changedMeanwhile', Current: { Stamp: Stamp + 1 } },
  })
  expect(await save({ Patch, Stamp }, 'stranger')).toMatchObject({ StatusCode: 404 })
})

it.each<[string, () => ScenePatch | Promise<ScenePatch>, string]>([
  ['an item that is none', () => ({ Items: [{ ...item('x'), evil: 1 }] }), 'Scene.x.evil'],
  ['an item without a name', () => ({ Items: [{}] }), 'Scene.items.1.kind'],
  ['a frame that is none', () => ({ Frame: { v: 1, width: 1, height: 100 } }), 'Scene.width'],
  ['a frame with a prototype', () => ({ Frame: { ...emptyScene(), items: [item('y')], script: 'x' } }), 'Scene.script'],
  ['an order that forgets', () => ({ Order: [] }), 'Patch.Order'],
  [
    'a pipe to nothing',
    () => ({
      Items: [{ ...item('p'), kind: 'pipe', of: undefined, size: undefined, from: { item: 'q', port: 'in' }, to: { x: 1, y: 1 } }],
    }),
    'Scene.p.from',
  ],
  ['too many items together', () => ({ Items: Array.from({ length: mostItems }, (_, i) => item(`m${i}`)) }), 'Scene.items'],
  [
    'a point of somebody else',
    async () => ({ Items: [item('x', { of: `#${((await maker(kit, 'stranger').create(points)) as Row).Id}` })] }),
    'Scene.x.of',
  ],
])('the whole is judged: a patch with %s is refused, and nothing is stored', async (_, make, field) => {
  const { Stamp } = (await save({ Scene: scene(item('a')) })).Data
  const answer = await save({ Patch: await make(), Stamp })
  expect(answer.StatusCode).toBe(400)
  expect(Object.keys((answer.Details as { Fields: object }).Fields)).toContain(field)
  expect(await draft()).toMatchObject({ Stamp, Scene: { items: [item('a')] } })
})

it('a patch without the stamp of its draft, and a save of nothing, are refused', async () => {
  expect(await save({ Patch: {} })).toMatchObject({ StatusCode: 400, Details: { Fields: { Stamp: [expect.anything()] } } })
  expect(await save({})).toMatchObject({ StatusCode: 400, Details: { Fields: { Scene: [expect.anything()] } } })
})
