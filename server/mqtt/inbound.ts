import type { AedesOptions, AuthenticateError, Client } from 'aedes'
import { maxMessageBytes, topic } from '../../contract/gateway-protocol.ts'
import { Throttle } from '../jobs/throttle.ts'
import { isOwnWill, isSerial, mayPublish, maySubscribe } from './access.ts'
import { openShares } from './controlThrottle.ts'
import { clientIdOf, type Foreign, matchesFilter, proofOfToken, publishOf, type Send, tokenOf } from './foreign.ts'
import type { Limits } from './limits.ts'
import { openLoginThrottle } from './loginThrottle.ts'
import type { Session, Sessions } from './sessions.ts'
import { message, readingsOf } from './shortcut.ts'
import { type Counters, count, type OnMessage, type Refusal, type RefusalEvent, type UpKind } from './uplink.ts'

const empty = Buffer.alloc(0)

const connack = (returnCode: 2 | 3 | 4 | 5, message: string) => Object.assign(new Error(message), { returnCode }) as AuthenticateError

const hasRoomFor = (filters: ReadonlySet<string>, filter: string, limits: Limits) => {
  if (filters.has(filter)) return true
  const bytes = [...filters, filter].reduce((sum, each) => sum + Buffer.byteLength(each), 0)
  return filters.size < limits.subscriptions && bytes <= limits.filterBytes
}

/** The parser keeps the packet. */
const forgetKey = (session: Session) => {
  delete session.connect?.password
  session.connect = undefined
}

type No = (reason: Refusal, code: 2 | 3 | 4 | 5, detail: string) => AuthenticateError

export type InboundOptions = {
  /** Whose gateway it is: those of one tenant share a rate and memory. */
  tenantOf?(sn: string): number | undefined
  onMessage: OnMessage
  /** Senders of other languages; none where it is missing. */
  foreign?: Foreign | undefined
  refused?(event: RefusalEvent): void
  /** A gateway or foreign sender has connected, listens to other topics, or is gone (`isOpen` false). */
  sessionChanged?(session: Session & { sn: string }, isOpen: boolean): void
  /** Balancers in front of this port: many gateways have their address. */
  isBalancer?: ((address: string) => boolean) | undefined
}

/** What gateways may do on the broker, and what becomes of their messages. */
export class Inbound {
  readonly counters: Counters = { connected: 0, messages: {}, refused: {} }
  /** Set when the server stops: what comes now is not taken. */
  closing = false
  readonly #options: InboundOptions
  readonly #limits: Limits
  readonly #sessions: Sessions
  readonly #logins: ReturnType<typeof openLoginThrottle>
  readonly #sharesOf: ReturnType<typeof openShares>
  readonly #tenants = new Map<number, Throttle>()
  readonly #tokens: ReturnType<typeof openLoginThrottle>

  constructor(options: InboundOptions, limits: Limits, sessions: Sessions, logins: ReturnType<typeof openLoginThrottle>) {
    this.#options = options
    this.#limits = limits
    this.#sessions = sessions
    this.#logins = logins
    this.#sharesOf = openShares(limits)
    this.#tokens = openLoginThrottle(async (_sn, token) => (await options.foreign?.login(token.toString())) !== undefined)
  }

  #throttleOf(tenant: number | undefined) {
    if (tenant === undefined) return undefined
    const known = this.#tenants.get(tenant) ?? new Throttle(this.#limits.ofTenant)
    this.#tenants.set(tenant, known)
    return known
  }

  refuse(reason: Refusal, detail: string, session?: Partial<Session>) {
    if (session && reason !== 'limited' && reason !== 'tenantLimited') session.refused = true
    count(this.counters.refused, reason)
    if (reason === 'tooLarge' && session?.foreign && session.sn) this.#options.foreign?.tooLarge(session.sn, detail)
    this.#options.refused?.({ reason, detail, sn: session?.sn, address: session?.address })
  }

  async #authenticate(client: Client, user: string | undefined, password: Buffer | undefined) {
    const session = this.#sessions.of(client)!
    const no = (reason: Refusal, code: 2 | 3 | 4 | 5, detail: string) => {
      this.refuse(reason, detail, session)
      return connack(code, detail)
    }
    const token = this.#options.foreign && tokenOf(user, password)
    if (token !== undefined) return this.#admitForeign(client, session, token, no)
    if (!isSerial(user) || !password?.length) return no('badCredentials', 4, 'User must be the SN and password the key of a gateway.')
    if (client.id !== user) return no('clientId', 2, 'The client id must be the SN.')
    if (session.will !== undefined && !isOwnWill(user, session.will))
      return no('foreignWill', 5, 'The will may only go to the own up/state.')
    const verdict = await this.#logins.check(
      user,
      password,
      session.isBehindBalancer ? `behind ${session.address} ${user}` : session.address,
    )
    if (verdict === 'tooMany') return no('tooManyTries', 3, 'Too many wrong keys from this address.')
    if (verdict === 'wrong') return no('badCredentials', 4, `Wrong key for ${user}.`)
    this.#join(client, session, user)
    return undefined
  }
  #join(client: Client, session: Session, sn: string, limits = this.#limits) {
    const tenant = this.#options.tenantOf?.(sn)
    session.guarded.join(tenant, this.#throttleOf(tenant), this.#sharesOf(sn, tenant), limits)
    this.#sessions.login(client, sn)
  }
  async #admitForeign(client: Client, session: Session, token: string, no: No) {
    const verdict = await this.#tokens.check('', Buffer.from(token), session.address)
    if (verdict === 'tooMany') return no('tooManyTries', 3, 'Too many wrong keys from this address.')
    // Look the token up again: it may have been revoked since the check.
    const sn = verdict === 'right' ? await this.#options.foreign!.login(token) : undefined
    if (sn === undefined) return no('badCredentials', 4, 'Unknown token, or its connection is stopped.')
    if (session.will !== undefined && !(await this.#options.foreign!.mayWill(sn, session.will)))
      return no('foreignWill', 5, 'The will may only be the death of the own edge node.')
    session.foreign = {
      proof: proofOfToken(token),
      send: (topic, payload, isRetained) => {
        const hears = !session.guarded.destroyed && [...session.filters].some((filter) => matchesFilter(filter, topic))
        if (hears) session.out.send(message(topic, payload, isRetained))
        return hears
      },
    }
    const more = this.#options.foreign!.mostBytes(sn) - maxMessageBytes
    this.#join(client, session, sn, { ...this.#limits, maxPacketBytes: this.#limits.maxPacketBytes + more })
    return undefined
  }

  #receive(session: Session, name: string, retain: boolean, payload: Buffer): Promise<void> {
    const allowed = mayPublish(session.sn!, name, retain)
    if ('refused' in allowed) {
      this.refuse(allowed.refused, `Publish to ${name.slice(0, 200)}${retain ? ', retained' : ''}.`, session)
      return Promise.reject(new Error(allowed.refused))
    }
    return this.#handle(session, allowed.kind, payload)
  }

  #handle(session: Session, kind: UpKind, payload: Buffer): Promise<void> {
    if (payload.length > maxMessageBytes) {
      session.guarded.cut('tooLarge', `A message of ${payload.length} bytes; at most ${maxMessageBytes}.`)
      return Promise.reject(new Error('tooLarge'))
    }
    count(this.counters.messages, kind)
    return this.#work(session, payload, () => this.#options.onMessage(session.sn!, kind, payload, session.countReadings, session))
  }
  #work(session: Session, payload: Buffer, work: () => Promise<void>): Promise<void> {
    session.guarded.hold(payload.length)
    const handled = work().catch((error: Error) => {
      this.refuse('handler', error.message, session)
      throw error
    })
    // PUBACKs leave in the order of the messages (MQTT 3.1.1, 4.6).
    const before = session.acknowledged
    session.acknowledged = handled.then(() => before).finally(() => session.guarded.release(payload.length))
    session.acknowledged.catch(() => undefined)
    return session.acknowledged
  }

  /** Handles a message of a foreign sender. It bypasses the broker, since it has no subscribers. */
  #handleForeign(session: Session, { send }: { send: Send }, topic: string, payload: Buffer): Promise<void> {
    const { foreign } = this.#options
    const most = foreign!.mostBytes(session.sn!)
    if (payload.length > most) {
      session.guarded.cut('tooLarge', `A message of ${payload.length} bytes; at most ${most}.`)
      return Promise.reject(new Error('tooLarge'))
    }
    count(this.counters.messages, 'data')
    return this.#work(session, payload, async () => session.countReadings(await foreign!.onMessage(session.sn!, topic, payload, send)))
  }
  #interceptForeign(session: Session, of: { send: Send }) {
    this.#options.foreign!.joined(session.sn!, of.send)
    session.guarded.intercept((first, body) => {
      const found = this.closing ? undefined : publishOf(first, body)
      if (!found) return 'reading'
      this.#handleForeign(session, of, found.topic, found.payload).then(
        () => found.packetId && session.out.acknowledge(found.packetId),
        () => session.guarded.destroy(),
      )
      return 'taken'
    })
  }
  isBalancer(address: string) {
    return this.#options.isBalancer?.(address) ?? false
  }
  /** Tells of a session that is logged in. */
  tell(session: Session, isOpen: boolean) {
    if (session.sn !== undefined) this.#options.sessionChanged?.(session as Session & { sn: string }, isOpen)
  }
  /** The connection is gone. */
  left(session: Session) {
    this.tell(session, false)
    // Our own shutdown does not mean that a sender left.
    if (session.foreign && session.sn !== undefined && !this.closing) this.#options.foreign?.left(session.sn, session.foreign.send)
  }

  /**
   * Readings do not go through the broker, where they have no subscribers: it would take a connection's next packets only when
   * all it has read before are committed.
   */
  intercept(session: Session) {
    if (session.foreign) return this.#interceptForeign(session, session.foreign)
    session.guarded.intercept((first, body) => {
      const found = this.closing ? 'reading' : readingsOf(session.sn!, first, body)
      if (typeof found === 'string') return found
      this.#handle(session, found.kind, found.payload).then(
        () => session.out.acknowledge(found.packetId),
        () => session.guarded.destroy(),
      )
      return 'taken'
    })
  }

  /** The broker's questions. */
  hooks(): AedesOptions {
    return {
      connectTimeout: this.#limits.connectTimeoutMs,
      // One timer for all that waits for a drain. The guarded socket knows when a reader is too slow; this never ends.
      drainTimeout: 2 ** 31 - 1,
      maxClientsIdLength: 64,
      maxTopicLevels: 16,
      preConnect: (client, packet, done) => {
        const session = this.#sessions.of(client)!
        session.connect = packet
        session.will = packet.will?.topic
        packet.clean = true
        const token = this.#options.foreign && tokenOf(packet.username, packet.password as Buffer | undefined)
        if (token !== undefined) {
          packet.clientId = clientIdOf(token)
          // Nobody would hear it.
          delete packet.will
        }
        // Ours to watch: the broker does not see all that comes. MQTT 3.1.1, 3.1.2.10.
        session.keepAliveMs = (packet.keepalive ?? 0) * 1500
        packet.keepalive = 0
        done(null, true)
      },
      authenticate: (client, user, password, done) => {
        this.#authenticate(client, user, password)
          .finally(() => forgetKey(this.#sessions.of(client)!))
          .then(
            (refusal) => done(refusal ?? null, !refusal),
            () => done(connack(3, 'Keys cannot be checked at the moment.'), false),
          )
      },
      authorizePublish: (client, packet, done) => {
        const session = client && this.#sessions.of(client)
        // Aedes publishes wills of a former life without a client, and all wills when we close: neither says anything about a gateway.
        if (!session?.sn || this.closing) return done(new Error('closing'))
        const { topic: name, payload, retain } = packet
        // Nobody here subscribes to what comes up: the handler has it, and nothing of it is stored for QoS 2 or as retained.
        packet.retain = false
        packet.payload = empty
        const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
        const { foreign } = session
        const received = foreign ? this.#handleForeign(session, foreign, name, bytes) : this.#receive(session, name, retain, bytes)
        received.then(
          () => done(null),
          (error) => done(error),
        )
      },
      authorizeSubscribe: (client, subscription, done) => {
        const session = this.#sessions.of(client)!
        const { filters, foreign } = session
        const decide = (may: boolean) => {
          const own = may && hasRoomFor(filters, subscription.topic, this.#limits)
          if (own) filters.add(subscription.topic)
          else this.refuse('foreignSubscribe', `Subscribe to ${subscription.topic.slice(0, 200)}.`, session)
          done(null, own ? subscription : null)
          if (!own) return
          this.tell(session, true)
          if (foreign) this.#options.foreign!.subscribed(session.sn!, subscription.topic, foreign.send)
        }
        const may = foreign
          ? this.#options.foreign!.maySubscribe(session.sn!, subscription.topic)
          : maySubscribe(session.sn!, subscription.topic)
        if (typeof may === 'boolean') decide(may)
        else may.then(decide, () => decide(false))
      },
      // Defence in depth: regardless of subscription matching, a client receives only its own topics.
      authorizeForward: (client, packet) => {
        const session = this.#sessions.of(client)
        return !session?.foreign && packet.topic.startsWith(topic(session?.sn ?? '', 'down', '')) ? packet : null
      },
    }
  }
}
