import { type Cell, guarded } from './cell.ts'

/** The mark tells Excel that this is UTF-8. */
export const csvMark = '\uFEFF'

/** RFC 4180, with every separator that a spreadsheet may use quoted; a text that a spreadsheet would take for a formula is guarded as in xlsx. */
const csvCell = (cell: Cell): string => {
  const text = String(guarded(cell) ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`
