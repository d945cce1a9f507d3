import { expect, it } from 'vitest'
import type { Past } from '../../contract.ts'
import { alarmsAt, newestAt } from './replayed.ts'

const past: Past = {
  ...{ Version: 1, Step: 10 },
  Points: [{ ParaId: 1, Time: [100, 200, 300], Value: [5, null, 7] }],
  Alarms: [
    { ParaId: 1, Level: 2, Start: 150, End: 250 },
    { ParaId: 1, Level: 3, Start: 240, End: null },
    { ParaId: 2, Level: 1, Start: 260, End: 270 },
  ],
}

it('a point says what it said last, and nothing before its first reading', () => {
  const newest = newestAt(past)
  expect(newest(1, 99)).toBeUndefined()
  expect(newest(1, 100)).toEqual({ Time: 100, Value: 5, Quality: 0 })
  expect(newest(1, 299)).toEqual({ Time: 200, Value: null, Quality: 2 })
  expect(newest(1, 1e6)).toMatchObject({ Value: 7 })
  expect(newest(2, 200)).toBeUndefined()
})

it('alarms stand from their beginning to their end, the highest counts', () => {
  const levels = (moment: number) => alarmsAt(past, moment).map(({ ParaId, Level }) => [ParaId, Level])
  expect([levels(149), levels(150), levels(245), levels(250), levels(265)]).toEqual([
    [],
    [[1, 2]],
    [[1, 3]],
    [[1, 3]],
    [
      [1, 3],
      [2, 1],
    ],
  ])
})
