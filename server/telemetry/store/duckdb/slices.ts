import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from './engine.ts'

/** Points in [low, high) that are sorted together. */
export type Slice = { low: number; high: number }
export const inSlice = ({ low, high }: Slice) => `point >= ${low} and point < ${high}`

/** Cuts all points there can be so that a slice has at most `sliceRows` rows, or one point: memory is bounded, however long the range. */
export const slicesOf = async (db: DuckDBConnection, points: string, sliceRows: number): Promise<Slice[]> => {
  const counts = await rowsOf<{ point: number; rows: number }>(
    db,
    `select point::double as point, count(*)::double as rows from (${points}) group by 1 order by 1`,
  )
  const borders = [0]
  let sum = 0
  for (const { point, rows } of counts) {
    if (sum > 0 && sum + rows > sliceRows) {
      borders.push(point)
      sum = 0
    }
    sum += rows
  }
  return borders.map((low, i) => ({ low, high: borders[i + 1] ?? Number.MAX_SAFE_INTEGER }))
}
