import writeXlsxFile from 'write-excel-file/node'
import { Fault } from '../http/faults.ts'
import { readInWorker } from './worker.ts'

export type Cell = string | number | boolean | Date | null
const limits = { unpackedBytes: 100 * 1024 * 1024, entries: 500 }

/** A text that a spreadsheet would take for a formula gets a leading apostrophe, taken off again on the way back (security.md S32). */
export const guarded = (cell: Cell) => (typeof cell === 'string' && /^['=+\-@\t\r\0]/.test(cell) ? `'${cell}` : cell)
export const unguarded = (cell: Cell) => (typeof cell === 'string' && /^'['=+\-@\t\r\0]/.test(cell) ? cell.slice(1) : cell)

export const writeSheet = async (header: readonly string[], rows: readonly (readonly Cell[])[]): Promise<Buffer> => {
  const head = header.map((value) => ({ value, fontWeight: 'bold' as const }))
  const columns = header.map((title, i) => ({
    width: Math.min(40, Math.max([...title].length * 1.6, ...rows.slice(0, 50).map((r) => String(r[i] ?? '').length)) + 3),
  }))
  return writeXlsxFile([head, ...rows.map((r) => r.map((cell) => guarded(cell)))] as never, { stickyRowsCount: 1, columns }).toBuffer()
}

/** What the central directory says the file unpacks to: a bomb is refused before it is opened (S29). */
const checkSize = (file: Buffer) => {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06'), undefined, 'latin1')
  if (file.length < 22 || file.readUInt32LE(0) !== 0x04034b50 || end < 0 || end + 22 > file.length) throw new Fault('sheetUnreadable')
  const entries = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  let unpacked = 0
  for (let i = 0; i < entries; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw new Fault('sheetUnreadable')
    unpacked += file.readUInt32LE(at + 24)
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  if (entries > limits.entries || unpacked > limits.unpackedBytes) throw new Fault('sheetUnreadable')
}

/** First sheet of an xlsx, row by row. */
export const readSheet = async (file: Buffer): Promise<Cell[][]> => {
  checkSize(file)
  const rows = await readInWorker<Cell>(new URL('./xlsx-worker.ts', import.meta.url), file)
  return rows.map((r) => r.map(unguarded))
}
