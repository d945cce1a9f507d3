import type { Buckets, PointReadings } from './store.ts'

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
