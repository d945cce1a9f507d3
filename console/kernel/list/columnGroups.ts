import type { Arranged } from './arrange.ts'

type Group = { section: string; members: Arranged[]; span: number }
/** Groups adjacent columns of the same section and edge. A frozen edge parts a section: the heading of its first group spans both. */
export const inSections = (columns: readonly Arranged[], sectionOf: (name: string) => string) => {
  const groups: Group[] = []
  let head: Group | undefined
  for (const column of columns) {
    const [section, last] = [sectionOf(column.Field), groups.at(-1)]
    if (head?.section !== section) head = undefined
    if (last && last.section === section && last.members[0]!.Fixed === column.Fixed) last.members.push(column)
    else groups.push({ section, members: [column], span: 0 })
    head ??= groups.at(-1)!
    head.span++
  }
  return groups
}
