import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { pausing } from '../../../jobs/ownTurn.ts'
import type { PackedColumns } from '../columns.ts'

/**
 * Columns of a result whose columns are all DOUBLE, straight from DuckDB's memory: the library's own way looks at every value by
 * itself, a BigInt each for whether it is null, and takes longer than the query (docs/performance.md). Throws TypeError for other columns.
 */
export const numbersOf = (chunks: readonly DuckDBDataChunk[], columns: number) => {
  const answer = emptyColumns(columns)
  for (const chunk of chunks) addNumbers(answer, chunk)
  return answer
}
/** Same for many rows, yielding to the event loop. */
export const numbersInPieces = async (chunks: readonly DuckDBDataChunk[], columns: number) => {
  const [answer, pause] = [emptyColumns(columns), pausing()]
  for (const chunk of chunks) {
    addNumbers(answer, chunk)
    await pause()
  }
  return answer
}

type Columns = (number | null)[][]
const emptyColumns = (columns: number): Columns => Array.from({ length: columns }, () => [])
const addNumbers = (to: Columns, { chunk, rowCount }: DuckDBDataChunk) => {
  for (const [i, column] of to.entries()) {
    const vector = duckdb.data_chunk_get_vector(chunk, i)
    // Narrower types, such as an untyped null, would cause reads past the end of the column.
    if (duckdb.get_type_id(duckdb.vector_get_column_type(vector)) !== duckdb.Type.DOUBLE) throw new TypeError(`Column ${i} is not DOUBLE.`)
    const bytes = duckdb.vector_get_data(vector, rowCount * 8)
    const values = new Float64Array(bytes.buffer, bytes.byteOffset, rowCount)
    const valid: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8)
    for (let row = 0; row < rowCount; row++) column.push(valid && !(valid[row >> 3]! & (1 << (row & 7))) ? null : values[row]!)
  }
}

type Chunk = DuckDBDataChunk['chunk']
const bytesOf = (chunk: Chunk, column: number, type: number, bytes: number) => {
  const vector = duckdb.data_chunk_get_vector(chunk, column)
  if (duckdb.get_type_id(duckdb.vector_get_column_type(vector)) !== type) throw new TypeError(`Column ${column} is of another type.`)
  return { vector, data: duckdb.vector_get_data(vector, bytes) }
}

/** Columns that are all DOUBLE and have no nulls, chunk by chunk. */
export const packedDoubles = (chunks: readonly DuckDBDataChunk[], columns: number): Float64Array<ArrayBuffer>[] => {
  const total = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const answer = Array.from({ length: columns }, () => new Float64Array(total))
  let at = 0
  for (const { chunk, rowCount } of chunks) {
    for (const [i, column] of answer.entries()) {
      const { data } = bytesOf(chunk, i, duckdb.Type.DOUBLE, rowCount * 8)
      column.set(new Float64Array(data.buffer, data.byteOffset, rowCount), at)
    }
    at += rowCount
  }
  return answer
}

/** Columns point, time and value, all DOUBLE, and quality, UTINYINT, of which only values are ever null: chunk by chunk, not value by value. */
export const packedNumbers = (chunks: readonly DuckDBDataChunk[]): PackedColumns => {
  const total = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const doubles = () => new Float64Array(total)
  const answer = { point: doubles(), time: doubles(), value: doubles(), quality: new Uint8Array(total) }
  let at = 0
  for (const { chunk, rowCount } of chunks) {
    for (const [i, column] of [answer.point, answer.time, answer.value].entries()) {
      const { vector, data } = bytesOf(chunk, i, duckdb.Type.DOUBLE, rowCount * 8)
      column.set(new Float64Array(data.buffer, data.byteOffset, rowCount), at)
      const valid: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8)
      if (valid) for (let row = 0; row < rowCount; row++) if (!(valid[row >> 3]! & (1 << (row & 7)))) column[at + row] = Number.NaN
    }
    answer.quality.set(bytesOf(chunk, 3, duckdb.Type.UTINYINT, rowCount).data, at)
    at += rowCount
  }
  return answer
}
