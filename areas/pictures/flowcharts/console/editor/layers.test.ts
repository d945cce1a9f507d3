import { expect, it } from 'vitest'
import { paintScene } from '../../../../../contract/picture/paint.ts'
import { emptyScene, type Item, type Scene } from '../../../../../contract/picture/scene.ts'
import { svgText } from '../../../../../contract/picture/tree.ts'
import { brushFor } from '../../brush.ts'
import { boundsOfAll, move, order, remove } from './changes.ts'
import { errorsOf, knownOf } from './findings.ts'
import { addLayer, isFree, orderLayer, removeLayer, setLayer, toLayer } from './layers.ts'

const box = (id: string, more: Partial<Item> = {}): Item =>
  ({ kind: 'shape', shape: 'rectangle', id, x: 0, y: 0, w: 10, h: 10, ...more }) as Item
const scene = (...items: Item[]): Scene => ({ ...emptyScene(), items })
const ids = (...of: string[]) => new Set(of)
const painted = (of: Scene) =>
  [...svgText(paintScene(of, () => ({}), brushFor(of, new Map(), 'en'))).matchAll(/data-item="(\w+)"/g)].map(([, id]) => id)

it('what lies on a layer is drawn in front of what lies on those behind it', () => {
  const one = addLayer(scene(box('a'), box('b'), box('c')), 'One')
  const two = addLayer(one.scene, 'Two')
  const on = toLayer(toLayer(two.scene, ids('a'), two.id), ids('b'), one.id)
  expect(painted(on)).toEqual(['c', 'b', 'a'])
  expect(painted(orderLayer(on, two.id, -1))).toEqual(['c', 'a', 'b'])
  expect(painted(setLayer(on, one.id, { hidden: true }))).toEqual(['c', 'a'])
  expect(removeLayer(on, two.id).items[0]).not.toHaveProperty('layer')
  expect(removeLayer(removeLayer(on, two.id), one.id)).not.toHaveProperty('layers')
})

it('what is locked, by itself, its layer or its group, is neither taken, moved nor removed', () => {
  const made = addLayer(
    scene(box('a'), { kind: 'group', id: 'g', x: 0, y: 0, w: 0, h: 0, locked: true }, box('b', { in: 'g' }), box('c')),
    'One',
  )
  const locked = setLayer(toLayer(made.scene, ids('a'), made.id), made.id, { locked: true })
  expect(['a', 'b', 'g', 'c'].map((id) => isFree(locked, id))).toEqual([false, false, false, true])
  expect([...boundsOfAll(locked, new Map()).keys()]).toEqual(['c'])
  expect(move(locked, ids('a', 'b', 'c'), 5, 0).items.map(({ x }) => x)).toEqual([0, 0, 0, 5])
  expect(remove(locked, ids('a', 'g', 'c')).items.map(({ id }) => id)).toEqual(['a', 'g', 'b'])
})

it('an item goes one step to the front or back, past its neighbour', () => {
  const of = (to: 'forward' | 'backward', ...which: string[]) =>
    order(scene(box('a'), box('b'), box('c')), ids(...which), to).items.map(({ id }) => id)
  expect(of('forward', 'a')).toEqual(['b', 'a', 'c'])
  expect(of('forward', 'c')).toEqual(['a', 'b', 'c'])
  expect(of('forward', 'a', 'b')).toEqual(['c', 'a', 'b'])
  expect(of('backward', 'c')).toEqual(['a', 'c', 'b'])
})

it('items whose points are gone are named, and those of a parameter without a device are not', () => {
  const value = (id: string, of: string): Item => ({ kind: 'value', id, of, size: 10, x: 0, y: 0, w: 10, h: 10 })
  const known = knownOf([{ ParaId: 1, ParaName: 'Speed', DeviceId: 7 }], [2])
  const bound = {
    ...scene(value('a', '#1 + #2'), value('b', '#3'), value('c', '{Pump.Speed}'), value('d', '{Pump.Level}'), value('e', '{Fan.Speed}')),
  }
  const parameters = [
    { name: 'Pump', type: 'device' as const, value: 7 },
    { name: 'Fan', type: 'device' as const },
  ]
  expect(errorsOf({ ...bound, parameters }, new Map(), known).map(({ item }) => item)).toEqual(['b', 'd'])
  expect(errorsOf(scene(value('a', '1 +')), new Map(), undefined)).toMatchObject([{ item: 'a', rule: 'expression.ended', isError: true }])
})
