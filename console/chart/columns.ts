import uPlot from 'uplot'
import type { Line } from './assemble.ts'

/** A null extends to the times of other lines; otherwise their times would reduce a gap to nothing. */
const expandNulls = 2

const table = ({ Time, Value, Low, High }: Line): uPlot.AlignedData => (Low && High ? [Time, Value, Low, High] : [Time, Value])

/** Aligns lines on a common time axis, as uPlot requires. */
export const columnsOf = (lines: readonly Line[]): uPlot.AlignedData => {
  const tables = lines.map(table)
  return tables.length
    ? uPlot.join(
        tables,
        tables.map((columns) => columns.map(() => expandNulls)),
      )
    : [[]]
}
