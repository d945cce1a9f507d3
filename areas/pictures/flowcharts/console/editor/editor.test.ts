import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyScene, type Item, type Scene } from '../../../../../contract/picture/scene.ts'
import { loadSymbols } from '../../../../../contract/picture/symbols/index.ts'
import { pulled } from './bends.ts'
import { align, boundsOf, connect, copy, distribute, group, move, order, outermost, remove, resize, set, ungroup } from './changes.ts'
import { begin, redo, sceneOf, take, undo } from './history.ts'
import { snap } from './snap.ts'

const symbols = await loadSymbols(['pump.pump', 'vessel.tank'])
const pump = (id: string, x: number, y = 0): Item => ({
  kind: 'symbol',
  id,
  symbol: 'pump.pump',
  x,
  y,
  w: 40,
  h: 40,
  bind: [{ to: 'running', of: '#1' }],
})
const scene = (...items: Item[]): Scene => ({ ...emptyScene(), items })
const ids = (...of: string[]) => new Set(of)
const three = scene(pump('a', 0), pump('b', 100, 10), pump('c', 300, 50))

it('what is removed takes its pipes along', () => {
  const piped = connect(three, { item: 'a', port: 'right' }, { item: 'b', port: 'left' }).scene
  expect(remove(piped, ids('a')).items.map(({ id }) => id)).toEqual(['b', 'c'])
})

it('a copy keeps what it shows, and pipes between the copied', () => {
  const piped = connect(three, { item: 'a', port: 'right' }, { item: 'b', port: 'left' })
  const { scene: both, made } = copy(piped.scene, piped.scene, ids('a', 'b', piped.id), 0, 200)
  const copies = both.items.filter(({ id }) => made.has(id))
  expect(copies).toMatchObject([
    { symbol: 'pump.pump', y: 200, bind: [{ of: '#1' }] },
    { symbol: 'pump.pump', y: 210 },
    { kind: 'pipe', from: { item: copies[0]!.id }, to: { item: copies[1]!.id } },
  ])
})

it('a group is moved as one, and falls apart where it was', () => {
  const { scene: grouped, id } = group(three, ids('a', 'b'), symbols)!
  expect(outermost(grouped, 'a')).toBe(id)
  const moved = move(grouped, ids(id), 10, 20)
  expect(boundsOf(moved, ids(id), symbols)).toEqual({ x: 10, y: 20, w: 140, h: 50 })
  expect(ungroup(moved, ids(id)).items.map(({ x, y, in: group }) => [x, y, group])).toEqual([
    [10, 20, undefined],
    [110, 30, undefined],
    [300, 50, undefined],
  ])
})

it('aligns, distributes, resizes and orders', () => {
  const all = ids('a', 'b', 'c')
  expect(align(three, all, 'bottom', symbols).items.map(({ y }) => y)).toEqual([50, 50, 50])
  expect(distribute(three, all, 'x', symbols).items.map(({ x }) => x)).toEqual([0, 150, 300])
  const from = boundsOf(three, all, symbols)!
  expect(boundsOf(resize(three, all, from, { ...from, w: from.w * 2 }), all, symbols)).toEqual({ ...from, w: from.w * 2 })
  expect(order(three, ids('a'), 'front').items.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
})

const way = [
  [0, 0],
  [100, 0],
  [100, 100],
  [200, 100],
] as const
it('a corner that is pulled takes its neighbours along at right angles, and leaves the ends where they are', () => {
  expect(pulled(way, { kind: 'corner', at: 1 }, [60, 40])).toEqual([
    [16, 0],
    [16, 40],
    [60, 40],
    [60, 100],
  ])
  expect(pulled(way, { kind: 'piece', at: 2 }, [60, 0])).toEqual([
    [60, 0],
    [60, 100],
  ])
  expect(pulled(way.slice(0, 2), { kind: 'piece', at: 1 }, [50, 40])).toEqual([
    [16, 0],
    [16, 40],
    [84, 40],
    [84, 0],
  ])
})

it('pulled corners move along when both ends of their pipe do', () => {
  const piped = connect(three, { item: 'a', port: 'right' }, { item: 'b', port: 'left' })
  const bent = set(piped.scene, ids(piped.id), { bends: [[70, 20]] })
  expect(move(bent, ids('a', 'b'), 5, 7).items.at(-1)).toMatchObject({ bends: [[75, 27]] })
  expect(move(bent, ids('a'), 5, 7).items.at(-1)).toMatchObject({ bends: [[70, 20]] })
})

it('a locked item stays where it is', () => {
  expect(move(set(three, ids('a'), { locked: true }), ids('a', 'b'), 5, 5).items.map(({ x }) => x)).toEqual([0, 105, 300])
})

it('snaps to the nearest edge or middle of another item and says why, otherwise to the grid', () => {
  expect(snap({ x: 98, y: 203, w: 40, h: 40 }, [{ x: 100, y: 0, w: 40, h: 40 }], 5)).toEqual({
    dx: 2,
    dy: 1,
    guides: [{ axis: 'x', at: 100, from: 0, to: 243 }],
  })
})

const step = fc.oneof(
  fc.record({ did: fc.constant('move' as const), which: fc.nat(5), by: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ did: fc.constant('copy' as const), which: fc.nat(5), by: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ did: fc.constant('remove' as const), which: fc.nat(5), by: fc.constant(0) }),
  fc.record({ did: fc.constant('set' as const), which: fc.nat(5), by: fc.integer({ min: 1, max: 9 }) }),
)
it('any edits undone give the first scene, and redone the last, byte for byte', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 499 }), (edits) => {
      let history = begin(three)
      for (const { did, which, by } of edits) {
        const now = sceneOf(history)
        const target = now.items[which % Math.max(1, now.items.length)]
        if (!target) continue
        const one = ids(target.id)
        const made = {
          move: () => move(now, one, by, -by),
          copy: () => copy(now, now, one, by, by).scene,
          remove: () => remove(now, one),
          set: () => set(now, one, { name: `n${by}` }),
        }
        history = take(history, made[did](), did)
      }
      const last = JSON.stringify(sceneOf(history))
      for (let i = 0; i < 500; i++) history = undo(history)
      expect(JSON.stringify(sceneOf(history))).toBe(JSON.stringify(three))
      for (let i = 0; i < 500; i++) history = redo(history)
      expect(JSON.stringify(sceneOf(history))).toBe(last)
    }),
    { numRuns: 40 },
  )
})
