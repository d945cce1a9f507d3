import type { Row } from '../../../../contract/resource.ts'
import type { Context } from '../../../../server/context.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { deviceVnc, type PanelEnd } from '../contract.ts'
import type { Bridge } from './bridge.ts'

type Panel = Row<typeof deviceVnc>
type Needs = Pick<Context, 'database' | 'sessions' | 'log'> & {
  /** Called when the viewer gains or loses the right to control the panel. */
  changed: (bridge: Bridge) => void
}

const rows = store(deviceVnc)
const { permission } = deviceVnc
const mayControl = (actor: Actor, { ViewOnly }: Panel) => ViewOnly === 0 && actor.may.has(`${permission}.control`)

/** Checks viewers against the current session, rights and record of the panel. */
export const viewerRights = ({ database, sessions, log, changed }: Needs) => {
  const admitted = new Map<Bridge, Panel>()
  const busy = new Set<Bridge>()

  /** The viewer's current scope, or the reason to end the session. */
  const look = async ({ viewer, actor: before }: Bridge, isUsed: boolean): Promise<{ actor: Actor; panel: Panel } | PanelEnd> => {
    const actor = await sessions.who(viewer.bearer, isUsed)
    if (!actor || 'ended' in actor || actor.UserId !== before.UserId) return 'signedOut'
    if (actor.mustChangePassword || !actor.may.has(permission)) return 'rights'
    const panel = await rows.find(database.as(actor), actor, viewer.Id).catch((error) => {
      if (error instanceof Fault && error.key === 'notFound') return
      throw error
    })
    if (!panel) return 'rights'
    return panel.Enabled === 1 ? { actor, panel } : 'disabled'
  }
  const follow = async (bridge: Bridge, before: Panel) => {
    const isUsed = bridge.isUsed
    bridge.isUsed = false
    const found = await look(bridge, isUsed)
    if (typeof found === 'string') return bridge.end(found)
    const { actor, panel } = found
    if (panel.Host !== before.Host || panel.Port !== before.Port) return bridge.end('changed')
    bridge.actor = actor
    const may = mayControl(actor, panel)
    if (may === bridge.mayControl) return
    bridge.mayControl = may
    changed(bridge)
  }

  return {
    /** Returns the panel, or ends the viewer's session. */
    async admit(bridge: Bridge): Promise<Panel | undefined> {
      const found = await look(bridge, true)
      if (typeof found === 'string') return void bridge.end(found)
      bridge.actor = found.actor
      bridge.mayControl = mayControl(found.actor, found.panel)
      if (!bridge.ended) admitted.set(bridge, found.panel)
      return found.panel
    },
    /** A database outage changes nothing. */
    recheck(of: (bridge: Bridge) => boolean) {
      for (const [bridge, panel] of admitted) {
        if (busy.has(bridge) || !of(bridge)) continue
        busy.add(bridge)
        follow(bridge, panel)
          .catch((err) => log.warn({ err }, 'rights of a panel viewer not checked'))
          .finally(() => busy.delete(bridge))
      }
    },
    remove: (bridge: Bridge) => void admitted.delete(bridge),
  }
}
