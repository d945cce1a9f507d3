import uPlot from 'uplot'
import type { Line } from './assemble.ts'

/** A null reaches as far as the moments of other lines do; else theirs would shrink a gap to nothing. */
const expandNulls = 2

const table = ({ Time, Value, Low, High }: Line): uPlot.AlignedData => (Low && High ? [Time, Value, Low, High] : [Time, Value])

/** Lines as columns over one common time, the way a plot takes them. */
export const columnsOf = (lines: readonly Line[]): uPlot.AlignedData => {
  const tables = lines.map(table)
  return tables.length
    ? uPlot.join(
        tables,
        tables.map((columns) => columns.map(() => expandNulls)),
      )
    : [[]]
}
