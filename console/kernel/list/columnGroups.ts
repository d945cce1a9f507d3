import type { Arranged } from './arrange.ts'

/** Groups adjacent columns of the same section and edge. */
export const inSections = (columns: readonly Arranged[], sectionOf: (name: string) => string) => {
  const groups: { section: string; members: Arranged[] }[] = []
  for (const column of columns) {
    const [section, last] = [sectionOf(column.Field), groups.at(-1)]
    if (last && last.section === section && last.members[0]!.Fixed === column.Fixed) last.members.push(column)
    else groups.push({ section, members: [column] })
  }
  return groups
}
