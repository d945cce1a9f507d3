import { expect, test } from 'vitest'
import { pointRow } from '../testing/plc.ts'
import { timeOf } from './source-time.ts'
import { type Item, Taking } from './taking.ts'

const now = Date.UTC(2026, 10, 24, 12)
const minutes = 60_000

test.each([
  ['near', now - 2000, undefined, now - 2000, false],
  ['four minutes ahead', now + 4 * minutes, undefined, now + 4 * minutes, false],
  ['six minutes behind', now - 6 * minutes, undefined, now, true],
  ['from 1970', 0, undefined, now, true],
  ['no number', Number.NaN, undefined, now, true],
  ['before the last reading', now - 3000, now - 2000, now, true],
  ['the same as the last reading', now - 2000, now - 2000, now, true],
  ['behind a last reading of this millisecond', now - 3000, now, now + 1, true],
])('a source whose time is %s', (_, source, last, T, isDoubtful) => {
  expect(timeOf(source, now, last)).toEqual({ T, isDoubtful })
})

test('readings keep the time of their source, and one with an impossible time is uncertain at the time of the gateway', () => {
  const items: Item[] = []
  const taking = new Taking(
    () => now,
    (item) => items.push(item),
  )
  const [a, b] = [pointRow(1, 0), pointRow(2, 1)]
  taking.take(
    taking,
    [a, b],
    [
      { value: 5, quality: 0, time: now - 1000 },
      { value: 6, quality: 0, time: 0 },
    ],
  )
  expect(items).toEqual([
    { D: 1, T: now - 1000, V: { 1: 5 } },
    { D: 1, T: now, V: { 2: 6 }, Q: { 2: 1 } },
  ])
})
