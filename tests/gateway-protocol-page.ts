// The tables of docs/gateway-protocol.md.
import { readFileSync } from 'node:fs'

/** First cells of the tables' rows, by the heading above them and the table's own first cell. */
export const tables = () => {
  const found: Record<string, string[]> = {}
  let [heading, name, isTable] = ['', '', false]
  for (const line of readFileSync(new URL('../docs/gateway-protocol.md', import.meta.url), 'utf8').split('\n')) {
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
