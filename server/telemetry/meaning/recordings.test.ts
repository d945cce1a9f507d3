// Two years of a real transformer, hourly, and a minute-by-minute life of a real pump at 1 Hz: what figures say of them equals what a
// library of statistics, or plain loops, find in the lines of the files. Skipped where the recordings are absent.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { max, mean as meanOf, min, sum as sumOf, variance } from 'simple-statistics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDuckDbStore } from '../store/duckdb/duckdbStore.ts'
import { day, hour, type Store } from '../store/store.ts'
import { temporaryFolder } from '../telemetry.fixture.ts'
import { periodsOf } from './periods.ts'
import { meterQuarters } from './quarters.ts'
import { createStatistics, type Meaning } from './statistics.ts'

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))

type Reading = { time: number; value: number }
/** A column of a file, by the name in its first line; its times are UTC. */
const column = (file: string, separator: string, name: string): Reading[] => {
  const [head, ...lines] = readFileSync(join(folder, file), 'utf8').trim().split('\n')
  const at = head!.trim().split(separator).indexOf(name)
  return lines.map((line) => {
    const cells = line.trim().split(separator)
    return { time: Date.parse(`${cells[0]!.replace(' ', 'T')}Z`), value: Number(cells[at]) }
  })
}

describe.skipIf(!existsSync(folder))('recordings of a real transformer and a real pump', () => {
  let store: Store
  let remove: () => Promise<void>
  let [load, current, running] = [[] as Reading[], [] as Reading[], [] as Reading[]]
  const meaning = (id: number, type: number, ms: number): Meaning => ({
    ...{ id, type, expected: [{ until: Number.POSITIVE_INFINITY, ms }], limits: { low: null, high: 10 } },
    counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
  })
  const now = Date.UTC(2020, 5, 1)
  const statistics = () => createStatistics({ store, clock: () => now })

  beforeAll(async () => {
    load = column('ett/ETTh1.csv', ',', 'HUFL')
    current = column('skab/anomaly-free-anomaly-free.csv', ';', 'Current')
    running = current.map(({ time, value }) => ({ time, value: Number(value > 2) }))
    const made = await temporaryFolder('recordings')
    remove = made.remove
    store = await openDuckDbStore({ folder: made.folder, clock: () => now, log: console.error })
    for (const [i, rows] of [load, current, running].entries())
      await store.append(rows.map((row) => ({ ...row, point: i + 1, quality: 0, live: false })))
    await store.settle('now')
  }, 400_000)
  afterAll(async () => {
    await store?.close()
    await remove?.()
  })

  test('of a transformer: energy, peak, spread and weekday-hour means of two years, from readings and from roll-ups', async () => {
    const [start, end] = [load[0]!.time, load.at(-1)!.time + hour]
    const values = load.map(({ value }) => value)
    const [sum, mean] = [sumOf(values), meanOf(values)]
    const point = meaning(1, 4, hour)
    for (const most of [Number.POSITIVE_INFINITY, 0]) {
      const [found] = await statistics().of([point], { edges: [start, end] }, most)
      const [part] = found!.parts
      // Hourly loads: each holds for its hour, so kWh are their sum.
      expect(part!.total).toBeCloseTo(sum, 6)
      expect(part!.integral / part!.heldMs).toBeCloseTo(mean, 9)
      expect(part!.goodMs).toBe(end - start)
      expect([part!.count, part!.min, part!.max]).toEqual([values.length, min(values), max(values)])
      expect(part!.squares / part!.count).toBeCloseTo(variance(values), 6)
    }
    const [byHour] = await statistics().of([point], periodsOf('weekday-hour', start, end, 'UTC'))
    const cells = new Map<number, number[]>()
    for (const { time, value } of load) {
      const at = new Date(time)
      const key = ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours()
      cells.set(key, [...(cells.get(key) ?? []), value])
    }
    expect(byHour!.parts).toHaveLength(168)
    for (const part of byHour!.parts) {
      expect(part.integral / part.heldMs).toBeCloseTo(meanOf(cells.get(part.start)!), 9)
    }
    const months = periodsOf('month', start, end, 'UTC')
    const [byMonth] = await statistics().of([point], months)
    for (const [i, part] of byMonth!.parts.entries()) {
      const own = load.filter(({ time }) => time >= months.edges[i]! && time < months.edges[i + 1]!)
      expect(part.total).toBeCloseTo(sumOf(own.map(({ value }) => value)), 6)
    }
  }, 400_000)

  test('of a pump: time on, switchings, time above a limit and the mean, with the seconds that the recording lacks', async () => {
    const start = Math.floor(current[0]!.time / day) * day
    const end = start + day
    const most = 3000
    const oracle = { on: 0, held: 0, integral: 0, switchings: 0, high: 0 }
    for (const [i, { time, value }] of current.entries()) {
      const ms = Math.min(most, (current[i + 1]?.time ?? end) - time)
      oracle.held += ms
      oracle.integral += value * ms
      if (running[i]!.value) oracle.on += ms
      if (i && running[i]!.value !== running[i - 1]!.value) oracle.switchings++
      if (value > 2.5) oracle.high += ms
    }
    expect(oracle.switchings).toBeGreaterThan(100)
    for (const limit of [Number.POSITIVE_INFINITY, 0]) {
      const asked = [{ ...meaning(2, 0, 1000), limits: { low: null, high: 2.5 } }, meaning(3, 3, 1000)]
      const [ofCurrent, ofState] = (await statistics().of(asked, { edges: [start, end] }, limit)).map(({ parts }) => parts[0]!)
      expect(ofCurrent!.heldMs).toBe(oracle.held)
      expect(ofCurrent!.integral).toBeCloseTo(oracle.integral, 3)
      expect([ofState!.onMs, ofState!.switchings]).toEqual([oracle.on, oracle.switchings])
      expect(ofState!.total).toBeCloseTo(oracle.on / hour, 9)
      if (limit) expect(ofCurrent!.highMs).toBe(oracle.high)
    }
  }, 400_000)

  test('of six meters that import and export: a year of quarter-hours adds up to the net sums of the file, to the last digit', async () => {
    const names = ['HUFL', 'HULL', 'MUFL', 'MULL', 'LUFL', 'LULL']
    const columns = names.map((name) => column('ett/ETTh1.csv', ',', name).slice(0, 365 * 24))
    const start = columns[0]![0]!.time
    const hours = columns[0]!.length
    /** Import and export per hour, in integer thousandths. */
    const flow = (value: number, sign: number) => Math.max(0, sign * Math.round(1000 * value))
    const points = columns.flatMap((rows, i) =>
      [1, -1].map((sign, k) => {
        let total = 0
        const shown = [0, ...rows.map(({ value }) => (total += flow(value, sign)))]
        return { point: 100 + 2 * i + k, sign, shown }
      }),
    )
    for (const { point, shown } of points)
      await store.append(shown.map((total, i) => ({ point, time: start + i * hour, value: total / 1000, quality: 0, live: false })))
    const segment = (id: number) => ({
      ...{ factor: 1, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
      meaning: meaning(id, 1, hour),
    })
    const meters = new Map(points.map(({ point }) => [point, [{ ...segment(point), startReading: null, endReading: null }]]))
    const found = await meterQuarters(store, meters, { start, count: 4 * hours }, now)
    for (const [i, rows] of columns.entries()) {
      const sum = (point: number) => found.get(point)!.value.reduce((all, one) => all + one, 0)
      const net = rows.reduce((all, { value }) => all + Math.round(1000 * value), 0)
      expect(sum(100 + 2 * i) - sum(101 + 2 * i), names[i]).toBe(net)
      expect(found.get(100 + 2 * i)!.unknown.includes(1)).toBe(false)
    }
    expect(points.some(({ sign, shown }) => sign < 0 && shown.at(-1)! > 0)).toBe(true)
  }, 400_000)
})
