import type { Field } from '../../../contract/field.ts'
import type { Resource } from '../../../contract/resource.ts'

/** How a field is searched by (specification, section 2: eight types; a range of dates carries one day and the day/month switch). */
export type SearchKind = 'autocomplete' | 'input' | 'select' | 'dates' | 'tree' | 'dialog'

/** The field that makes a tree of a resource. */
export const parentOf = (r: Resource): string | undefined =>
  Object.entries(r.fields).find(([, f]) => f.kind === 'ref' && f.to === r.name)?.[0]

export const searchKind = (f: Field, resourceNamed: (name: string) => Resource | undefined): SearchKind => {
  switch (f.kind) {
    case 'instant':
      return 'dates'
    case 'text':
      return 'autocomplete'
    case 'ref': {
      const to = resourceNamed(f.to)
      return to && parentOf(to) ? 'tree' : 'dialog'
    }
    case 'choice':
    case 'flag':
      return 'select'
    default:
      return 'input'
  }
}

type Row = { Id: number } & Record<string, unknown>
export type Branch = { value: number; title: string; children: Branch[] }
/** Rows below their parents; those whose parent is not among them stand on top. */
export const branches = (rows: readonly Row[], parent: string, title: string): Branch[] => {
  const made = new Map(rows.map((row) => [row.Id, { value: row.Id, title: String(row[title] ?? row.Id), children: [] as Branch[] }]))
  const top: Branch[] = []
  for (const row of rows) {
    const above = row[parent] === row.Id ? undefined : made.get(row[parent] as number)
    ;(above?.children ?? top).push(made.get(row.Id)!)
  }
  return top
}

/** A range of one and the same day is that day. */
export type DateMode = 'one' | 'date' | 'month'
export const dateMode = (value: string | undefined): DateMode => {
  const [from, to] = (value ?? '').split('~')
  return from && from === to ? 'one' : 'date'
}
