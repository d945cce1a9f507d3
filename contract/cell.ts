export type Cell = string | number | boolean | Date | null
/** A row that holds something, with its place in the sheet; the first row is 1. */
export type SheetRow = { row: number; cells: Cell[] }

const formula = "['=+\\-@\\t\\r\\n\\0＝＋－＠]"
const [begins, isMarked] = [new RegExp(`^\\s*${formula}`), new RegExp(`^'\\s*${formula}`)]
/**
 * A text that a spreadsheet would take for a formula gets a leading apostrophe, taken off again on the way back (security.md S32). Some
 * spreadsheets leave out blanks before it.
 */
export const guarded = (cell: Cell) => (typeof cell === 'string' && begins.test(cell) ? `'${cell}` : cell)
export const unguarded = (cell: Cell) => (typeof cell === 'string' && isMarked.test(cell) ? cell.slice(1) : cell)
