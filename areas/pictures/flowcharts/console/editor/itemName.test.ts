import { expect, it } from 'vitest'
import type { Words } from '../../../../../console/words/words.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'
import { itemName } from './itemName.ts'

const keys: Words = (key) => key
const named = (more: object) => itemName({ id: 'i3', x: 0, y: 0, w: 9, h: 9, ...more } as Item, keys)

it('what has no name is called as the palette calls it', () => {
  expect(named({ kind: 'indicator', look: 'bar', of: '0' })).toBe('edit.basic.bar i3')
  expect(named({ kind: 'shape', shape: 'line' })).toBe('edit.basic.line i3')
  expect(named({ kind: 'pipe' })).toBe('Scene.kind.pipe i3')
  expect(named({ kind: 'shape', shape: 'line', name: 'Ground' })).toBe('Ground')
})
