import type { HubMessages } from '../../contract/hub.ts'
import type { Change, Database } from '../database/db.ts'
import type { Actor } from '../identity/actor.ts'
import type { Hub } from './hub.ts'

/** Batches changes of one resource and tenant within this time, ms: an import is one message, not ten thousand. */
const gatherMs = 100
const single = 20

/** People of a project may see some of its rows only. */
const ofWorkers = new Set(['mtnMaintenanceOrder'])
/** The Id of their changes is that of the person whose they are. */
const personal = new Set(['importExportTask', 'themeSet', 'tablePreference'])

export type ChangeRules = {
  permissionOf: (resource: string) => string | undefined
  /** Whether the actor sees fewer rows of the resource than its tenant has. */
  seesPart: (resource: string, actor: Actor) => boolean
}

/** Broadcasts committed changes to consoles, so that lists showing them refetch. Returns a function that stops it. */
export const broadcastChanges = (database: Database, hub: Pick<Hub, 'send' | 'sendEach'>, { permissionOf, seesPart }: ChangeRules) => {
  let gathered = new Map<string, Map<number, Change>>()
  const flush = () => {
    const groups = gathered
    gathered = new Map()
    for (const group of groups.values()) {
      const changes = [...group.values()]
      const { resource: Resource, EnterpriseId } = changes[0]!
      const permission = permissionOf(Resource)
      const audience = { EnterpriseId, ...(permission ? { permission } : {}) }
      const many: HubMessages['Changed'] = [{ Resource, Id: 0, Verb: 'update' }]
      if (changes.length > single) hub.send(audience, 'Changed', ...many)
      else
        for (const { id, verb, ProjectId = null } of changes) {
          const one: HubMessages['Changed'] = [{ Resource, Id: id, Verb: verb }]
          const to = { ...audience, ProjectId, ...(personal.has(Resource) ? { users: [id] } : {}) }
          // Of a row that may be out of his sight one hears that something changed, and not which.
          hub.sendEach(to, 'Changed', (actor) =>
            (ProjectId === null || ofWorkers.has(Resource)) && seesPart(Resource, actor) ? many : one,
          )
        }
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
