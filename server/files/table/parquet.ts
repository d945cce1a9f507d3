import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { distinct, type TableCell, type TableFile, type TableOptions, wallClock } from './table.ts'

/** Rows that are compressed together. */
const groupRows = 50_000

type Shape = { title: string; is: 'time' | 'text' | 'number' }
type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]
const elementOf = (name: string, is: Shape['is']): Element => {
  if (is === 'time') return { name, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' }
  if (is === 'text') return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
  return { name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }
}

/** Times are UTC timestamps with an offset column. The header goes into the file's metadata. */
export const parquetTable = ({ path, columns, about, spans, offsetTitle }: TableOptions): TableFile => {
  const clock = wallClock(spans)
  const spread = columns.flatMap(({ title, is }): Shape[] =>
    is === 'time'
      ? [
          { title, is },
          { title: offsetTitle, is: 'text' },
        ]
      : [{ title, is }],
  )
  const titles = distinct(spread.map(({ title }) => title))
  const schema = [{ name: 'root', num_children: spread.length }, ...spread.map(({ is }, i) => elementOf(titles[i]!, is))]
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema,
    createdBy: 'Penstock',
    kvMetadata: about.map(([key, value]) => ({ key, value })),
  })
  let data: TableCell[][] = spread.map(() => [])
  const flush = () => {
    if (data[0]!.length) file.write({ columnData: data.map((column, i) => ({ name: titles[i]!, data: column })), rowGroupSize: groupRows })
    data = spread.map(() => [])
  }
  return {
    write: (rows) => {
      for (const row of rows) {
        let at = 0
        for (const [i, cell] of row.entries()) {
          data[at++]!.push(cell)
          if (columns[i]!.is === 'time') data[at++]!.push(clock(Number(cell)).offset)
        }
        if (data[0]!.length >= groupRows) flush()
      }
    },
    close: () => {
      flush()
      file.finish()
    },
  }
}
