import type { DuckDBConnection } from '@duckdb/node-api'
import type { Buckets } from '../store.ts'
import { numbersOf } from './numbers.ts'

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

const names = ['key', 'min', 'max', 'sum', 'first', 'last', 'count', 'rows', 'firstAt', 'lastAt'] as const
/** Columns that `partsOf` reads, in its order, of rows that `combine` made. */
export const partColumns = `point::double as point, key::double as key, min, max, sum, first, last, count::double as count,
  rows::double as rows, first_at::double as first_at, last_at::double as last_at`

/** The parts of an answer that is sorted by point and key, by point. */
export const partsOf = async (db: DuckDBConnection, sql: string): Promise<Map<number, Part>> => {
  const [point, ...columns] = numbersOf(await (await db.run(sql)).fetchAllChunks(), names.length + 1)
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

/** Two parts of one point, of different readings, as one; neither is changed. */
export const joined = (a: Part | undefined, b: Part | undefined): Part | undefined => {
  if (!a || !b) return a ?? b
  const answer = Object.fromEntries(names.map((name) => [name, [] as Column])) as unknown as Part
  const take = (from: Part, i: number) => {
    for (const name of names) (answer[name] as Column).push(from[name][i]!)
  }
  let [i, k] = [0, 0]
  while (i < a.key.length || k < b.key.length) {
    const order = (a.key[i] ?? Number.POSITIVE_INFINITY) - (b.key[k] ?? Number.POSITIVE_INFINITY)
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
  return answer
}

/** `timeOf` is the start of a key's bucket, epoch ms. Arrays are the part's own: whoever gets them must not change them. */
export const bucketsOf = (point: number, part: Part, timeOf: (key: number) => number): Buckets => ({
  point,
  time: part.key.map(timeOf),
  ...{ min: part.min, max: part.max, first: part.first, last: part.last, count: part.count, rows: part.rows },
  avg: part.sum.map((s, i) => (s === null || !part.count[i] ? null : s / part.count[i]!)),
})

/** Bytes: an array with a null in it holds each number as an object of its own. */
const weigh = (parts: Map<number, Part>) => {
  let bytes = 500
  for (const part of parts.values()) for (const name of names) bytes += part[name].length * ((part[name] as Column).includes(null) ? 24 : 8)
  return bytes
}

/**
 * What closed files hold for some points, cut into buckets, by the files' names: a closed file never changes, and its successor has
 * another name. Bounded in bytes; least lately asked goes first.
 */
export const openClosedParts = (mostBytes = 24 * 1024 * 1024) => {
  const held = new Map<string, { parts: Map<number, Part>; bytes: number }>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= held.get(key)?.bytes ?? 0
    held.delete(key)
  }
  return {
    of: async (key: string, read: () => Promise<Map<number, Part>>): Promise<Map<number, Part>> => {
      const known = held.get(key)
      if (known) {
        held.delete(key)
        held.set(key, known)
        return known.parts
      }
      const parts = await read()
      const weight = weigh(parts)
      drop(key)
      if (weight > mostBytes / 2) return parts
      held.set(key, { parts, bytes: weight })
      bytes += weight
      for (const oldest of held.keys()) {
        if (bytes <= mostBytes) break
        drop(oldest)
      }
      return parts
    },
    bytes: () => bytes,
  }
}
export type ClosedParts = ReturnType<typeof openClosedParts>
