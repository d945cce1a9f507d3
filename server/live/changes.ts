import type { Change, Database } from '../database/db.ts'
import type { Hub } from './hub.ts'

/** Rows of one resource and tenant that change together within this time are told as one: an import is one message, not ten thousand. */
const gatherMs = 100
const single = 20

/** Tells live consoles what was written, so that lists that show it read it again. */
export const tellChanges = (database: Database, hub: Pick<Hub, 'send'>, permissionOf: (resource: string) => string | undefined) => {
  let gathered = new Map<string, Map<number, Change>>()
  const flush = () => {
    const groups = gathered
    gathered = new Map()
    for (const group of groups.values()) {
      const changes = [...group.values()]
      const { resource: Resource, EnterpriseId } = changes[0]!
      const permission = permissionOf(Resource)
      const audience = { EnterpriseId, ...(permission ? { permission } : {}) }
      if (changes.length > single) hub.send(audience, 'Changed', { Resource, Id: 0, Verb: 'update' })
      else
        for (const { id, verb, ProjectId } of changes)
          hub.send({ ...audience, ProjectId: ProjectId ?? null }, 'Changed', { Resource, Id: id, Verb: verb })
    }
  }
  const timer = setInterval(flush, gatherMs).unref()
  const stop = database.onChange((change) => {
    const key = `${change.resource}/${change.EnterpriseId}`
    const group = gathered.get(key) ?? new Map<number, Change>()
    gathered.set(key, group.set(change.id, change))
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}
