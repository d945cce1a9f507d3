import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { conditionsAt, day } from './model/conditions.ts'
import { counters, total } from './model/counters.ts'
import { step } from './model/world.ts'
import { worldAt } from './past.ts'
import { startPlant } from './plant.ts'
import { stateOf } from './state.ts'

const folder = mkdtempSync(join(tmpdir(), 'penstock-plant-'))
afterAll(() => rmSync(folder, { recursive: true }))
const june = Date.UTC(2026, 5, 10) / 1000
const moments = fc.integer({ min: june - 400 * day, max: june + 400 * day })

test('a moment is always the same, whatever was asked before', () => {
  fc.assert(
    fc.property(moments, moments, (at, other) => {
      const first = JSON.stringify(stateOf(worldAt(at)))
      worldAt(other)
      expect(JSON.stringify(stateOf(worldAt(at)))).toBe(first)
    }),
    { numRuns: 3 },
  )
})

test('totals follow from the date and only grow, over midnight as well', () => {
  const times = [0, 3600, 50_000, day - 20, day - 1, day, day + 20, day + 40_000]
  const seen = times.map((t) => worldAt(june + t))
  for (const of of counters) {
    const values = seen.map((w) => total(w, of))
    expect([of.point, values]).toEqual([of.point, [...values].sort((a, b) => a - b)])
  }
})

test('summer is warmer than winter, a night takes less than a morning, a Sunday less than a Monday', () => {
  const mean = (from: number, of: 'temperature' | 'demand') =>
    Array.from({ length: 24 * 14 }, (_, i) => conditionsAt(from + i * 3600)[of]).reduce((a, b) => a + b) / (24 * 14)
  expect(mean(Date.UTC(2026, 6, 10) / 1000, 'temperature') - mean(Date.UTC(2026, 0, 10) / 1000, 'temperature')).toBeGreaterThan(10)
  expect(mean(Date.UTC(2026, 6, 10) / 1000, 'demand')).toBeGreaterThan(mean(Date.UTC(2026, 0, 10) / 1000, 'demand'))
  // In Madrid it is two hours later than in UTC.
  expect(conditionsAt(june).hour).toBe(2)
  expect(conditionsAt(Date.UTC(2026, 0, 10) / 1000).hour).toBe(1)
  expect(conditionsAt(june + 1.5 * 3600).demand).toBeLessThan(conditionsAt(june + 5.5 * 3600).demand)
  const sunday = Date.UTC(2026, 5, 14, 6) / 1000
  expect(conditionsAt(sunday).demand).toBeLessThan(conditionsAt(sunday + day).demand)
})

test('a plant that starts again goes on from its totals and keeps the set points that people chose', async () => {
  const state = join(folder, 'state.json')
  const clock = () => june * 1000 + 40_000_000
  const first = await startPlant({ port: 0, clock, state })
  first.world.water.rawTotal += 12_345
  first.world.coldRoom.setPoint = -23
  for (let i = 0; i < 100; i++) step(first.world, 0.5, Math.random)
  const before = counters.map((of) => total(first.world, of))
  await first.close()
  const second = await startPlant({ port: 0, clock: () => clock() + 3_600_000, state })
  counters.forEach((of, i) => {
    expect(total(second.world, of)).toBeGreaterThanOrEqual(before[i]!)
  })
  expect(second.world.water.rawTotal - before[0]!).toBeLessThan(600)
  expect(second.world.coldRoom.setPoint).toBeCloseTo(-23)
  await second.close()
})
