// Orders the rows of a tree for writing: parents, which may be in the same sheet, come first.
import type { Resource } from '../../../../contract/resource.ts'
import { ownerField } from '../../../../server/resource/tree.ts'
import type { SheetRow } from './read.ts'
import type { Wrong } from './references.ts'

/**
 * Rows without a parent in the sheet first, then their children, and so on; rows in a cycle are reported.
 * Visits each row once: a sheet may be a chain of 50,000.
 */
export const inLevels = (rows: readonly SheetRow[], r: Resource): { levels: SheetRow[][]; wrong: Wrong[] } => {
  const [parent, within] = [r.tree!, ownerField(r)]
  const key = (values: SheetRow['values'], title: unknown) => `${within ? values[within] : ''}\n${title}`
  const keyOf = ({ values }: SheetRow) => key(values, values[r.title])
  const aboveOf = ({ values }: SheetRow) => (values[parent] == null ? undefined : key(values, values[parent]))
  const below = Map.groupBy(rows, aboveOf)
  /** Unplaced rows by name. Children wait for all rows of their parent's name. */
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
