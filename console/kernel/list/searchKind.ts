import type { Field } from '../../../contract/field.ts'
import type { Resource } from '../../../contract/resource.ts'

/** Search kind of a field (specification, section 2: eight types; a date range covers one day and the day/month switch). */
export type SearchKind = 'autocomplete' | 'input' | 'select' | 'dates' | 'tree' | 'dialog'

/** The parent field of a tree. */
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
/** Nests rows under their parents. Rows with an unknown parent are roots. */
export const branches = (rows: readonly Row[], parent: string, title: string): Branch[] => {
  const made = new Map(rows.map((row) => [row.Id, { value: row.Id, title: String(row[title] ?? row.Id), children: [] as Branch[] }]))
  const top: Branch[] = []
  for (const row of rows) {
    const above = row[parent] === row.Id ? undefined : made.get(row[parent] as number)
    ;(above?.children ?? top).push(made.get(row.Id)!)
  }
  return top
}

/** A range of a single day is that day. */
export type DateMode = 'one' | 'date' | 'month'
export const dateMode = (value: string | undefined): DateMode => {
  const [from, to] = (value ?? '').split('~')
  return from && from === to ? 'one' : 'date'
}
