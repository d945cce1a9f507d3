import { guarded } from '../../../contract/cell.ts'
import { csvMark } from '../../../contract/csv.ts'
import { openAppending, type TableCells, type TableFile, type TableOptions, wallClock } from './table.ts'

const flushAt = 1 << 20

/** RFC 4180; a time is ISO 8601 with its offset, and no text of a person becomes a formula. */
export const csvTable = ({ path, columns, about, spans, ms, csv: { separator, decimal } }: TableOptions): TableFile => {
  const file = openAppending(path)
  const clock = wallClock(spans)
  const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const text = (cell: string) => quoted(String(guarded(cell)))
  const time = (at: number) => {
    const { wall, offset } = clock(at)
    return new Date(wall).toISOString().slice(0, ms ? 23 : 19) + offset
  }
  const number = (value: number) => {
    if (decimal === '.') return String(value)
    const said = String(value).replace('.', decimal)
    return said.includes(separator) ? `"${said}"` : said
  }
  /** Writer of a column's cells in a block. Quotes a repeated text once. */
  const cellsOf = (cells: TableCells, isTime: boolean): ((row: number) => string) => {
    if (cells instanceof Float64Array) {
      const said = isTime ? time : number
      return (row) => {
        const value = cells[row]!
        return Number.isNaN(value) ? '' : said(value)
      }
    }
    let [last, written] = ['', '']
    return (row) => {
      const cell = cells[row] ?? null
      if (cell === null) return ''
      if (cell !== last) [last, written] = [cell, text(cell)]
      return written
    }
  }
  let buffer = csvMark
  const flush = () => {
    file.write(Buffer.from(buffer))
    buffer = ''
  }
  const add = (line: string) => {
    buffer += `${line}\r\n`
    if (buffer.length > flushAt) flush()
  }
  for (const line of about) add(line.map(text).join(separator))
  if (about.length) add('')
  add(columns.map(({ title }) => text(title)).join(separator))
  return {
    write: (block) => {
      const cells = block.columns.map((of, i) => cellsOf(of, columns[i]!.is === 'time'))
      for (let row = 0; row < block.rows; row++) {
        let line = cells[0]!(row)
        for (let i = 1; i < cells.length; i++) line += separator + cells[i]!(row)
        add(line)
      }
    },
    close: () => {
      flush()
      file.close()
    },
  }
}
