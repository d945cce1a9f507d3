// Rows of a tree in the order in which they can be written: parents first, which may be in the same sheet.
import type { Resource } from '../../../../contract/resource.ts'
import { ownerField } from '../../../../server/resource/tree.ts'
import type { SheetRow } from './read.ts'
import type { Wrong } from './references.ts'

/**
 * Rows without one above them in the sheet first, then those below these, and so on; rows that are below themselves are named.
 * Looks at each row once: a sheet may be one chain of 50,000.
 */
export const inLevels = (rows: readonly SheetRow[], r: Resource): { levels: SheetRow[][]; wrong: Wrong[] } => {
  const [parent, within] = [r.tree!, ownerField(r)]
  const key = (values: SheetRow['values'], title: unknown) => `${within ? values[within] : ''}\n${title}`
  const keyOf = ({ values }: SheetRow) => key(values, values[r.title])
  const aboveOf = ({ values }: SheetRow) => (values[parent] == null ? undefined : key(values, values[parent]))
  const below = Map.groupBy(rows, aboveOf)
  /** Rows of each name that have no place yet. Those below a name wait for all of them. */
  const left = new Map<string, number>()
  for (const row of rows) left.set(keyOf(row), (left.get(keyOf(row)) ?? 0) + 1)
  const levels: SheetRow[][] = []
  let level = rows.filter((row) => !left.has(aboveOf(row) ?? ''))
  while (level.length) {
    levels.push(level)
    const next: SheetRow[] = []
    for (const row of level) {
      const name = keyOf(row)
      left.set(name, left.get(name)! - 1)
      if (left.get(name) === 0) for (const child of below.get(name) ?? []) next.push(child)
    }
    level = next.sort((a, b) => a.row - b.row)
  }
  const placed = new Set(levels.flat())
  const wrong = rows.flatMap((row) => (placed.has(row) ? [] : [{ row: row.row, field: parent, rule: 'treeCircle' }]))
  return { levels, wrong }
}
