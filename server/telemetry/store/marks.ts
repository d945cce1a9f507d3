/**
 * Quarter-hours of one point with values, ascending. `firstAt` and `lastAt` are the moments of the first and last value, epoch ms; NaN where
 * only single readings tell them.
 */
export type QuarterMarks = {
  point: number
  time: number[]
  min: number[]
  max: number[]
  first: number[]
  last: number[]
  count: number[]
  firstAt: number[]
  lastAt: number[]
}
export const markNames = [
  'point',
  'time',
  'min',
  'max',
  'first',
  'last',
  'count',
  'firstAt',
  'lastAt',
] as const satisfies readonly (keyof QuarterMarks)[]

/** Columns in the order of `markNames`, sorted by point and time, cut at the points. */
export const marksOf = (table: (number | null)[][]): QuarterMarks[] => {
  const answer: QuarterMarks[] = []
  const point = table[0] ?? []
  for (let i = 0; i < point.length; ) {
    let next = i + 1
    while (next < point.length && point[next] === point[i]) next++
    const [time, min, max, first, last, count] = table.slice(1, 7).map((column) => column.slice(i, next) as number[])
    const [firstAt, lastAt] = table.slice(7, 9).map((column) => column.slice(i, next).map((at) => at ?? Number.NaN))
    answer.push({
      point: point[i]!,
      ...{ time: time!, min: min!, max: max!, first: first!, last: last!, count: count!, firstAt: firstAt!, lastAt: lastAt! },
    })
    i = next
  }
  return answer
}
