import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/**
 * Columns of a result whose columns are all DOUBLE, straight from DuckDB's memory: the library's own way looks at every value by
 * itself, a BigInt each for whether it is null, and takes longer than the query (docs/performance.md).
 */
export const numbersOf = (chunks: readonly DuckDBDataChunk[], columns: number): (number | null)[][] => {
  const answer: (number | null)[][] = Array.from({ length: columns }, () => [])
  for (const { chunk, rowCount } of chunks)
    for (const [i, column] of answer.entries()) {
      const vector = duckdb.data_chunk_get_vector(chunk, i)
      const bytes = duckdb.vector_get_data(vector, rowCount * 8)
      const values = new Float64Array(bytes.buffer, bytes.byteOffset, rowCount)
      const valid: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8)
      for (let row = 0; row < rowCount; row++) column.push(valid && !(valid[row >> 3]! & (1 << (row & 7))) ? null : values[row]!)
    }
  return answer
}
