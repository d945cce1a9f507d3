import type { DuckDBConnection } from '@duckdb/node-api'
import type { Buckets, Readings } from '../store.ts'
import { chunksOf } from './engine.ts'
import { numbersInPieces } from './numbers.ts'

type Column = (number | null)[]
/** Buckets of one point, ascending by key, with what it takes to join two halves of a bucket: times of its first and last value. */
export type Part = {
  key: number[]
  min: Column
  max: Column
  sum: Column
  first: Column
  last: Column
  count: number[]
  rows: number[]
  firstAt: Column
  lastAt: Column
}

export const names = ['key', 'min', 'max', 'sum', 'first', 'last', 'count', 'rows', 'firstAt', 'lastAt'] as const
/** Columns that `partsOf` reads, in its order, of rows that `combine` made. */
export const partColumns = `point::double as point, key::double as key, min, max, sum, first, last, count::double as count,
  rows::double as rows, first_at::double as first_at, last_at::double as last_at`

/** Single readings in the same columns: time as key, value as min; the point negative, to keep them apart from its buckets. */
export const readingColumns = `(-1 - point)::double as point, time::double as key, value as min, null::double as max, null::double as sum,
  null::double as first, null::double as last, null::double as count, null::double as rows, null::double as first_at, null::double as last_at`
export const readingsOf = (parts: ReadonlyMap<number, Part>, point: number): Readings => {
  const part = parts.get(-1 - point)
  return { time: part?.key ?? [], value: part?.min ?? [] }
}

/** The parts of an answer that is sorted by point and key, by point. */
export const partsOf = async (db: DuckDBConnection, sql: string): Promise<Map<number, Part>> => {
  const [point, ...columns] = await numbersInPieces((await chunksOf(db, sql)).chunks, names.length + 1)
  const parts = new Map<number, Part>()
  for (let i = 0; i < point!.length; ) {
    let next = i + 1
    while (next < point!.length && point![next] === point![i]) next++
    const part = Object.fromEntries(names.map((name, c) => [name, next - i === point!.length ? columns[c]! : columns[c]!.slice(i, next)]))
    parts.set(point![i]!, part as Part)
    i = next
  }
  return parts
}

const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b))
const most = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b))
const sum = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b)

const slice = (part: Part, from: number, to?: number) =>
  Object.fromEntries(names.map((name) => [name, (part[name] as Column).slice(from, to)])) as Part

/** Two parts of one point, of different readings, as one; neither is changed. Only where their keys overlap is work done for each. */
export const joined = (one: Part | undefined, other: Part | undefined): Part | undefined => {
  if (!one?.key.length || !other?.key.length) return one?.key.length ? one : other
  const [a, b] = one.key[0]! <= other.key[0]! ? [one, other] : [other, one]
  let i = a.key.at(-1)! < b.key[0]! ? a.key.length : a.key.findIndex((key) => key >= b.key[0]!)
  let k = 0
  const answer = slice(a, 0, i)
  const take = (from: Part, at: number) => {
    for (const name of names) (answer[name] as Column).push(from[name][at]!)
  }
  while (i < a.key.length && k < b.key.length) {
    const order = a.key[i]! - b.key[k]!
    if (order < 0) take(a, i++)
    else if (order > 0) take(b, k++)
    else {
      const [aFirst, bFirst] = [a.firstAt[i] ?? Number.POSITIVE_INFINITY, b.firstAt[k] ?? Number.POSITIVE_INFINITY]
      const [aLast, bLast] = [a.lastAt[i] ?? Number.NEGATIVE_INFINITY, b.lastAt[k] ?? Number.NEGATIVE_INFINITY]
      answer.key.push(a.key[i]!)
      answer.min.push(least(a.min[i]!, b.min[k]!))
      answer.max.push(most(a.max[i]!, b.max[k]!))
      answer.sum.push(sum(a.sum[i]!, b.sum[k]!))
      answer.first.push(aFirst <= bFirst ? a.first[i]! : b.first[k]!)
      answer.last.push(aLast >= bLast ? a.last[i]! : b.last[k]!)
      answer.count.push(a.count[i]! + b.count[k]!)
      answer.rows.push(a.rows[i]! + b.rows[k]!)
      answer.firstAt.push(least(a.firstAt[i]!, b.firstAt[k]!))
      answer.lastAt.push(most(a.lastAt[i]!, b.lastAt[k]!))
      i++
      k++
    }
  }
  const rest = i < a.key.length ? slice(a, i) : slice(b, k)
  return Object.fromEntries(names.map((name) => [name, (answer[name] as Column).concat(rest[name])])) as Part
}

/** `timesOf` are the starts of keys' buckets, epoch ms. The part owns the arrays: callers must not change them. */
export const bucketsOf = (point: number, part: Part, timesOf: (keys: readonly number[]) => number[]): Buckets => ({
  point,
  time: timesOf(part.key),
  ...{ min: part.min, max: part.max, first: part.first, last: part.last, count: part.count, rows: part.rows },
  avg: part.sum.map((s, i) => (s === null || !part.count[i] ? null : s / part.count[i]!)),
})
