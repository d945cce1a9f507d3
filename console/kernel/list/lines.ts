/** What is drawn of many rows: their ids, and what each line is known as to React, which decides what it was drawn in before. */
export type Lines = { ids: readonly number[]; keys: readonly number[] }

/**
 * Rows that have left give their lines to those that come after what stays, so that only what they say is changed; likewise when none stays.
 * For those that come before it new lines are made: React would move all others instead.
 */
export const linesNext = (was: Lines, ids: readonly number[]): Lines => {
  const known = new Map(was.ids.map((id, i) => [id, was.keys[i]!]))
  const stay = ids.map((id) => known.get(id))
  const taken = new Set(stay)
  const free = was.keys.filter((key) => !taken.has(key))
  const top = stay.findIndex((key) => key !== undefined)
  let newest = Math.max(-1, ...was.keys)
  return { ids, keys: stay.map((key, i) => key ?? (i < top ? undefined : free.shift()) ?? ++newest) }
}
