// Sheets as CSV, from the server and from the console: RFC 4180, and no text of a person becomes a formula.
import { type Cell, guarded } from './cell.ts'

/** Excel needs the byte order mark to read UTF-8. */
export const csvMark = '\uFEFF'

/** Every separator that a spreadsheet may use is quoted. */
const csvCell = (cell: Cell): string => {
  const text = String(guarded(cell) ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`
