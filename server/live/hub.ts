import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { HubMessages, LiveValue } from '../../contract/hub.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { type Audience, hears } from './audience.ts'
import { Connection, type CutReason, type Surroundings } from './connection.ts'
import { type Doors, openDoors, refuseUpgrade, sameHost } from './doors.ts'
import type { HubOptions } from './hubOptions.ts'
import { type Limits, standardLimits } from './limits.ts'
import { createMethods } from './methods.ts'
import { messageFrame } from './protocol.ts'
import { createRechecks } from './rechecks.ts'
import type { Sent } from './sent.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'
import { createTickets, type HubTicket } from './tickets.ts'
import { createTurns } from './turns.ts'

export const hubPath = '/api/hubs/sysmsghub'

/** How looking as a role is refused. */
const refusals = new Set(['notFound', 'moreRights'])

/** Whether a page shows the person something else: texts, times or menus. */
const sessionDiffers = (before: Actor, after: Actor) =>
  before.language !== after.language || before.zone !== after.zone || before.may.symmetricDifference(after.may).size > 0

/** The live hub: SignalR's JSON protocol over WebSocket (contract/hub.ts). Every client is bounded in memory and on its own. */
export class Hub {
  readonly #options: HubOptions
  readonly #limits: Limits
  readonly #clock: () => number
  readonly #tickets: ReturnType<typeof createTickets<HubTicket>>
  readonly #turns: ReturnType<typeof createTurns>
  readonly #connections = new Set<Connection>()
  readonly #subscriptions: Subscriptions
  readonly #listeners = new Set<(sent: Sent) => void>()
  readonly #sockets: WebSocketServer
  readonly #around: Surroundings
  readonly #rechecks: ReturnType<typeof createRechecks>
  readonly #timer = setInterval(() => this.sweep(), 1000).unref()
  readonly #counts = { connected: 0, pushes: 0, messages: 0, cut: {} as Partial<Record<CutReason, number>> }

  constructor(options: HubOptions) {
    const { log, clock = Date.now } = options
    const limits: Limits = { ...standardLimits, ...options.limits }
    this.#options = options
    this.#limits = limits
    this.#clock = clock
    this.#tickets = createTickets<HubTicket>(limits, clock)
    this.#turns = createTurns(limits, clock)
    this.#sockets = new WebSocketServer({
      ...{ noServer: true, perMessageDeflate: false, clientTracking: false },
      ...{ maxPayload: limits.message, maxFragments: limits.fragments, maxBufferedChunks: limits.chunks },
    })
    const { latest, watches } = options
    this.#subscriptions = createSubscriptions(watches?.leave)
    const [turns, subscriptions, watch] = [this.#turns, this.#subscriptions, watches?.watch ?? (async () => {})]
    const visible: HubOptions['visible'] = (actor, ids) => turns.ask(actor.UserId, () => options.visible(actor, ids))
    this.#around = {
      limits,
      clock,
      turns,
      call: createMethods({ visible, latest, watch, limits, subscriptions }),
      failed: (err, target) => log.error({ err, target }, 'hub call failed'),
      gone: (connection, reason) => this.#gone(connection, reason),
    }
    this.#rechecks = createRechecks({
      limits,
      check: (due) => this.#check(due),
      failed: (err) => log.warn({ err }, 'hub sessions not rechecked'),
    })
  }

  #gone(connection: Connection, reason: CutReason) {
    const counts = this.#counts
    this.#connections.delete(connection)
    this.#rechecks.remove(connection)
    this.#subscriptions.remove(connection, connection.points)
    counts.pushes += connection.outlet.pushes
    counts.cut[reason] = (counts.cut[reason] ?? 0) + 1
    if (reason !== 'left') this.#options.log.info({ reason, user: connection.actor.UserId }, 'hub connection cut')
  }

  /** A session that was exchanged for a new one is no loss: its client comes back with the new token. */
  #end(connection: Connection, reason: string) {
    if (reason !== 'renewed') connection.outlet.send(messageFrame('Ended', [{ Reason: reason }]))
    connection.end('ended', undefined, reason === 'renewed')
  }

  /** The actor of connections with the same token and role. Connections whose session or role is over end. */
  async #authenticated(same: readonly Connection[]): Promise<Actor | undefined> {
    const [{ bearer, role, actor: before }] = same as [Connection]
    const endAll = (reason: string) => {
      for (const connection of same) this.#end(connection, reason)
    }
    const actor = await this.#options.authenticate(bearer, role).catch((error) => {
      if (!role || !(error instanceof Fault) || !refusals.has(error.key)) throw error
      // The session continues without the role.
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
  #unsubscribeHidden(actor: Actor, same: readonly Connection[]) {
    return this.#turns.ask(actor.UserId, async () => {
      const points = [...new Set(same.flatMap((connection) => [...connection.points]))]
      for (let from = 0; from < points.length; from += this.#limits.pointsAsked) {
        const asked = points.slice(from, from + this.#limits.pointsAsked)
        const still = new Set(await this.#options.visible(actor, asked))
        const hidden = asked.filter((point) => !still.has(point))
        for (const connection of same) this.#subscriptions.remove(connection, hidden)
      }
    })
  }

  /** Sessions run out and grants change without a message to the hub. A database that is away changes nothing. */
  async #check(due: readonly Connection[]) {
    const sights = new Map<string, { actor: Actor; same: Connection[] }>()
    for (const same of Map.groupBy(due, ({ bearer, role = 0 }) => `${bearer} ${role}`).values()) {
      const actor = await this.#authenticated(same)
      if (!actor) continue
      // Sessions of a person that act with the same roles see the same.
      const key = `${same[0]!.role ?? 0} ${actor.role ?? 0}`
      sights.set(key, { actor, same: [...(sights.get(key)?.same ?? []), ...same] })
    }
    for (const { actor, same } of sights.values()) await this.#unsubscribeHidden(actor, same)
  }
  #recheck(due: readonly Connection[]) {
    for (const connection of due) connection.checkedAt = this.#clock()
    return this.#rechecks.add(due)
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const ticket = this.#tickets.redeem(new URL(request.url!, 'http://hub').searchParams.get('id') ?? '')
    if (!ticket) return refuseUpgrade(socket, '404 Not Found') // TransportProtocols.md: no connection of that id
    const count = (of: (one: Actor) => boolean) => this.#connections.values().reduce((n, c) => n + Number(of(c.actor)), 0)
    const { EnterpriseId, session } = ticket.actor
    const ofTenant = count((a) => a.EnterpriseId === EnterpriseId)
    const isFull = this.#connections.size >= this.#limits.connections || ofTenant >= this.#limits.connections * this.#limits.shareOfTenant
    if (isFull || count((a) => a.session === session) >= this.#limits.connectionsPerSession)
      return refuseUpgrade(socket, '503 Service Unavailable')
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#counts.connected++
      const connection = new Connection(webSocket, socket, ticket, this.#around)
      connection.checkedAt -= this.#limits.recheckMs - this.#limits.firstRecheckMs
      this.#connections.add(connection)
    })
  }

  #toAll(audience: Audience, frame: (connection: Connection) => string) {
    for (const connection of this.#connections)
      if (connection.greeted && connection.open && hears(audience, connection.actor)) {
        connection.outlet.send(frame(connection))
        this.#counts.messages++
      }
  }

  /** What the one-second timer does. */
  sweep() {
    this.#tickets.sweep()
    this.#turns.sweep()
    for (const connection of this.#connections) connection.tick()
    void this.#recheck([...this.#connections].filter((c) => c.open && this.#clock() - c.checkedAt >= this.#limits.recheckMs))
  }

  /** Takes the WebSocket upgrades of the hub's path, and of other doors. */
  attach(server: Server, others: Doors = {}) {
    const doors: Doors = { ...others, [hubPath]: (request, socket, head) => this.#upgrade(request, socket, head) }
    return openDoors(server, doors, this.#options.allowOrigin ?? sameHost)
  }

  /** The connection token for a bearer token; `ended` when its session is over. Fault `tokenMissing` or `tooMany`. */
  async negotiate(bearer: string | undefined, role?: number, language?: Language): Promise<{ token: string } | 'ended'> {
    const actor = await this.#options.authenticate(bearer, role)
    if (actor && 'ended' in actor) return 'ended'
    if (!actor || !bearer) throw new Fault('tokenMissing')
    if (actor.mustChangePassword) throw new Fault('mustChangePassword')
    return { token: this.#tickets.issue(actor, bearer, { role, language }) }
  }

  /** New readings, newest last. Each subscriber gets those of its points now or with the next push. */
  pushValues(values: readonly LiveValue[]) {
    const subscriptions = this.#subscriptions
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
  }

  /** Called for each message to an audience. */
  onSent(listener: (sent: Sent) => void) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  #tell(sent: () => Sent) {
    if (this.#listeners.size) for (const listener of this.#listeners) listener(sent())
  }

  send<M extends 'Changed' | 'Alarm' | 'Notice'>(audience: Audience, message: M, ...args: HubMessages[M]) {
    this.#tell(() => ({ audience, message, args }))
    let frame: string | undefined
    this.#toAll(audience, () => (frame ??= messageFrame(message, args)))
  }

  /** Messages depend on the receiver. `render` returns one of a few messages, each serialised once. */
  sendEach<M extends 'Changed'>(audience: Audience, message: M, render: (actor: Actor) => HubMessages[M]) {
    const frames = new Map<HubMessages[M], string>()
    this.#toAll(audience, ({ actor }) => {
      const args = render(actor)
      const frame = frames.get(args) ?? messageFrame(message, args)
      frames.set(args, frame)
      return frame
    })
  }

  /** A localized message, rendered once for each language among the receivers. */
  sendIn<M extends 'Alarm'>(audience: Audience, message: M, render: (language: Language) => HubMessages[M]) {
    this.#tell(() => ({
      audience,
      message,
      by: Object.fromEntries(languages.map((l) => [l, render(l)])) as Record<Language, HubMessages[M]>,
    }))
    const frames = new Map<Language, string>()
    this.#toAll(audience, ({ language }) => {
      const frame = frames.get(language) ?? messageFrame(message, render(language))
      frames.set(language, frame)
      return frame
    })
  }

  /** Closes the connections of sessions that are over, and voids their tickets; at most `closeMs` later the sockets are gone. */
  endSessions(ended: (actor: Actor) => boolean, reason: string) {
    this.#tickets.revoke(ended)
    for (const connection of this.#connections) if (ended(connection.actor)) this.#end(connection, reason)
  }

  /** Checks session and grants of these people soon, instead of within a minute. Resolves when no check is pending. */
  recheck(of: (actor: Actor) => boolean) {
    return this.#recheck([...this.#connections].filter((c) => c.open && of(c.actor)))
  }

  /** A point moved to another project. Its watchers may have lost access. */
  pointMoved(id: number) {
    const listeners = this.#subscriptions.of(id)
    if (listeners) void this.#recheck([...listeners].filter((c) => c.open && c.actor.projects !== 'all'))
  }

  stats() {
    return {
      connections: this.#connections.size,
      tickets: this.#tickets.size,
      subscriptions: this.#subscriptions.size,
      bufferedBytes: this.#connections.values().reduce((n, c) => n + c.buffered, 0),
      connected: this.#counts.connected,
      pushes: this.#counts.pushes + this.#connections.values().reduce((n, c) => n + c.outlet.pushes, 0),
      messages: this.#counts.messages,
      refused: this.#turns.refused,
      rechecks: this.#rechecks.stats(),
      /** How many connections ended, by reason. */
      cut: { ...this.#counts.cut },
    }
  }

  /** Asks clients to reconnect later and closes. */
  async close() {
    clearInterval(this.#timer)
    this.#tickets.revoke(() => true)
    for (const connection of this.#connections) connection.end('shutdown', 'The server is stopping.', true)
    const deadline = performance.now() + this.#limits.closeMs
    while (this.#connections.size && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
    for (const connection of this.#connections) connection.drop('shutdown')
    this.#sockets.close()
  }
}
