import { expect, it } from 'vitest'
import { linesNext } from './lines.ts'

const next = (keys: number[], was: number[], ids: number[]) => linesNext({ ids: was, keys }, ids).keys

it('draws the first rows in new lines', () => expect(next([], [], [7, 8, 9])).toEqual([0, 1, 2]))
it('lets those that come from below have the lines of those that left above', () =>
  expect(next([0, 1, 2, 3], [10, 11, 12, 13], [12, 13, 14, 15])).toEqual([2, 3, 0, 1]))
it('makes new lines for those that come from above, so that none has to move', () =>
  expect(next([0, 1, 2, 3], [10, 11, 12, 13], [9, 10, 11, 12])).toEqual([4, 0, 1, 2]))
it('draws all in the lines that are there when none stays', () =>
  expect(next([2, 3, 0, 1], [10, 11, 12, 13], [1, 2, 3, 4])).toEqual([2, 3, 0, 1]))
it('lets a row keep its line when others are put before it', () =>
  expect(next([0, 1, 2], [10, 11, 12], [99, 10, 98, 11])).toEqual([3, 0, 2, 1]))
it('never gives two rows the same line', () => {
  let lines = { ids: [] as readonly number[], keys: [] as readonly number[] }
  for (const from of [0, 3, 1, 40, 38, 41, 0, 7, 6, 5, 30, 33]) {
    lines = linesNext(
      lines,
      Array.from({ length: 8 }, (_, i) => from + i),
    )
    expect(new Set(lines.keys).size).toBe(8)
  }
})
