// What work that takes time was allowed to read when it began, and whether its person still sees that much.
import type { Actor } from './actor.ts'
import { type DataScope, isBroader } from './dataScope.ts'

type Hidden = Record<string, readonly string[]>
export type KeptScope = Pick<Actor, 'platform' | 'projects'> & { dataScope?: Omit<DataScope, 'hidden'> & { hidden: Hidden } }

export const keptScope = ({ platform, projects, dataScope }: Actor): KeptScope => {
  if (!dataScope) return { platform, projects }
  const hidden = Object.fromEntries(Object.entries(dataScope.hidden).map(([resource, fields]) => [resource, [...fields]]))
  return { platform, projects, dataScope: { ...dataScope, hidden } }
}

export const stillSees = (actor: Actor, { platform, projects, dataScope: kept }: KeptScope): boolean => {
  if (platform && !actor.platform) return false
  const hidden = Object.fromEntries(Object.entries(kept?.hidden ?? {}).map(([resource, fields]) => [resource, new Set(fields)]))
  return !isBroader({ projects, ...(kept ? { dataScope: { ...kept, hidden } } : {}) }, actor)
}
