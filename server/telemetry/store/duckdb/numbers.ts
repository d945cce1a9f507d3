import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/**
 * Columns of a result whose columns are all DOUBLE, straight from DuckDB's memory: the library's own way looks at every value by
 * itself, a BigInt each for whether it is null, and takes longer than the query (docs/performance.md). Throws TypeError for other columns.
 */
export const numbersOf = (chunks: readonly DuckDBDataChunk[], columns: number): (number | null)[][] => {
  const answer: (number | null)[][] = Array.from({ length: columns }, () => [])
  for (const { chunk, rowCount } of chunks)
    for (const [i, column] of answer.entries()) {
      const vector = duckdb.data_chunk_get_vector(chunk, i)
      // Of narrower values, as a null without a type is, memory beyond the column's would be read.
      if (duckdb.get_type_id(duckdb.vector_get_column_type(vector)) !== duckdb.Type.DOUBLE)
        throw new TypeError(`Column ${i} is not DOUBLE.`)
      const bytes = duckdb.vector_get_data(vector, rowCount * 8)
      const values = new Float64Array(bytes.buffer, bytes.byteOffset, rowCount)
      const valid: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8)
      for (let row = 0; row < rowCount; row++) column.push(valid && !(valid[row >> 3]! & (1 << (row & 7))) ? null : values[row]!)
    }
  return answer
}
