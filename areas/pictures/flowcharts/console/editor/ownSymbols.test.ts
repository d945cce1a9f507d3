import { expect, it } from 'vitest'
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import { emptyScene, type Item, type Scene } from '../../../../../contract/picture/scene.ts'
import { copy } from './changes.ts'
import { carrying, outdated, updated } from './ownSymbols.ts'

const symbol = (id: number, ports: string[] = ['in']): OwnSymbol => ({
  ...{ id: `own.${id}`, name: `Mixer ${id}` },
  drawing: {
    ...{ width: 40, height: 40, parts: [{ role: 'body', d: 'M0 0H40V40Z' }] },
    ports: ports.map((id) => ({ id, x: 0, y: 20, side: 'left' as const })),
  },
})
const item = (id: string, of: number): Item => ({ kind: 'symbol', id, x: 100, y: 100, w: 80, h: 80, symbol: `own.${of}` })
const pipe = (port: string): Item => ({ kind: 'pipe', id: port, x: 0, y: 0, w: 0, h: 0, from: { item: 'a', port }, to: { x: 9, y: 9 } })
const scene = (items: Item[], symbols?: OwnSymbol[]): Scene => ({ ...emptyScene(), items, ...(symbols ? { symbols } : {}) })

it('a scene carries the symbols that it is drawn with, and no others', () => {
  const [one, two] = [symbol(1), symbol(2)]
  expect(carrying(scene([item('a', 1)]), [one, two]).symbols).toEqual([one])
  const same = scene([item('a', 1)], [one])
  expect(carrying(same, [two])).toBe(same)
  expect(carrying(scene([], [one]))).toEqual(scene([]))
})

it('items that are copied from another picture bring their symbols', () => {
  const source = scene([item('a', 1), item('b', 2)], [symbol(1), symbol(2)])
  expect(copy(scene([]), source, new Set(['b']), 0, 0).scene.symbols).toEqual([symbol(2)])
})

it('new drawings are taken on demand; a pipe at a connection that is gone ends where it was', () => {
  const before = scene([item('a', 1), pipe('in'), pipe('out')], [symbol(1, ['in', 'out'])])
  const library = [symbol(1, ['in']), symbol(2)]
  expect(outdated(before, library)).toEqual([library[0]])
  const after = updated(before, library)
  expect(after.symbols).toEqual([library[0]])
  expect(after.items[1]).toMatchObject({ from: { item: 'a', port: 'in' } })
  expect(after.items[2]).toMatchObject({ from: { x: 100, y: 140 } })
  expect([outdated(after, library), updated(after, library) === after]).toEqual([[], true])
})
