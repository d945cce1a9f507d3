import { expect, it } from 'vitest'
import type { Look } from '../../../../../contract/picture/look.ts'
import { type Brush, paintItem } from '../../../../../contract/picture/paint.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { Tints, tintMs } from './tints.ts'

const at = { x: 0, y: 0, w: 80, h: 40 }
const value = { item: { kind: 'value', id: 'v', of: '#1', size: 16, ...at } as Item }
const shown = (text: string): Look => ({ trust: 'good', shown: { text, unit: '' } })
const row = (text: string) => ({ name: text, text, unit: '', trust: 'good' as const, share: null, limits: [] })
const brush: Brush = { item: () => undefined, symbol: () => undefined, colour: (name) => name, language: 'en' }
const isTinted = (tree: Tree): boolean =>
  tree.attributes.fill === 'tint' || tree.children.some((child) => typeof child !== 'string' && isTinted(child))

it('a value that changed is tinted for 150 ms, and the first one is not', () => {
  const tints = new Tints<typeof value>()
  let before: Look = {}
  const step = (text: string, now: number) => {
    before = tints.tinted(value, before, shown(text), now)
    return isTinted(paintItem(value.item, before, brush))
  }
  expect(step('1', 1000)).toBe(false)
  expect(step('1', 1050)).toBe(false)
  expect(step('2', 1100)).toBe(true)
  expect(step('2', 1200)).toBe(true)
  expect(tints.ended(1100 + tintMs - 1)).toEqual([])
  expect(tints.ended(1100 + tintMs)).toEqual([value])
  expect(step('2', 1100 + tintMs)).toBe(false)
  expect(tints.ended(5000)).toEqual([])
})

it('of a table, the row that changed is tinted', () => {
  const table = { item: { kind: 'table', id: 't', reads: ['#1', '#2'], size: 12, ...at, h: 80 } as Item }
  const tints = new Tints<typeof table>()
  const first = tints.tinted(table, {}, { rows: [row('1'), row('5')] }, 0)
  const next = tints.tinted(table, first, { rows: [row('1'), row('6')] }, 50)
  expect(next.rows?.map(({ fresh }) => fresh)).toEqual([false, true])
  expect([first, next].map((look) => isTinted(paintItem(table.item, look, brush)))).toEqual([false, true])
})
