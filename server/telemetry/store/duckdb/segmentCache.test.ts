import { expect, test } from 'vitest'
import type { Part } from './parts.ts'
import { bytesOfParts, segmentCache } from './segmentCache.ts'

test('the cache stays within its bytes, and keeps what was used last', () => {
  const cache = segmentCache(bytesOfParts, 400_000)
  const column = Array.from({ length: 200 }, (_, i) => i)
  const values = { key: column, min: column, max: column, sum: column, first: column, last: column }
  const part: Part = { ...values, count: column, rows: column, firstAt: column, lastAt: column }
  const names = Array.from({ length: 40 }, (_, i) => `file ${i}`)
  for (const name of names) {
    cache.put(name, new Map([[1, part]]))
    cache.get('file 0')
    expect(cache.bytes()).toBeLessThanOrEqual(400_000)
  }
  // Ten columns of 200 numbers each.
  const room = Math.floor(400_000 / (10 * 8 * 200 + 500))
  expect(names.filter((name) => cache.get(name))).toEqual(['file 0', ...names.slice(1 - room)])
  const long = Array.from({ length: 5000 }, (_, i) => i)
  cache.put('too long', new Map([[1, { ...part, key: long, min: long, max: long, sum: long, first: long, last: long }]]))
  expect(cache.get('too long')).toBeUndefined()
})
