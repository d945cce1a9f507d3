import { isReservedName } from '../../contract/prototypes.ts'
import { Fault } from './faults.ts'

/** Parts of the longest name that a list knows: QueryInfo.QueryConditions.0.Field. */
const deepest = 4

/**
 * Unfolds names of parameters: `QueryInfo[QueryConditions][0][Field]` and `QueryInfo.QueryConditions.0.Field` are equivalent (ruling 9).
 * The result inherits nothing, and a path enters only containers made here: never a value of the request, which has a prototype.
 */
export const unfoldParameters = (given: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const root: Record<string, unknown> = Object.create(null)
  const made = new Set<unknown>([root])
  for (const [key, value] of Object.entries(given)) {
    const path = key.split(/[[\].]+/).filter(Boolean)
    const last = path.pop()
    if (last === undefined) continue
    const refused = () => new Fault('unknownFilter', { field: key.slice(0, 60) })
    if (path.length >= deepest || isReservedName(last) || path.some(isReservedName)) throw refused()
    let at = root
    for (const name of path) {
      if (!(name in at)) {
        at[name] = Object.create(null)
        made.add(at[name])
      }
      if (!made.has(at[name])) throw refused()
      at = at[name] as Record<string, unknown>
    }
    // Also refuses a value for what is a container already: the order of parameters means nothing.
    if (last in at) throw refused()
    at[last] = value
  }
  return root
}
