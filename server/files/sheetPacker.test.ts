import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { packSheet } from './sheetPacker.ts'

test('many small sheets at once leave most of the main loop to others', async () => {
  const header = Array.from({ length: 20 }, (_, i) => `Column ${i}`)
  const page = Array.from({ length: 20 }, (_, row) => header.map((_, i) => `${row} ${i} ${Math.sin(row * i)}`))
  const first = await packSheet(header, [page], 1)
  const before = performance.eventLoopUtilization()
  const files = await Promise.all(Array.from({ length: 24 }, () => packSheet(header, [page], 1)))
  const { utilization } = performance.eventLoopUtilization(before)
  for (const file of files) expect(file.length).toBe(first.length)
  expect(utilization).toBeLessThan(0.6)
})
