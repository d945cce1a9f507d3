import { readInWorker } from './worker.ts'
import { type Cell, guarded, unguarded } from './xlsx.ts'

/** The mark tells Excel that this is UTF-8. */
export const csvMark = '\uFEFF'

/** RFC 4180; a text that a spreadsheet would take for a formula is guarded as in xlsx. */
const csvCell = (cell: Cell): string => {
  const text = String(guarded(cell) ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`

/** Rows of a text table; commas, semicolons or tabs, whichever its first line has most of. */
export const readCsv = async (file: Buffer): Promise<Cell[][]> => {
  const rows = await readInWorker<string>(new URL('./csv-worker.ts', import.meta.url), file)
  return rows.map((row) => row.map((text) => (text === '' ? null : unguarded(text))))
}
