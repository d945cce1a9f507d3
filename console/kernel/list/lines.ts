/** The rendered rows of a virtual table: their ids and React keys. A key decides which DOM row renders the id. */
export type Lines = { ids: readonly number[]; keys: readonly number[] }

/**
 * Recycles the DOM rows of ids that left for ids that come after the remaining ones, so that only their text changes.
 * Ids before the remaining ones get new DOM rows, because React would otherwise move all others.
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
