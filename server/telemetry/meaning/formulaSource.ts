// A store that also answers for formula points, so that charts, tables and statistics take their Ids like any other.
import { setImmediate } from 'node:timers/promises'
import type { Buckets, PointReadings, Step, Store } from '../store/store.ts'
import { keyOf, offsets, startsOfKeys } from '../zone.ts'
import { type Formula, formulaReadings } from './formula.ts'

type Readable = Pick<Store, 'buckets' | 'columns'>

/** What cuts a range into buckets: the number of a moment's bucket, and where buckets begin. */
const cutting = (step: Step, start: number, end: number) => {
  if ('ms' in step)
    return {
      keyAt: (time: number) => Math.floor((time - step.origin) / step.ms),
      startsOf: (keys: readonly number[]) => keys.map((key) => step.origin + key * step.ms),
    }
  const spans = offsets(step.zone, start, end)
  return {
    keyAt: (time: number) => keyOf(step.unit, spans, time),
    startsOf: (keys: readonly number[]) => startsOfKeys(step.unit, spans, keys),
  }
}

const inBuckets = ({ point, time, value }: PointReadings, step: Step, start: number, end: number, few: number): Buckets | undefined => {
  if (!time.length) return
  const { keyAt, startsOf } = cutting(step, start, end)
  const of: Buckets = { point, time: [], min: [], max: [], avg: [], first: [], last: [], count: [], rows: [] }
  const [keys, sums]: [number[], number[]] = [[], []]
  for (const [i, at] of time.entries()) {
    const key = keyAt(at)
    if (key !== keys.at(-1)) {
      keys.push(key)
      sums.push(0)
      for (const column of [of.min, of.max, of.avg, of.first, of.last]) column.push(null)
      of.count.push(0)
      of.rows.push(0)
    }
    const k = keys.length - 1
    const one = value[i]!
    of.rows[k]!++
    if (one === null) continue
    of.count[k]!++
    sums[k]! += one
    of.min[k] = Math.min(of.min[k] ?? one, one)
    of.max[k] = Math.max(of.max[k] ?? one, one)
    of.first[k] ??= one
    of.last[k] = one
  }
  of.time = startsOf(keys)
  of.avg = sums.map((sum, k) => (of.count[k] ? sum / of.count[k]! : null))
  return time.length <= few ? { ...of, readings: { time, value } } : of
}

export const withFormulas = (store: Readable, formulas: ReadonlyMap<number, Formula>, clock: () => number): Readable => {
  const readingsOf = async (points: readonly number[], start: number, end: number) => {
    const all: PointReadings[] = []
    for (const id of points) {
      const formula = formulas.get(id)
      if (!formula) continue
      all.push(await formulaReadings(store, formula, start, end, clock()))
      // Other people's calls pass between two formulas.
      await setImmediate()
    }
    return all
  }
  const stored = (points: readonly number[]) => points.filter((id) => !formulas.has(id))
  return {
    columns: async (points, start, end) => {
      const plain = stored(points)
      const found = plain.length ? await store.columns(plain, start, end) : []
      const computed = (await readingsOf(points, start, end)).filter(({ time }) => time.length)
      return [...found, ...computed].sort((a, b) => a.point - b.point)
    },
    buckets: async (points, start, end, step, few = 0) => {
      const plain = stored(points)
      const found = plain.length ? await store.buckets(plain, start, end, step, few) : []
      const computed = (await readingsOf(points, start, end)).flatMap((of) => inBuckets(of, step, start, end, few) ?? [])
      return [...found, ...computed].sort((a, b) => a.point - b.point)
    },
  }
}
