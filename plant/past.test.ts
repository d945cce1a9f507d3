import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { demoPlant, isQuietWeek, mappingWeekBefore, vaccineRoom } from '../contract/demo-plant.ts'
import { historyOf } from './history.ts'
import { conditionsAt, day } from './model/conditions.ts'
import { countedBefore, counters, shownAt, total } from './model/counters.ts'
import { vaccineRoomAt } from './model/vaccine-room.ts'
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

test('the incomer counts what its feeders take and what is lost on the way, to the last step', () => {
  const of = (device: string) => counters.find((c) => c.device === device && c.point === 'Active energy')!
  const [incomer, intake, delivery, building] = ['Main incomer', 'Intake power', 'Delivery power', 'Building power'].map((d) =>
    of(`${d} meter`),
  )
  const from = june / day
  const shown = [0, 9000, 40_000, 86_000].map((at) => {
    const w = worldAt(june + at)
    const feeders = [intake, delivery, building].reduce((sum, one) => sum + total(w, one!), 0)
    return { incomer: total(w, incomer!), feeders }
  })
  for (const [i, { incomer, feeders }] of shown.entries()) {
    const hours = [0, 9000, 40_000, 86_000][i]! / 3600
    expect(incomer - shown[0]!.incomer).toBeCloseTo((feeders - shown[0]!.feeders) * 1.012 + 0.9 * hours, 5)
  }
  expect(countedBefore(delivery!, from + 1) - countedBefore(delivery!, from)).toBeGreaterThan(290 + 36.8)
})

const energyOf = (device: string, start: number) => {
  const all = demoPlant.flatMap(({ DeviceName, Points }) => Points.map((p) => `${DeviceName}/${p.ParaName}`))
  const at = all.indexOf(`${device}/Active energy`)
  const rows = historyOf({ start, until: start + day, fine: false })
  return Array.from({ length: rows.length / 3 }, (_, i) => [rows[3 * i]!, rows[3 * i + 1]!, rows[3 * i + 2]!] as const).filter(
    ([i]) => i === at,
  )
}

test('a year holds a replaced meter, one that rolls over, and three gaps', () => {
  const april = Date.UTC(2026, 3, 14) / 1000
  expect(energyOf('Building power meter', april - day).at(-1)![2]).toBeGreaterThan(10_000)
  expect(energyOf('Building power meter', april)[0]![2]).toBe(0)
  const treatment = counters.find(({ device, rollsAt }) => device === 'Treatment power meter' && rollsAt)!
  const rolls = Array.from({ length: 365 }, (_, i) => june / day - i).filter(
    (at) => shownAt(treatment, countedBefore(treatment, at), at) > shownAt(treatment, countedBefore(treatment, at + 1), at + 1),
  )
  expect(rolls).toHaveLength(1)
  expect(energyOf('Cold store power meter', Date.UTC(2026, 8, 13) / 1000)).toEqual([])
  expect(energyOf('Cold store power meter', Date.UTC(2026, 8, 15) / 1000)).toHaveLength(96)
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

test('the second cold room is read every quarter of an hour, each minute of its mapping week, and whenever its door moves', () => {
  const start = mappingWeekBefore(june * 1000).start / 1000
  const first = demoPlant.slice(0, -1).flatMap(({ Points }) => Points).length
  const all = demoPlant.at(-1)!.Points.map((p) => p.ParaName)
  const timesOf = (rows: Float64Array, at: number) => Array.from(rows.subarray(1)).filter((_, i) => i % 3 === 0 && rows[i] === at)
  const [coarse, mapped] = [false, true].map((mapped) => historyOf({ start, until: start + day, fine: false, mapped }))
  expect(demoPlant.at(-1)!.DeviceName).toBe(vaccineRoom)
  expect(timesOf(coarse!, first)).toEqual(Array.from({ length: 96 }, (_, i) => start + i * 900))
  expect(timesOf(mapped!, first)).toEqual(Array.from({ length: 1440 }, (_, i) => start + i * 60))
  const door = first + all.indexOf('Door open')
  const moved = timesOf(coarse!, door).filter((at) => at % 900)
  expect(moved.length).toBeGreaterThan(4)
  for (const at of moved) expect(vaccineRoomAt(at).isDoorOpen).not.toBe(vaccineRoomAt(at - 60).isDoorOpen)
  // What the other devices send is the same, mapped or not.
  const others = (rows: Float64Array) => Array.from(rows).filter((_, i) => rows[i - (i % 3)]! < first)
  expect(others(mapped!)).toEqual(others(coarse!))
})

test('in a year the door is forgotten some times and the power fails few times, never in a week of mapping', () => {
  const out = new Set<number>()
  const cut = new Set<number>()
  for (let at = june - 395 * day; at < june; at += 600) {
    const { temperatures, isCut } = vaccineRoomAt(at)
    if (temperatures.some((value) => value < 2 || value > 8)) out.add(Math.floor(at / day))
    if (isCut) cut.add(Math.floor(at / day))
  }
  expect(out.size).toBeGreaterThan(5)
  expect(out.size).toBeLessThan(30)
  expect(cut.size).toBeGreaterThan(0)
  expect(cut.size).toBeLessThan(7)
  expect([...out, ...cut].filter(isQuietWeek)).toEqual([])
  const { start, end } = mappingWeekBefore(june * 1000)
  expect([new Date(start).getUTCDay(), end - start, end <= june * 1000, isQuietWeek(start / day / 1000)]).toEqual([
    1,
    604_800_000,
    true,
    true,
  ])
})
