import { expect, it } from 'vitest'
import { emptyScene, type Item, type Scene } from '../../../../../contract/picture/scene.ts'
import { adviceOn } from './checks.ts'

const text = (id: string, x: number, more: Partial<Item> = {}): Item =>
  ({ kind: 'text', id, text: 'Pump one', size: 16, x, y: 0, w: 100, h: 24, ...more }) as Item
const ground = (fill: string): Item => ({ kind: 'shape', shape: 'rectangle', id: 'ground', x: -10, y: -10, w: 400, h: 100, fill })
const rules = (...items: Item[]) => {
  const scene: Scene = { ...emptyScene(), items }
  return adviceOn(scene, ({ id }) => id).map(({ item, rule, values }) => [item, rule, Object.values(values ?? {})[0]])
}

it('names texts that lie over each other in any language, and leaves those beside each other alone', () => {
  expect(rules(text('a', 0), text('b', 40))).toEqual([['a', 'check.overlap', 'b']])
  expect(rules(text('a', 0), text('b', 70))).toEqual([])
  const long = { en: 'P', zh: '泵', es: 'Bomba de impulsión', ja: 'ポンプ' }
  expect(rules(text('a', 0, { text: long } as never), text('b', 70))).toEqual([['a', 'check.overlap', 'b']])
  expect(rules(text('a', 0), text('b', 40, { hidden: true }))).toEqual([])
})

it('names texts that are hard to read on what lies beneath them, in light or in dark', () => {
  expect(rules(text('a', 0))).toEqual([])
  expect(rules(text('a', 0, { fill: '#ffff00' } as never))).toEqual([['a', 'check.contrast.light', '1.1']])
  expect(rules(ground('#808080'), text('a', 0, { fill: '#808080' } as never))).toEqual([['a', 'check.contrast.light', '1.0']])
  expect(rules(ground('#ffffff'), text('a', 0))).toEqual([['a', 'check.contrast.dark', expect.anything()]])
  // Items in front do not matter.
  expect(rules(text('a', 0), ground('#1b2127'))).toEqual([])
})

it('names languages without a text, unless one text is meant for all', () => {
  expect(rules(text('a', 0, { text: { en: 'Pump', zh: '泵' } } as never))).toEqual([['a', 'check.language', 'Español, 日本語']])
})

it('names at most a hundred of 10,000 texts over each other', () => {
  expect(rules(...Array.from({ length: 10_000 }, (_, i) => text(`t${i}`, 0)))).toHaveLength(100)
})
