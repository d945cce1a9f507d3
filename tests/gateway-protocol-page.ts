// The tables of docs/gateway-protocol.md.
import { readFileSync } from 'node:fs'

const page = () => readFileSync(new URL('../docs/gateway-protocol.md', import.meta.url), 'utf8')

/** First cells of the tables' rows, by the heading above them and the table's own first cell. */
export const tables = () => {
  const found: Record<string, string[]> = {}
  let [heading, name, isTable] = ['', '', false]
  for (const line of page().split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim().replaceAll('`', '')) : []
    if (cells.length && !isTable) name = cells[1] ? `${heading}: ${cells[1]}` : heading
    else if (cells.length && !/^-+$/.test(cells[1]!)) {
      const columns = name === 'Topics: up' ? [cells[1]!, cells[4]!] : [cells[1]!]
      for (const [i, cell] of columns.entries()) {
        const of = i ? 'Topics: down' : name
        if (cell) found[of] = [...(found[of] ?? []), cell]
      }
    }
    isTable = cells.length > 0
  }
  return found
}

/** The cells of a table that is named by its first column. */
export const rowsOf = (column: string): string[][] => {
  const lines = page().split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${column} |`)) + 2
  const rows = lines.slice(start, start + lines.slice(start).findIndex((line) => !line.startsWith('|')))
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}
