import { expect, test } from 'vitest'
import { freeingResults } from './freeResults.ts'

const [each, count] = [1 << 20, 16]
const held = () => process.memoryUsage().arrayBuffers

test('results that were read are freed before they fill the memory', async () => {
  const free = freeingResults()
  const before = held()
  Array.from({ length: count }, () => new Uint8Array(each))
  expect(held() - before).toBeGreaterThan((count * each) / 2)
  free(1_000_000)
  await expect.poll(() => held() - before).toBeLessThan((count * each) / 2)
})
