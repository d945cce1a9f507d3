import writeXlsxFile from 'write-excel-file/node'
import { type Cell, guarded } from '../../contract/cell.ts'

export const writeSheet = async (header: readonly string[], rows: readonly (readonly Cell[])[]): Promise<Buffer> => {
  const head = header.map((value) => ({ value, fontWeight: 'bold' as const }))
  const columns = header.map((title, i) => ({
    width: Math.min(40, Math.max([...title].length * 1.6, ...rows.slice(0, 50).map((r) => String(r[i] ?? '').length)) + 3),
  }))
  return writeXlsxFile([head, ...rows.map((r) => r.map((cell) => guarded(cell)))] as never, { stickyRowsCount: 1, columns }).toBuffer()
}
