// Rows of a tree in the order in which they can be written: parents first, which may be in the same sheet.
import type { Resource } from '../../../../contract/resource.ts'
import { ownerField } from '../../../../server/resource/tree.ts'
import type { SheetRow } from './read.ts'
import type { Wrong } from './references.ts'

/** Rows without one above them in the sheet first, then those below these, and so on; rows that are below themselves are named. */
export const inLevels = (rows: readonly SheetRow[], r: Resource): { levels: SheetRow[][]; wrong: Wrong[] } => {
  const [parent, within] = [r.tree!, ownerField(r)]
  const key = (values: SheetRow['values'], title: unknown) => JSON.stringify([within ? values[within] : null, title])
  const named = Map.groupBy(rows, ({ values }) => key(values, values[r.title]))
  const above = ({ values }: SheetRow) => (values[parent] == null ? [] : (named.get(key(values, values[parent])) ?? []))
  const levels: SheetRow[][] = []
  const placed = new Set<SheetRow>()
  let left = [...rows]
  while (left.length) {
    const level = left.filter((row) => above(row).every((up) => placed.has(up)))
    if (!level.length) break
    levels.push(level)
    for (const row of level) placed.add(row)
    left = left.filter((row) => !placed.has(row))
  }
  return { levels, wrong: left.map(({ row }) => ({ row, field: parent, rule: 'treeCircle' })) }
}
