export type Values = Record<string, unknown>
export type Clash = {
  field: string
  mine: unknown
  theirs: unknown /** What stands unless the person says otherwise. */
  keep: 'mine' | 'theirs'
}

/**
 * The fields that somebody else has changed since `base` was read, and not to what was entered. Those the person has not
 * touched take the other's value unless he chooses his.
 */
export const clashes = (fields: readonly string[], base: Values, entered: Values, current: Values): Clash[] =>
  fields.flatMap((field) => {
    const [was, mine, theirs] = [base, entered, current].map((row) => row[field] ?? null)
    return theirs === was || theirs === mine ? [] : [{ field, mine, theirs, keep: mine === was ? 'theirs' : 'mine' }]
  })
