import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import type { HubMessages, LiveValue } from '../../contract/hub.ts'
import type { Language } from '../../contract/languages.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { Connection, type CutReason, type Surroundings } from './connection.ts'
import { type Doors, openDoors, refuseUpgrade, sameHost } from './doors.ts'
import { type Limits, standardLimits } from './limits.ts'
import { createMethods } from './methods.ts'
import { messageFrame } from './protocol.ts'
import { createRechecks } from './rechecks.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createTickets, type HubTicket } from './tickets.ts'
import { createTurns } from './turns.ts'

export const hubPath = '/api/hubs/sysmsghub'

export type HubOptions = {
  /**
   * The actor of a bearer token; why it ended for a session that is over, nothing for a token that never was. As a role, the actor is
   * what somebody with that role alone would be (preview).
   */
  authenticate: (bearer: string | undefined, role?: number) => Promise<Actor | { ended: string } | undefined>
  /** Those of the points that the actor may see. */
  visible: (actor: Actor, paraIds: readonly number[]) => Promise<number[]>
  latest: (paraId: number) => LiveValue | undefined
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch ms. */
  clock?: () => number
  limits?: Partial<Limits>
  /** Whether a page of this origin may open a socket; by default only pages of the same host. Not asked for clients that are no browser. */
  allowOrigin?: (origin: string, request: IncomingMessage) => boolean
}

/** Who gets a message: people of the tenant (and the platform) who were granted the project and hold the permission; of those the named. */
export type Audience = { EnterpriseId: number; ProjectId?: number | null; permission?: string; users?: readonly number[] }

export type Hub = ReturnType<typeof createHub>

/** How looking as a role is refused. */
const refusals = new Set(['notFound', 'moreRights'])

const hears = ({ EnterpriseId, ProjectId, permission, users }: Audience, actor: Actor) =>
  (actor.platform || actor.EnterpriseId === EnterpriseId) &&
  (ProjectId == null || actor.projects === 'all' || actor.projects.includes(ProjectId)) &&
  (!permission || actor.may.has(permission)) &&
  (!users || users.includes(actor.UserId))

/** Whether a page shows the person something else: texts, times or menus. */
const sessionDiffers = (before: Actor, after: Actor) =>
  before.language !== after.language || before.zone !== after.zone || before.may.symmetricDifference(after.may).size > 0

/** The live hub: SignalR's JSON protocol over WebSocket (contract/hub.ts). Every client is bounded in memory and on its own. */
export const createHub = (options: HubOptions) => {
  const { authenticate, log, clock = Date.now, allowOrigin = sameHost } = options
  const limits: Limits = { ...standardLimits, ...options.limits }
  const tickets = createTickets<HubTicket>(limits, clock)
  const turns = createTurns(limits, clock)
  const visible: HubOptions['visible'] = (actor, ids) => turns.ask(actor.UserId, () => options.visible(actor, ids))
  const connections = new Set<Connection>()
  const subscriptions = createSubscriptions()
  const sockets = new WebSocketServer({
    ...{ noServer: true, perMessageDeflate: false, clientTracking: false },
    ...{ maxPayload: limits.message, maxFragments: limits.fragments, maxBufferedChunks: limits.chunks },
  })
  const counts = { connected: 0, pushes: 0, messages: 0, cut: {} as Partial<Record<CutReason, number>> }

  const around: Surroundings = {
    limits,
    clock,
    turns,
    call: createMethods({ visible, latest: options.latest, limits, subscriptions }),
    failed: (err, target) => log.error({ err, target }, 'hub call failed'),
    gone: (connection, reason) => {
      connections.delete(connection)
      rechecks.remove(connection)
      subscriptions.remove(connection, connection.points)
      counts.pushes += connection.outlet.pushes
      counts.cut[reason] = (counts.cut[reason] ?? 0) + 1
      if (reason !== 'left') log.info({ reason, user: connection.actor.UserId }, 'hub connection cut')
    },
  }

  /** A session that was exchanged for a new one is no loss: its client comes back with the new token. */
  const end = (connection: Connection, reason: string) => {
    if (reason !== 'renewed') connection.outlet.send(messageFrame('Ended', [{ Reason: reason }]))
    connection.end('ended', undefined, reason === 'renewed')
  }

  /** The actor of connections with the same token and role. Connections whose session or role is over end. */
  const authenticated = async (same: readonly Connection[]): Promise<Actor | undefined> => {
    const [{ bearer, role, actor: before }] = same as [Connection]
    const endAll = (reason: string) => {
      for (const connection of same) end(connection, reason)
    }
    const actor = await authenticate(bearer, role).catch((error) => {
      if (!role || !(error instanceof Fault) || !refusals.has(error.key)) throw error
      // The session goes on without the role.
      for (const connection of same) connection.end('ended', undefined, true)
      return 'refused' as const
    })
    if (actor === 'refused') return
    if (actor && 'ended' in actor) return void endAll(actor.ended)
    if (actor?.UserId !== before.UserId) return void endAll('expired')
    const isChanged = sessionDiffers(before, actor)
    for (const connection of same) {
      connection.actor = actor
      if (isChanged && connection.greeted && connection.open)
        connection.outlet.send(messageFrame('Changed', [{ Resource: 'session', Id: actor.UserId, Verb: 'update' }]))
    }
    return actor
  }

  /** Asks once for all points of connections that see the same. Points that are subscribed to later are judged by their own call. */
  const unsubscribeHidden = (actor: Actor, same: readonly Connection[]) =>
    turns.ask(actor.UserId, async () => {
      const points = [...new Set(same.flatMap((connection) => [...connection.points]))]
      for (let from = 0; from < points.length; from += limits.pointsAsked) {
        const asked = points.slice(from, from + limits.pointsAsked)
        const still = new Set(await options.visible(actor, asked))
        const hidden = asked.filter((point) => !still.has(point))
        for (const connection of same) subscriptions.remove(connection, hidden)
      }
    })

  /** Sessions run out and grants change without a message to the hub. A database that is away changes nothing. */
  const check = async (due: readonly Connection[]) => {
    const sights = new Map<string, { actor: Actor; same: Connection[] }>()
    for (const same of Map.groupBy(due, ({ bearer, role = 0 }) => `${bearer} ${role}`).values()) {
      const actor = await authenticated(same)
      if (!actor) continue
      // Sessions of a person that act with the same roles see the same.
      const key = `${same[0]!.role ?? 0} ${actor.role ?? 0}`
      sights.set(key, { actor, same: [...(sights.get(key)?.same ?? []), ...same] })
    }
    for (const { actor, same } of sights.values()) await unsubscribeHidden(actor, same)
  }
  const rechecks = createRechecks({ limits, check, failed: (err) => log.warn({ err }, 'hub sessions not rechecked') })
  const recheck = (due: readonly Connection[]) => {
    for (const connection of due) connection.checkedAt = clock()
    return rechecks.add(due)
  }

  const sweep = () => {
    tickets.sweep()
    turns.sweep()
    for (const connection of connections) connection.tick()
    void recheck([...connections].filter((c) => c.open && clock() - c.checkedAt >= limits.recheckMs))
  }
  const timer = setInterval(sweep, 1000).unref()

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ticket = tickets.redeem(new URL(request.url!, 'http://hub').searchParams.get('id') ?? '')
    if (!ticket) return refuseUpgrade(socket, '404 Not Found') // TransportProtocols.md: no connection of that id
    const count = (of: (one: Actor) => boolean) => connections.values().reduce((n, c) => n + Number(of(c.actor)), 0)
    const { EnterpriseId, session } = ticket.actor
    const ofTenant = count((a) => a.EnterpriseId === EnterpriseId)
    const isFull = connections.size >= limits.connections || ofTenant >= limits.connections * limits.shareOfTenant
    if (isFull || count((a) => a.session === session) >= limits.connectionsPerSession)
      return refuseUpgrade(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      counts.connected++
      const connection = new Connection(webSocket, socket, ticket, around)
      connection.checkedAt -= limits.recheckMs - limits.firstRecheckMs
      connections.add(connection)
    })
  }

  const toAll = (audience: Audience, frame: (connection: Connection) => string) => {
    for (const connection of connections)
      if (connection.greeted && connection.open && hears(audience, connection.actor)) {
        connection.outlet.send(frame(connection))
        counts.messages++
      }
  }

  return {
    /** Takes the WebSocket upgrades of the hub's path, and of other doors. */
    attach: (server: Server, others: Doors = {}) => openDoors(server, { ...others, [hubPath]: upgrade }, allowOrigin),

    /** The connection token for a bearer token; `ended` when its session is over. Fault `tokenMissing` or `tooMany`. */
    async negotiate(bearer: string | undefined, role?: number, language?: Language): Promise<{ token: string } | 'ended'> {
      const actor = await authenticate(bearer, role)
      if (actor && 'ended' in actor) return 'ended'
      if (!actor || !bearer) throw new Fault('tokenMissing')
      if (actor.mustChangePassword) throw new Fault('mustChangePassword')
      return { token: tickets.issue(actor, bearer, { role, language }) }
    },

    /** New readings, newest last. Each subscriber gets those of its points now or with the next push. */
    pushValues(values: readonly LiveValue[]) {
      const touched = new Set<Connection>()
      for (const value of values) {
        const listeners = subscriptions.of(value[0])
        if (!listeners) continue
        const json = JSON.stringify(value)
        for (const connection of listeners) {
          connection.outlet.offer(value[0], json)
          touched.add(connection)
        }
      }
      for (const connection of touched) connection.outlet.flush()
    },

    send<M extends 'Changed' | 'Alarm' | 'Notice'>(audience: Audience, message: M, ...args: HubMessages[M]) {
      let frame: string | undefined
      toAll(audience, () => (frame ??= messageFrame(message, args)))
    },

    /** What one hears depends on who he is; `say` answers one of a few messages, each of which is written once. */
    sendEach<M extends 'Changed'>(audience: Audience, message: M, render: (actor: Actor) => HubMessages[M]) {
      const frames = new Map<HubMessages[M], string>()
      toAll(audience, ({ actor }) => {
        const args = render(actor)
        const frame = frames.get(args) ?? messageFrame(message, args)
        frames.set(args, frame)
        return frame
      })
    },

    /** A localized message, rendered once for each language among the receivers. */
    sendIn<M extends 'Alarm'>(audience: Audience, message: M, render: (language: Language) => HubMessages[M]) {
      const frames = new Map<Language, string>()
      toAll(audience, ({ language }) => {
        const frame = frames.get(language) ?? messageFrame(message, render(language))
        frames.set(language, frame)
        return frame
      })
    },

    /** Closes the connections of sessions that are over, and voids their tickets; at most `closeMs` later the sockets are gone. */
    endSessions(ended: (actor: Actor) => boolean, reason: string) {
      tickets.revoke(ended)
      for (const connection of connections) if (ended(connection.actor)) end(connection, reason)
    },

    /** Checks session and grants of these people soon, instead of within a minute. Resolves when nobody waits for a check. */
    recheck: (of: (actor: Actor) => boolean) => recheck([...connections].filter((c) => c.open && of(c.actor))),

    /** A point moved to another project. Its watchers may have lost access. */
    pointMoved: (id: number) => {
      const listeners = subscriptions.of(id)
      if (listeners) void recheck([...listeners].filter((c) => c.open && c.actor.projects !== 'all'))
    },

    /** What the one-second timer does. */
    sweep,

    stats: () => ({
      connections: connections.size,
      tickets: tickets.size,
      subscriptions: subscriptions.size,
      bufferedBytes: connections.values().reduce((n, c) => n + c.buffered, 0),
      connected: counts.connected,
      pushes: counts.pushes + connections.values().reduce((n, c) => n + c.outlet.pushes, 0),
      messages: counts.messages,
      refused: turns.refused,
      rechecks: rechecks.stats(),
      /** How many connections ended, by reason. */
      cut: { ...counts.cut },
    }),

    /** Asks clients to reconnect later and closes. */
    async close() {
      clearInterval(timer)
      tickets.revoke(() => true)
      for (const connection of connections) connection.end('shutdown', 'The server is stopping.', true)
      const deadline = performance.now() + limits.closeMs
      while (connections.size && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
      for (const connection of connections) connection.drop('shutdown')
      sockets.close()
    },
  }
}
