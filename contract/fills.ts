import type { Field } from './field.ts'
import type { Language } from './languages.ts'

type Values = Readonly<Record<string, unknown>>
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** The values that the record chosen in a reference gives to the empty fields of a row. */
export const filledBy = (f: Field, chosen: Values, row: Values, language: Language): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((f.kind === 'ref' && f.fills) || {}).flatMap(([name, from]) => {
      const value = chosen[typeof from === 'string' ? from : from[language]]
      return isEmpty(row[name]) && !isEmpty(value) ? [[name, value]] : []
    }),
  )
