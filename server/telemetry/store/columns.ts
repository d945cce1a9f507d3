import { inSlices } from '../../jobs/ownTurn.ts'
import type { Buckets, PackedReadings, PointReadings, RunLengths } from './store.ts'

/** Columns point, key, min, max, avg, first, last, count, rows, sorted by point and key, cut at the points. */
export const columnsOf = (table: (number | null)[][], timeOf: (key: number) => number): Buckets[] => {
  const [point, key, min, max, avg, first, last, count, rows] = table
  const answer: Buckets[] = []
  const length = point?.length ?? 0
  for (let i = 0; i < length; ) {
    let next = i + 1
    while (next < length && point![next] === point![i]) next++
    const part = (column: (number | null)[] | undefined) => column!.slice(i, next)
    answer.push({
      point: point![i]!,
      time: (part(key) as number[]).map(timeOf),
      ...{ min: part(min), max: part(max), avg: part(avg), first: part(first), last: part(last) },
      ...{ count: part(count) as number[], rows: part(rows) as number[] },
    })
    i = next
  }
  return answer
}

/** Columns point, time, value, quality, sorted by point and time, cut at the points. */
export const readingsOf = ([point, time, value, quality]: (number | null)[][]): PointReadings[] => {
  const answer: PointReadings[] = []
  const length = point?.length ?? 0
  for (let i = 0; i < length; ) {
    let next = i + 1
    while (next < length && point![next] === point![i]) next++
    const part = (column: (number | null)[]) => (next - i === length ? column : column.slice(i, next))
    answer.push({ point: point![i]!, time: part(time!) as number[], value: part(value!), quality: part(quality!) as number[] })
    i = next
  }
  return answer
}

/** The same, packed: points come ascending. */
export const packedOf = ({ point, time, value, quality }: PackedColumns): PackedReadings[] => {
  const answer: PackedReadings[] = []
  for (let i = 0; i < point.length; ) {
    let next = i + 1
    while (next < point.length && point[next] === point[i]) next++
    answer.push({ point: point[i]!, time: time.slice(i, next), value: value.slice(i, next), quality: quality.slice(i, next) })
    i = next
  }
  return answer
}
export type PackedColumns = Omit<PackedReadings, 'point'> & { point: Float64Array<ArrayBuffer> }

/** Packs computed readings, such as those of formula points. */
export const packing = ({ point, time, value, quality }: PointReadings): PackedReadings => ({
  point,
  time: Float64Array.from(time),
  value: Float64Array.from(value, (v) => v ?? Number.NaN),
  quality: Uint8Array.from(quality),
})
export const unpacking = ({ point, time, value, quality }: PackedReadings): PointReadings => ({
  point,
  time: Array.from(time),
  value: Array.from(value, (v) => (Number.isNaN(v) ? null : v)),
  quality: Array.from(quality),
})

/** Where a row stands: at the beginning of equal readings, and as the last one of its point. */
export const rowKind = { begins: 0, beginsAndEnds: 1, ends: 2 } as const

/**
 * Of rows point, time, value, quality, number, previous time, kind, sorted by point and time: where readings of another kind begin, and the
 * last one of each point. `number` counts all readings of the point.
 */
export const runLengthsOf = async ([point, time, value, quality, number, previous, kind]: (number | null)[][]): Promise<RunLengths[]> => {
  const answer: RunLengths[] = []
  let from = 0
  const close = ({ last, rows }: RunLengths, at: number, until: number) => {
    last.push(at)
    rows.push(until - from)
  }
  const take = (i: number) => {
    const isFirst = point![i] !== point![i - 1]
    if (isFirst) answer.push({ point: point![i]!, first: [], last: [], value: [], quality: [], rows: [] })
    const of = answer.at(-1)!
    if (kind![i] !== rowKind.ends) {
      if (!isFirst) close(of, previous![i]!, number![i]!)
      of.first.push(time![i]!)
      of.value.push(value![i]!)
      of.quality.push(quality![i]!)
      from = number![i]!
    }
    if (kind![i] !== rowKind.begins) close(of, time![i]!, number![i]! + 1)
  }
  await inSlices(point?.length ?? 0, (from, to) => {
    for (let i = from; i < to; i++) take(i)
  })
  return answer
}
