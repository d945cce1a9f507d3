import { expect, test } from 'vitest'
import { blockOf, createReadings, unpack } from './readings.ts'

test('readings of points come back from their blocks as they were, whatever the numbers of the points', () => {
  const readings = createReadings()
  const given = [1, 1023, 1024, 5000, 2 ** 40 + 3].map((point, i) => ({
    point,
    time: 1_800_000_000_000 + i,
    value: i % 2 ? -i / 3 : i * 1e300,
  }))
  for (const { point, ...reading } of given) readings.put(point, reading)
  const blocks = new Set(given.map(({ point }) => blockOf(point)))
  expect([...blocks].flatMap((block) => unpack(block, readings.pack(block)!))).toEqual(given)
  expect(readings.pack(77)).toBeUndefined()
})

test('a block that was packed stays as it was when more is read', () => {
  const readings = createReadings()
  readings.put(7, { time: 1, value: 2 })
  const packed = readings.pack(0)!
  readings.put(7, { time: 3, value: 4 })
  readings.put(8, { time: 5, value: 6 })
  // Like PostgreSQL's answers: a slice of a larger buffer.
  expect(unpack(0, Buffer.concat([Buffer.from('x'), packed]).subarray(1))).toEqual([{ point: 7, time: 1, value: 2 }])
})
