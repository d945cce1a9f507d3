import { describe, expect, it } from 'vitest'
import { asTree, dropPlace, keysOf, matching, type TreeRow } from './tree.ts'

const row = (Id: number, ParentId: number | null, Name: string): TreeRow => ({ Id, EnterpriseId: 1, ParentId, Name })
const rows = [row(1, null, 'North'), row(4, 2, 'Pumps'), row(2, 1, 'Works'), row(3, 1, 'Office'), row(9, 77, 'Stray'), row(7, 7, 'Own')]
const tree = asTree(rows, 'ParentId', 'Name')

describe('rows as a tree', () => {
  it('follow their parents in order, with orphans, and a row that is its own parent, at the top level', () => {
    expect(tree.map((n) => n.key)).toEqual([1, 9, 7])
    expect(keysOf(tree)).toEqual([1, 2, 4, 3, 9, 7])
  })

  it('are found with the way there, whatever the case', () => {
    expect(keysOf(matching(tree, ' pUmP'))).toEqual([1, 2, 4])
    expect(keysOf(matching(tree, 'works'))).toEqual([1, 2, 4].filter((key) => key !== 3))
    expect(matching(tree, 'nothing')).toEqual([])
    expect(matching(tree, '')).toEqual(tree)
  })

  it('go below, before or behind what they are dropped on', () => {
    const works = tree[0]!.children[0]!
    const office = tree[0]!.children[1]!
    expect(dropPlace(tree, 'ParentId', works, 0)).toEqual({ above: 2, before: null })
    expect(dropPlace(tree, 'ParentId', works, -1)).toEqual({ above: 1, before: 2 })
    expect(dropPlace(tree, 'ParentId', works, 1)).toEqual({ above: 1, before: 3 })
    expect(dropPlace(tree, 'ParentId', office, 1)).toEqual({ above: 1, before: null })
    expect(dropPlace(tree, 'ParentId', tree[0]!, -1)).toEqual({ above: null, before: 1 })
  })
})
