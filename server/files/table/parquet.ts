import { constants, zstdCompressSync } from 'node:zlib'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { distinct, type TableBlock, type TableCells, type TableFile, type TableOptions, wallClock } from './table.ts'

/** Rows that are compressed together, and their cells, which are in memory until then. */
const [groupRows, groupCells] = [50_000, 1_000_000]

/** Native: Snappy, the writer's own, is JavaScript and takes a third of the time of a file. */
const compressors = {
  ZSTD: (page: Uint8Array) => zstdCompressSync(page, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

type Cells = TableCells | readonly (number | null)[]
type Shape = { title: string; is: 'time' | 'text' | 'number' }
type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]
const elementOf = (name: string, is: Shape['is']): Element => {
  if (is === 'time') return { name, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' }
  if (is === 'text') return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
  return { name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }
}

const joined = (parts: readonly TableCells[]): TableCells => {
  const [first] = parts
  if (parts.length === 1 || !(first instanceof Float64Array))
    return parts.length === 1 ? first! : parts.flatMap((part) => [...part] as string[])
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part as Float64Array, at)
    at += part.length
  }
  return all
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
    ...{ codec: 'ZSTD', compressors },
    kvMetadata: about.map(([key, value]) => ({ key, value })),
  })
  const offsetsOf = (times: TableCells) => Array.from(times as Float64Array, (at) => clock(at).offset)
  /** Columns as the file has them: times with their offset beside them, nulls where a number is empty. */
  const dataOf = (given: readonly TableCells[]) =>
    given.flatMap((cells, i): Cells[] => {
      if (columns[i]!.is === 'time') return [cells, offsetsOf(cells)]
      return [cells instanceof Float64Array && cells.some(Number.isNaN) ? Array.from(cells, (v) => (Number.isNaN(v) ? null : v)) : cells]
    })
  let [waiting, rows]: [TableBlock[], number] = [[], 0]
  const flush = () => {
    if (!rows) return
    const together = columns.map((_, i) => joined(waiting.map((block) => block.columns[i]!)))
    ;[waiting, rows] = [[], 0]
    file.write({
      columnData: dataOf(together).map((data, i) => ({
        ...{ name: titles[i]!, data: data as Float64Array },
        // Names, units and offsets repeat in all rows.
        encoding: spread[i]!.is === 'text' ? 'RLE_DICTIONARY' : 'PLAIN',
      })),
      rowGroupSize: groupRows,
    })
  }
  return {
    write: (block) => {
      waiting.push(block)
      rows += block.rows
      if (rows >= groupRows || rows * columns.length >= groupCells) flush()
    },
    close: () => {
      flush()
      file.finish()
    },
  }
}
