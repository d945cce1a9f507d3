// Merges readings and figures of points into rows by time.
import type { TableBlock, TableCells, TableColumn } from '../../../../server/files/table/table.ts'

/** A point's share of a piece of the range, by ascending time: one column for each cell. */
export type Part = { at: number; time: Float64Array; cells: readonly TableCells[] }

/** Points of a group share rows with equal times. The order of groups is that of their rows at one time. */
export type Layout = {
  columns: TableColumn[]
  /** A column of texts that follow from the time of a row. */
  label?: { column: number; names: ReadonlyMap<number, string> }
  /** `texts`: constant cells of the group's rows, by column. */
  groups: readonly { points: readonly number[]; texts: ReadonlyMap<number, string> }[]
  /** First column of each point. */
  placeOf: readonly number[]
}

/**
 * Maximum cells and rows of a block. A whole piece may have a hundred columns whose times never coincide, and progress is reported after
 * each block.
 */
const [cellsAtOnce, rowsAtOnce] = [1_000_000, 20_000]

const isSame = (a: Float64Array, b: Float64Array) => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
const union = (a: Float64Array, b: Float64Array) => {
  if (isSame(a, b)) return a
  const all = new Float64Array(a.length + b.length)
  let [i, k, n] = [0, 0, 0]
  while (i < a.length || k < b.length) {
    const next = k === b.length || (i < a.length && a[i]! <= b[k]!) ? a[i]! : b[k]!
    if (a[i] === next) i++
    if (b[k] === next) k++
    all[n++] = next
  }
  return all.subarray(0, n)
}
/** Distinct times, ascending. */
const unionOf = (times: readonly Float64Array[]): Float64Array => {
  if (times.length < 2) return times[0] ?? new Float64Array()
  const half = times.length >> 1
  return union(unionOf(times.slice(0, half)), unionOf(times.slice(half)))
}

/** Row index of each time of a point. */
const rowsOfPart = (time: Float64Array, all: Float64Array, rows: Uint32Array) => {
  if (time.length === all.length) return rows
  const own = new Uint32Array(time.length)
  for (let i = 0, k = 0; i < time.length; i++) {
    while (all[k] !== time[i]) k++
    own[i] = rows[k]!
  }
  return own
}

/** Row indexes of the groups, sorted by time, then by group. */
const rowsOf = (times: readonly Float64Array[]): Uint32Array[] => {
  const all = unionOf(times)
  const places = Uint32Array.from(all.keys())
  const placesOf = times.map((time) => rowsOfPart(time, all, places))
  const next = new Uint32Array(all.length + 1)
  for (const of of placesOf) for (const place of of) next[place + 1]!++
  for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!
  return placesOf.map((of) => of.map((place) => next[place]!++))
}

/** Cells of a column with their ascending rows, or one text for all. `next`: index of the first cell not yet written. */
type Fill = { column: number; cells: TableCells | string; rows: Uint32Array; next: number }

const fillNumbers = (into: Float64Array, cells: Float64Array, fill: Fill, from: number, to: number) => {
  const { rows } = fill
  let i = fill.next
  for (; i < rows.length && rows[i]! < to; i++) into[rows[i]! - from] = cells[i]!
  fill.next = i
}
const fillTexts = (into: (string | null)[], cells: readonly (string | null)[] | string, fill: Fill, from: number, to: number) => {
  const { rows } = fill
  const isOne = typeof cells === 'string'
  let i = fill.next
  for (; i < rows.length && rows[i]! < to; i++) into[rows[i]! - from] = isOne ? cells : cells[i]!
  fill.next = i
}

const fillsOf = ({ groups, placeOf, label }: Layout, parts: readonly Part[]) => {
  const byPoint = new Map(parts.map((part) => [part.at, part]))
  const present = groups.map(({ points, texts }) => {
    const mine = points.flatMap((at) => byPoint.get(at) ?? [])
    return { texts, mine, time: unionOf(mine.map(({ time }) => time)) }
  })
  const rows = rowsOf(present.map(({ time }) => time))
  const fills = present.flatMap(({ texts, mine, time }, g): Omit<Fill, 'next'>[] => [
    { column: 0, cells: time, rows: rows[g]! },
    ...(label ? [{ column: label.column, cells: Array.from(time, (at) => label.names.get(at) ?? null), rows: rows[g]! }] : []),
    ...[...texts].map(([column, cells]) => ({ column, cells, rows: rows[g]! })),
    ...mine.flatMap((part) => {
      const own = rowsOfPart(part.time, time, rows[g]!)
      return part.cells.map((cells, c) => ({ column: placeOf[part.at]! + c, cells, rows: own }))
    }),
  ])
  return { fills: fills.map((fill): Fill => ({ ...fill, next: 0 })), total: rows.reduce((sum, { length }) => sum + length, 0) }
}

/** Splits the rows of a piece into blocks; `share`: of the piece, up to the end of the block. */
export function* blocksOf(layout: Layout, parts: readonly Part[]): Generator<TableBlock & { share: number }> {
  const { fills, total } = fillsOf(layout, parts)
  const size = Math.max(1, Math.min(rowsAtOnce, Math.floor(cellsAtOnce / layout.columns.length)))
  for (let from = 0; from < total; from += size) {
    const rows = Math.min(size, total - from)
    const columns = layout.columns.map(({ is }) =>
      is === 'text' ? new Array<string | null>(rows).fill(null) : new Float64Array(rows).fill(Number.NaN),
    )
    for (const fill of fills) {
      const into = columns[fill.column]!
      if (into instanceof Float64Array) fillNumbers(into, fill.cells as Float64Array, fill, from, from + rows)
      else fillTexts(into, fill.cells as readonly string[], fill, from, from + rows)
    }
    yield { rows, columns, share: (from + rows) / total }
  }
}
