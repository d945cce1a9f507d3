export type Values = Record<string, unknown>
export type Clash = {
  field: string
  mine: unknown
  theirs: unknown /** What stands unless the person says otherwise. */
  keep: 'mine' | 'theirs'
}

/**
 * Fields that another person changed since `base`, and to another value than the entered one.
 * A field that this person did not edit takes the other person's value by default.
 */
export const clashes = (fields: readonly string[], base: Values, entered: Values, current: Values): Clash[] =>
  fields.flatMap((field) => {
    const [was, mine, theirs] = [base, entered, current].map((row) => row[field] ?? null)
    return theirs === was || theirs === mine ? [] : [{ field, mine, theirs, keep: mine === was ? 'theirs' : 'mine' }]
  })
