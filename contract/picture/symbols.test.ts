import { expect, it } from 'vitest'
import { boxOf, segmentsOf } from './path.ts'
import { categories, type PictureSymbol } from './symbol.ts'
import { categoryOf, loadSymbols } from './symbols/index.ts'

const all = await Promise.all(categories.map(async (category) => ({ category, symbols: (await categoryOf[category]()).symbols })))
const symbols: readonly PictureSymbol[] = all.flatMap(({ symbols }) => symbols)

it('there are a hundred, each with an Id of its own that begins with its category', () => {
  expect(symbols.length).toBeGreaterThanOrEqual(100)
  expect(new Set(symbols.map(({ id }) => id)).size).toBe(symbols.length)
  for (const { category, symbols } of all)
    expect(symbols.map(({ id }) => id).filter((id) => !new RegExp(`^${category}\\.[a-z0-9-]+$`).test(id))).toEqual([])
})

it.each(symbols.map((one) => [one.id, one] as const))(
  '%s draws within its box, and its ports look out of it',
  (_, { width, height, parts, ports }) => {
    for (const { d } of parts) {
      expect(segmentsOf(d), d).toBeDefined()
      const { x, y, w, h } = boxOf(d)
      // Control points of curves lie outside the drawn area.
      expect([x >= -12, y >= -12, x + w <= width + 12, y + h <= height + 12], d).toEqual([true, true, true, true])
    }
    const isOut = {
      left: (x: number) => x <= width / 2,
      right: (x: number) => x >= width / 2,
      top: (_: number, y: number) => y <= height / 2,
      bottom: (_: number, y: number) => y >= height / 2,
    }
    expect(ports.filter(({ x, y, side }) => !isOut[side](x, y) || x < 0 || y < 0 || x > width || y > height)).toEqual([])
    expect(new Set(ports.map(({ id }) => id)).size).toBe(ports.length)
  },
)

it('what fills is closed, and what turns knows its middle or is a letter', () => {
  const levels = symbols.flatMap(({ id, parts }) => parts.filter(({ role, d }) => role === 'level' && !d.endsWith('Z')).map(() => id))
  expect(levels).toEqual([])
})

it('an Id that does not exist loads nothing', async () => {
  expect((await loadSymbols(['constructor.x', 'nothing.at-all'])).get('nothing.at-all')).toBeUndefined()
})
