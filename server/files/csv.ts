import { type Cell, guarded } from './cell.ts'

/** Excel needs the byte order mark to read UTF-8. */
export const csvMark = '\uFEFF'

/** RFC 4180, with every separator that a spreadsheet may use quoted; a text that a spreadsheet would take for a formula is guarded as in xlsx. */
const csvCell = (cell: Cell): string => {
  const text = String(guarded(cell) ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`
