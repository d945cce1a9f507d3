import { expect, it } from 'vitest'
import { parseFormula } from '../../../../contract/expression/parse.ts'
import { expanded, mostParts, sizeOf } from './service.ts'

it('formulas in formulas that would have 10^40 parts are too large soon', () => {
  const inner = new Map(
    Array.from({ length: 21 }, (_, i) => [i + 1, { Expression: Array.from({ length: 100 }, () => `#${i + 2}`).join('+') }]),
  )
  const { tree } = parseFormula('#1')
  const began = performance.now()
  const size = sizeOf(expanded(tree!, inner))
  expect(performance.now() - began).toBeLessThan(2000)
  expect(size).toBeGreaterThan(mostParts)
  const small = new Map([
    [1, { Expression: '#2+#3' }],
    [2, { Expression: '7' }],
  ])
  expect(sizeOf(expanded(tree!, small))).toBe(3)
})
