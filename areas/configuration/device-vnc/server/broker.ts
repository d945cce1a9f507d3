import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Value } from 'typebox/value'
import { WebSocketServer } from 'ws'
import { type Allowed, judged, Refused } from '../../../../server/channels/outbound.ts'
import type { Context } from '../../../../server/context.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { refuseUpgrade } from '../../../../server/live/doors.ts'
import { createTickets } from '../../../../server/live/tickets.ts'
import { deviceVnc, type PanelEnd, ViewerRequest } from '../contract.ts'
import { Bridge, type Viewer } from './bridge.ts'
import { type PanelLimits, standardLimits } from './limits.ts'
import { openPanelLog } from './panelLog.ts'
import { createTurns } from './turns.ts'
import { viewerRights } from './viewerRights.ts'

type Needs = Pick<Context, 'database' | 'sessions' | 'vault' | 'log' | 'steady'> & { allowed: Allowed; limits?: Partial<PanelLimits> }
export type PanelBroker = ReturnType<typeof openPanelBroker>

/** Name of the password in the vault. */
export const passwordName = (id: number) => `deviceVnc.${id}.Password`

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}

/** The open viewers by panel, and their control. */
const openViewers = (needs: Needs, limits: PanelLimits) => {
  const bridges = new Set<Bridge>()
  const panelLog = openPanelLog(needs)
  const ofPanel = (id: number) => [...bridges].filter((b) => b.viewer.Id === id && b.isReady && !b.ended)
  const changed = new Set<number>()
  const announceAll = () => {
    for (const id of changed) {
      const all = ofPanel(id)
      const Viewers = all.map(({ viewer, controls }) => ({ Name: viewer.UserName, Controls: controls }))
      for (const bridge of all) bridge.send({ Viewers, Controls: bridge.controls, MayControl: bridge.mayControl })
    }
    changed.clear()
  }
  /** Once per event-loop turn, for all changes. */
  const announce = ({ viewer: { Id } }: Bridge) => {
    if (!changed.size) setImmediate(announceAll)
    changed.add(Id)
  }
  const release = (bridge: Bridge) => {
    bridge.release()
    announce(bridge)
  }
  const rights = viewerRights({ ...needs, changed: (bridge) => (bridge.mayControl ? announce(bridge) : release(bridge)) })

  return {
    ready: announce,
    release,
    rights,
    written: panelLog.written,
    all: bridges,
    add(bridge: Bridge) {
      bridges.add(bridge)
      panelLog.opened(bridge)
    },
    gone(bridge: Bridge, reason: PanelEnd) {
      bridges.delete(bridge)
      rights.remove(bridge)
      panelLog.closed(bridge, reason)
      announce(bridge)
    },
    /** One person controls a panel at a time. */
    asked(bridge: Bridge, text: string) {
      const request = parsed(text)
      if (!Value.Check(ViewerRequest, request)) return bridge.end('malformed')
      if (request.Control === bridge.controls) return
      if (!request.Control) return release(bridge)
      if (bridge.mayControl && !ofPanel(bridge.viewer.Id).some(({ controls }) => controls)) {
        bridge.control()
        panelLog.controlled(bridge)
      }
      announce(bridge)
    },
    isFull({ EnterpriseId, UserId }: Actor) {
      const count = (of: (actor: Actor) => boolean) => [...bridges].filter(({ actor }) => of(actor)).length
      const ofTenant = count((a) => a.EnterpriseId === EnterpriseId)
      return bridges.size >= limits.ofServer || ofTenant >= limits.ofTenant || count((a) => a.UserId === UserId) >= limits.ofPerson
    },
  }
}

/** Broker for field panels. Browsers get the picture without the password, and send keys only with control. */
export const openPanelBroker = (needs: Needs) => {
  const { database, sessions, vault, log, steady, allowed } = needs
  const limits: PanelLimits = { ...standardLimits, ...needs.limits }
  const tickets = createTickets<{ viewer: Viewer }>(limits, steady)
  const viewers = openViewers(needs, limits)
  const turn = createTurns()
  const { rights, ready, asked, gone } = viewers
  const sockets = new WebSocketServer({
    ...{ noServer: true, perMessageDeflate: false, clientTracking: false, autoPong: false },
    ...{ maxPayload: limits.message, maxFragments: 16, maxBufferedChunks: 256 },
    // The event loop handles other work between two messages of a browser.
    allowSynchronousEvents: false,
  })

  const admit = async (bridge: Bridge) => {
    const panel = await rights.admit(bridge)
    if (!panel) return
    const { Id, EnterpriseId, Host, Port } = panel
    const password = panel.HasPassword ? await vault.get(EnterpriseId, passwordName(Id)) : undefined
    bridge.connect(await judged(Host, Port, { allowed, tenant: EnterpriseId }), Port, password)
  }
  const failed = (bridge: Bridge, err: unknown) => {
    if (err instanceof Refused) return bridge.end('address')
    log.error({ err }, 'a panel session failed')
    bridge.end('closed')
  }

  const timer = setInterval(() => {
    tickets.sweep()
    for (const bridge of viewers.all) {
      bridge.tick()
      if (bridge.isIdle) viewers.release(bridge)
    }
  }, 1000).unref()
  const rechecks = setInterval(() => rights.recheck(() => true), limits.recheckMs).unref()
  const stopFollowing = [
    sessions.onEnd((session) => {
      tickets.revoke((actor) => actor.session === session)
      for (const bridge of viewers.all) if (bridge.actor.session === session) bridge.end('signedOut')
    }),
    sessions.onChanged((of) => rights.recheck(({ actor }) => of(actor))),
    database.onChange(({ resource, id }) => resource === deviceVnc.name && rights.recheck(({ viewer }) => viewer.Id === id)),
  ]

  return {
    /** Issues a ticket for one socket. Fault `tooMany` above the limits. */
    issue(actor: Actor, viewer: Viewer) {
      if (viewers.isFull(actor)) throw new Fault('tooMany')
      return { Ticket: tickets.issue(actor, viewer.bearer, { viewer }), ExpireSeconds: limits.ticketMs / 1000 }
    },

    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const ticket = tickets.redeem(new URL(request.url!, 'http://panel').searchParams.get('ticket') ?? '')
      if (!ticket) return refuseUpgrade(socket, '404 Not Found')
      if (viewers.isFull(ticket.actor)) return refuseUpgrade(socket, '503 Service Unavailable')
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const bridge = new Bridge(webSocket, socket, ticket.actor, ticket.viewer, { limits, steady, turn, asked, ready, gone })
        viewers.add(bridge)
        admit(bridge).catch((error) => failed(bridge, error))
      })
    },

    async close() {
      clearInterval(timer)
      clearInterval(rechecks)
      for (const stop of stopFollowing) stop()
      tickets.revoke(() => true)
      for (const bridge of viewers.all) bridge.end('shutdown')
      await viewers.written()
      sockets.close()
    },
  }
}
