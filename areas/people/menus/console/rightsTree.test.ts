import { expect, it } from 'vitest'
import type { RightsNode } from '../../roles/contract.ts'
import { toggled } from './RightsTree.tsx'

const node = (MenuEncoding: string, MenuChildren: RightsNode[] = [], Grantable = true): RightsNode => ({
  MenuEncoding,
  MenuName: MenuEncoding,
  MenuType: 1,
  Checked: false,
  Grantable,
  MenuChildren,
})
const tree = [node('a', [node('a1', [node('a1.add'), node('a1.edit', [], false)]), node('a2')]), node('b')]

it('a node brings what is below it and the way to it, except what cannot be given', () => {
  expect(toggled(tree, ['b'], 'a1', true)).toEqual(['b', 'a', 'a1', 'a1.add'])
  expect(toggled(tree, [], 'a1.add', true)).toEqual(['a', 'a1', 'a1.add'])
})

it('a node taken away takes what is below it, and leaves the rest', () => {
  expect(toggled(tree, ['a', 'a1', 'a1.add', 'a2', 'b'], 'a1', false)).toEqual(['a', 'a2', 'b'])
})
