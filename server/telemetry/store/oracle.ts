import type { Buckets, Incoming, PointReadings, Step } from './store.ts'
import { quarter } from './store.ts'

type Kept = { time: number; value: number | null; quality: number }

/** The store's rules in plain loops over a list, slow and obvious: what the real stores are compared with. */
export const createOracle = () => {
  const rows: Incoming[] = []
  const of = (point: number, start: number, end: number) => {
    const kept = new Map<number, Kept>()
    for (const row of rows) if (row.point === point && row.time >= start && row.time < end) kept.set(row.time, row)
    return [...kept.values()].sort((a, b) => a.time - b.time)
  }
  return {
    rows,
    append: (more: readonly Incoming[]) => rows.push(...more),
    read: (points: readonly number[], start: number, end: number) =>
      points
        .toSorted((a, b) => a - b)
        .flatMap((point) => of(point, start, end).map(({ time, value, quality }) => ({ point, time, value, quality }))),
    columns: (points: readonly number[], start: number, end: number): PointReadings[] =>
      points
        .toSorted((a, b) => a - b)
        .map((point) => {
          const rows = of(point, start, end)
          return { point, time: rows.map((r) => r.time), value: rows.map((r) => r.value), quality: rows.map((r) => r.quality) }
        })
        .filter(({ time }) => time.length),
    buckets: (points: readonly number[], start: number, end: number, step: Step, few = 0): Buckets[] =>
      points
        .toSorted((a, b) => a - b)
        .map((point) => {
          const rows = of(point, start, end)
          const buckets = bucketsOf(
            point,
            Map.groupBy(rows, (row) => startOf(step, row.time)),
          )
          return rows.length > few ? buckets : { ...buckets, readings: { time: rows.map((r) => r.time), value: rows.map((r) => r.value) } }
        })
        .filter((series) => series.time.length),
  }
}

const startOf = (step: Step, time: number) => {
  if ('ms' in step) return time - ((time - step.origin) % step.ms)
  const first = Math.floor(time / quarter) * quarter
  const key = `${step.unit} ${step.zone} ${first}`
  const known = starts.get(key)
  if (known !== undefined) return known
  const wall = label(step, first)
  let start = first
  while (label(step, start - quarter) === wall) start -= quarter
  starts.set(key, start)
  return start
}

/** Clocks change at quarters of an hour, so one search serves all times of a quarter. */
const starts = new Map<string, number>()

const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (unit: 'hour' | 'day', zone: string) => {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const more = unit === 'hour' ? ({ hour: '2-digit', hourCycle: 'h23', timeZoneName: 'longOffset' } as const) : {}
  const known = formats.get(unit + zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...date, ...more })
  formats.set(unit + zone, known)
  return known
}

/** What a calendar or a wall clock shows; the offset keeps the two halves of a repeated hour apart. */
const label = (step: { unit: 'hour' | 'day'; zone: string }, time: number) => formatOf(step.unit, step.zone).format(time)

const bucketsOf = (point: number, groups: Map<number, Kept[]>): Buckets => {
  const entries = [...groups].sort(([a], [b]) => a - b)
  const values = entries.map(([, rows]) => rows.flatMap((row) => (row.value === null ? [] : [row.value])))
  const each = (of: (v: number[]) => number) => values.map((v) => (v.length ? of(v) : null))
  return {
    point,
    time: entries.map(([time]) => time),
    min: each((v) => Math.min(...v)),
    max: each((v) => Math.max(...v)),
    avg: each((v) => v.reduce((sum, value) => sum + value, 0) / v.length),
    first: each((v) => v[0]!),
    last: each((v) => v.at(-1)!),
    count: values.map((v) => v.length),
    rows: entries.map(([, rows]) => rows.length),
  }
}
