// The cells of a point's readings and figures.
import type { Series } from '../../../../contract/telemetry.ts'
import type { TableCells } from '../../../../server/files/table/table.ts'
import type { PackedReadings } from '../../../../server/telemetry/store/store.ts'
import type { HistoryFigure } from '../contract.ts'
import { figureOf } from '../figure.ts'
import type { HistoryJob } from './job.ts'

type Point = HistoryJob['points'][number]
const bucketValue = (p: Point, s: Series, i: number, figure: HistoryFigure): number | null => {
  if (figure === 'Value') return figureOf(p, s, i).value
  return s[figure]?.[i] ?? null
}
/** The cells of a point's readings, column by column. */
export const cellsOfReadings = (job: Pick<HistoryJob, 'qualities'>, { value, quality }: PackedReadings): TableCells[] => {
  const { qualities } = job
  return qualities ? [value, Array.from(quality, (of) => qualities[of]!)] : [value]
}
/** The cells of a point's buckets. */
export const cellsOfBuckets = (job: HistoryJob, p: Point, s: Series): TableCells[] => {
  const cells = (of: (i: number) => number | null) => Float64Array.from(s.Time, (_, i) => of(i) ?? Number.NaN)
  return [
    ...job.figures.map((figure) => cells((i) => bucketValue(p, s, i, figure))),
    ...(job.coverage ? [cells((i) => s.Coverage?.[i] ?? null)] : []),
  ]
}
