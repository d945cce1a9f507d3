import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { weightedQuantile } from 'simple-statistics'
import { expect, test } from 'vitest'
import { quantileShares } from '../contract.ts'
import { quantilesOf } from './distribution.ts'

const recording = fileURLToPath(new URL('../../../../../shared/data/ett/ETTh1.csv', import.meta.url))
const hour = 3_600_000

test.skipIf(!existsSync(recording))(
  'what was not exceeded for a share of the time is, of hourly temperatures of a real transformer, the quantile that a library of statistics finds',
  () => {
    const lines = readFileSync(recording, 'utf8').trim().split('\n').slice(1)
    const values = lines.map((line) => Number(line.trim().split(',').at(-1)))
    // Each value holds for its hours.
    const held = [...Map.groupBy(values, (value) => value)]
      .sort(([a], [b]) => a - b)
      .map(([value, of]) => ({ value, ms: of.length * hour }))
    expect(held.length).toBeLessThan(values.length)
    const times = { value: Float64Array.from(held, ({ value }) => value), ms: Float64Array.from(held, ({ ms }) => ms) }
    const ones = values.map(() => 1)
    expect(quantilesOf(times, quantileShares)).toEqual(weightedQuantile(values, ones, quantileShares))
  },
)
