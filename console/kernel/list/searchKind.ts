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

/** A range of a single day is that day. */
export type DateMode = 'one' | 'date' | 'month'
export const dateMode = (value: string | undefined): DateMode => {
  const [from, to] = (value ?? '').split('~')
  return from && from === to ? 'one' : 'date'
}
