import { expect, it } from 'vitest'
import { emptyScene, type Item } from '../../../../contract/picture/scene.ts'
import { renamed } from './named.ts'

it('other calls run while the expressions of a large drawing are renamed', async () => {
  const item = (i: number): Item => ({ kind: 'value', id: `v${i}`, x: 0, y: 0, w: 1, h: 1, of: `#${i} + 1`, size: 12 })
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const { items } = await renamed({ ...emptyScene(), items: Array.from({ length: 2000 }, (_, i) => item(i)) }, () => ({ id: 7 }))
  clearImmediate(timer)
  expect([items.length, items.at(-1)]).toMatchObject([2000, { of: '#7 + 1' }])
  expect(turns).toBeGreaterThan(5)
})
