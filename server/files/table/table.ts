// Tables that grow with their rows, written by a worker: nothing but the rows of one call is in memory.
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Span } from '../../telemetry/zone.ts'

/** Cells of a time are epoch ms, of a number as many digits as it has; `digits` is how many a spreadsheet shows. */
export type TableColumn = { title: string } & ({ is: 'time' | 'text' } | { is: 'number'; digits: number })
/** Cells of a column, one below the other: times and numbers, of which NaN is an empty one, or texts. */
export type TableCells = Float64Array | readonly (string | null)[]
/** Rows, column by column: ten million numbers as cells of rows would be as many objects. */
export type TableBlock = { rows: number; columns: readonly TableCells[] }

export const tableFormats = ['xlsx', 'csv', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]
/** How a csv separates its cells and writes decimals. */
export type CsvStyle = { separator: string; decimal: string }

export type TableOptions = {
  path: string
  columns: readonly TableColumn[]
  /** Lines above the titles, a name and a text each: what the file is about. */
  about: readonly (readonly [string, string])[]
  /** The zone in which times are written, over all of them. */
  spans: readonly Span[]
  /** Title of the UTC offset column. */
  offsetTitle: string
  /** Times show ms. */
  ms: boolean
  csv: CsvStyle
}
export type TableFile = { write(block: TableBlock): void; close(): void }

/** `+05:45` */
const offsetText = (ms: number) => {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** What clocks on the wall show, as if it were UTC, and their offset. Asked for later and later times it need not search. */
export const wallClock = (spans: readonly Span[]) => {
  const texts = spans.map(({ offset }) => offsetText(offset))
  let at = 0
  return (time: number) => {
    if (spans[at]!.from > time) at = 0
    while (at + 1 < spans.length && spans[at + 1]!.from <= time) at++
    return { wall: time + spans[at]!.offset, offset: texts[at]! }
  }
}

/** Makes column titles unique: readers address columns by name. */
export const distinct = (titles: readonly string[]): string[] => {
  const seen = new Set<string>()
  return titles.map((title) => {
    let name = title
    for (let n = 2; seen.has(name); n++) name = `${title} (${n})`
    seen.add(name)
    return name
  })
}

/** A file that grows. A full disk may take a part of a piece before it refuses. */
export const openAppending = (path: string) => {
  const file = openSync(path, 'w')
  return {
    write: (chunk: Uint8Array) => {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
    },
    close: () => closeSync(file),
  }
}
