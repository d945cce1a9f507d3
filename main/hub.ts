// Connects the hub to sessions, points and changes, in the server and in API processes.
import { visiblePoints } from '../areas/analysis/telemetry/server/service.ts'
import { resources } from '../areas/index.ts'
import type { Context } from '../server/context.ts'
import { seesPart } from '../server/identity/scopedRows.ts'
import { broadcastChanges } from '../server/live/changes.ts'
import { Hub } from '../server/live/hub.ts'
import type { HubOptions } from '../server/live/hubOptions.ts'
import type { PointRegistry } from '../server/telemetry/sample.ts'

type Needs = Pick<Context, 'database' | 'sessions' | 'log' | 'clock' | 'opened'> & { onPointChange: PointRegistry['onChange'] }

/** `clock`: ms, monotonic. */
export const openHub = (
  { database, sessions, onPointChange, log, clock, opened }: Needs,
  values: Pick<HubOptions, 'latest' | 'watches'>,
): Hub => {
  const hub = new Hub({
    ...values,
    // Connections also stay open, and reconnect, without user activity.
    authenticate: async (token, role) => {
      const who = token ? await sessions.who(token, false) : undefined
      return role && who && !('ended' in who) ? sessions.asRole(who, role) : who
    },
    // Live values need one of the screens that show them.
    visible: async (actor, ids) =>
      ['m10108', 'm10301', 'm10107', 'm10125'].some((code) => actor.may.has(code)) ? visiblePoints(database.as(actor), actor, ids) : [],
    log,
    clock,
  })
  sessions.onEnd((session, reason) => hub.endSessions((actor) => actor.session === session, reason))
  sessions.onChanged((of) => void hub.recheck(of))
  onPointChange((changed, before) => {
    if (before && 'ProjectId' in changed && changed.ProjectId !== before.ProjectId) hub.pointMoved(changed.Id)
  })
  const permissions = new Map(resources.map((r) => [r.name, r.permission]))
  opened(broadcastChanges(database, hub, { permissionOf: (name) => permissions.get(name), seesPart }), (stop) => stop())
  return hub
}
