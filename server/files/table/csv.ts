import { guarded } from '../../../contract/cell.ts'
import { csvMark } from '../../../contract/csv.ts'
import { openAppending, type TableCell, type TableFile, type TableOptions, wallClock } from './table.ts'

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
  const isTime = columns.map(({ is }) => is === 'time')
  const cell = (value: TableCell, i: number) => {
    if (value === null) return ''
    if (typeof value === 'string') return text(value)
    return isTime[i] ? time(value) : number(value)
  }
  let buffer = csvMark
  const flush = () => {
    file.write(Buffer.from(buffer))
    buffer = ''
  }
  const add = (cells: readonly string[]) => {
    buffer += `${cells.join(separator)}\r\n`
    if (buffer.length > flushAt) flush()
  }
  for (const line of about) add(line.map(text))
  if (about.length) add([])
  add(columns.map(({ title }) => text(title)))
  return {
    write: (rows) => {
      for (const row of rows) add(row.map(cell))
    },
    close: () => {
      flush()
      file.close()
    },
  }
}
