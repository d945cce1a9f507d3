import { expect, test } from 'vitest'
import { remember } from './driver.ts'

test('a station that tells of places without end fills no memory, and its points are held', () => {
  const known: Parameters<typeof remember>[0] = new Map()
  const value = { address: 1, value: 1, quality: 0 }
  for (let n = 0; n < 60_000; n++) remember(known, `1/${n}`, value, false)
  remember(known, '2/1', value, true)
  expect([known.size, known.has('2/1'), known.has('1/59999')]).toEqual([50_001, true, false])
})
