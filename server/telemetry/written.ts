import type { Wrapper } from '../../contract/call.ts'
import type { Series } from '../../contract/telemetry.ts'
import type { Buckets } from './store/store.ts'

/** The contract's answer to Data, MinData, HourData and DayData. Step in ms, 0 = hours or days of the zone. */
export type SeriesAnswer = { Start: number; End: number; Step: number; TimeZone: string; Series: Series[] }

/** The columns of a point's buckets as the wire names them. */
export const sent = ({ time, min, max, avg, first, last, count }: Buckets) => ({
  ...{ Time: time, Min: min, Max: max, Avg: avg, First: first, Last: last },
  Count: count,
})

/** By the column of times, which belongs to one answer alone: gone with it. */
const texts = new WeakMap<readonly number[], Buffer>()

/** Keeps the JSON text of buckets that nobody changes any more: writing five years of hours anew takes 20 ms (docs/performance.md). */
export const keepText = (buckets: Buckets) =>
  void texts.set(buckets.time, Buffer.from(JSON.stringify(sent(buckets)).slice(1, -1), 'latin1'))
export const textBytes = ({ time }: Buckets) => texts.get(time)?.length ?? 0

const frameOf = (answer: Wrapper<SeriesAnswer>) => {
  // The key, for a quotation mark within a text has a backslash before it.
  const [head, tail] = JSON.stringify({ ...answer, Data: { ...answer.Data, Series: [] } }).split('"Series":[]')
  return [`${head}"Series":[`, `]${tail}`] as const
}

/** Of single readings five columns are one: written once. */
const columnsText = (columns: Omit<Series, 'ParaId' | 'Raw'>) => {
  const once = new Map<unknown, string>()
  const text = (column: unknown) => once.get(column) ?? once.set(column, JSON.stringify(column)).get(column)
  return Object.entries(columns)
    .map(([name, column]) => `"${name}":${text(column)}`)
    .join(',')
}

/** What JSON.stringify makes of an answer, from the texts that are kept where there are any. */
export const written = (answer: Wrapper<SeriesAnswer>): string | Buffer => {
  const [head, tail] = frameOf(answer)
  const series = answer.Data.Series.flatMap(({ ParaId, Raw, ...columns }, i) => {
    const own = `${i ? ',' : ''}${JSON.stringify({ ParaId, Raw }).slice(0, -1)},`
    return [own, texts.get(columns.Time) ?? columnsText(columns), '}']
  })
  const pieces = [head, ...series, tail]
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
