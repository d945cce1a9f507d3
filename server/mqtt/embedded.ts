import type { EventEmitter } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes, type AuthenticateError, type Client, type ConnectPacket } from 'aedes'
import { maxMessageBytes, topic } from '../../contract/gateway-protocol.ts'
import { isOwn, networkOf } from '../http/addresses.ts'
import { type Throttle, throttle } from '../jobs/throttle.ts'
import { hears, isOwnWill, isSerial, mayPublish, maySubscribe } from './access.ts'
import { openShares } from './controlThrottle.ts'
import { GuardedSocket } from './guardedSocket.ts'
import { type Limits, standardLimits } from './limits.ts'
import { openLoginThrottle } from './loginThrottle.ts'
import { openMemoryBudget } from './memoryBudget.ts'
import { message, outgoing, readingsOf } from './shortcut.ts'
import { type Counters, count, type OnMessage, type Refusal, type RefusalEvent, type UpKind, type Uplink } from './uplink.ts'

export type EmbeddedOptions = {
  host: string
  /** 0 takes a free one. */
  port: number
  /** PEM texts: the port then speaks TLS 1.2 or newer, and nothing else. */
  tls?: { cert: string | Buffer; key: string | Buffer }
  /** Whether this is the gateway's key; compares in constant time. Rejects when the key cannot be checked; the gateway then retries. */
  authenticate(sn: string, password: Buffer): Promise<boolean>
  /** Whose gateway it is: those of one tenant share a rate and memory. */
  tenantOf?(sn: string): number | undefined
  onMessage: OnMessage
  refused?(event: RefusalEvent): void
  limits?: Partial<Limits>
}

/** What is known of a connection beside its socket; the SN is the one that authenticated, never one from a payload. */
type Session = {
  guarded: GuardedSocket
  address: string
  sn?: string
  connect?: ConnectPacket
  keepAliveMs?: number
  filters: Set<string>
  acknowledged: Promise<void>
  out: ReturnType<typeof outgoing>
  countReadings(count: number): void
  refused?: true
}

const empty = Buffer.alloc(0)

const connack = (returnCode: 2 | 3 | 4 | 5, message: string) => Object.assign(new Error(message), { returnCode }) as AuthenticateError

/**
 * MQTT 3.1.1 broker in this process (ruling 42). A gateway logs in with SN as client id and user, its key as password, and reaches
 * its own topics only. Sessions end with the connection: nothing is queued for gateways that are away. Nobody is let in before `open`:
 * hundreds of gateways that reconnect together would take the processor from a start.
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<Uplink & { port: number; open(): Promise<void> }> => {
  const limits = { ...standardLimits, ...options.limits }
  const counters: Counters = { connected: 0, messages: {}, refused: {} }
  const sessions = new WeakMap<Client, Session>()
  const bySn = new Map<string, Set<Client>>()
  const byAddress = new Map<string, number>()
  const sockets = new Map<Socket, GuardedSocket>()
  const ready = new Set<Client>()
  const budget = openMemoryBudget(limits.inFlightBytesOfAll)
  const logins = openLoginThrottle(options.authenticate)
  const tenants = new Map<number, Throttle>()
  const sharesOf = openShares(limits)
  const throttleOf = (tenant: number | undefined) => {
    if (tenant === undefined) return undefined
    const known = tenants.get(tenant) ?? throttle(limits.ofTenant)
    tenants.set(tenant, known)
    return known
  }
  let closing = false

  const refuse = (reason: Refusal, detail: string, session?: Partial<Session>) => {
    if (session && reason !== 'limited' && reason !== 'tenantLimited') session.refused = true
    count(counters.refused, reason)
    options.refused?.({ reason, detail, sn: session?.sn, address: session?.address })
  }

  const authenticate = async (client: Client, user: string | undefined, password: Buffer | undefined) => {
    const session = sessions.get(client)!
    const no = (reason: Refusal, code: 2 | 3 | 4 | 5, detail: string) => {
      refuse(reason, detail, session)
      return connack(code, detail)
    }
    if (!isSerial(user) || !password?.length) return no('badCredentials', 4, 'User must be the SN and password the key of a gateway.')
    if (client.id !== user) return no('clientId', 2, 'The client id must be the SN.')
    const will = session.connect?.will
    if (will && !isOwnWill(user, will.topic)) return no('foreignWill', 5, 'The will may only go to the own up/state.')
    const verdict = await logins.check(user, password, session.address)
    if (verdict === 'tooMany') return no('tooManyTries', 3, 'Too many wrong keys from this address.')
    if (verdict === 'wrong') return no('badCredentials', 4, `Wrong key for ${user}.`)
    session.sn = user
    const tenant = options.tenantOf?.(user)
    session.guarded.join(tenant, throttleOf(tenant), sharesOf(user, tenant))
    bySn.set(user, (bySn.get(user) ?? new Set()).add(client))
    return undefined
  }

  const receive = (session: Session, name: string, retain: boolean, payload: Buffer): Promise<void> => {
    const allowed = mayPublish(session.sn!, name, retain)
    if ('refused' in allowed) {
      refuse(allowed.refused, `Publish to ${name.slice(0, 200)}${retain ? ', retained' : ''}.`, session)
      return Promise.reject(new Error(allowed.refused))
    }
    return handle(session, allowed.kind, payload)
  }

  const handle = (session: Session, kind: UpKind, payload: Buffer): Promise<void> => {
    if (payload.length > maxMessageBytes) {
      session.guarded.cut('tooLarge', `A message of ${payload.length} bytes; at most ${maxMessageBytes}.`)
      return Promise.reject(new Error('tooLarge'))
    }
    count(counters.messages, kind)
    session.guarded.hold(payload.length)
    const handled = options.onMessage(session.sn!, kind, payload, session.countReadings).catch((error: Error) => {
      refuse('handler', error.message, session)
      throw error
    })
    // PUBACKs leave in the order of the messages (MQTT 3.1.1, 4.6).
    const before = session.acknowledged
    session.acknowledged = handled.then(() => before).finally(() => session.guarded.release(payload.length))
    session.acknowledged.catch(() => undefined)
    return session.acknowledged
  }

  /**
   * Readings do not go through the broker, which nobody subscribes to them at: it would take a connection's next packets only when
   * all it has read before are committed.
   */
  const intercept = (session: Session) => {
    const readings = readingsOf(session.sn!)
    session.guarded.intercept((first, body) => {
      const found = closing ? 'reading' : readings(first, body)
      if (typeof found === 'string') return found
      handle(session, found.kind, found.payload).then(
        () => session.out.acknowledge(found.packetId),
        () => session.guarded.destroy(),
      )
      return 'taken'
    })
  }

  const broker = await Aedes.createBroker({
    connectTimeout: limits.connectTimeoutMs,
    // One timer for all that waits for a drain. The guarded socket knows when a reader is too slow; this never ends.
    drainTimeout: 2 ** 31 - 1,
    maxClientsIdLength: 64,
    maxTopicLevels: 16,
    preConnect: (client, packet, done) => {
      const session = sessions.get(client)!
      session.connect = packet
      packet.clean = true
      // Ours to watch: the broker does not see all that comes. MQTT 3.1.1, 3.1.2.10.
      session.keepAliveMs = (packet.keepalive ?? 0) * 1500
      packet.keepalive = 0
      done(null, true)
    },
    authenticate: (client, user, password, done) => {
      authenticate(client, user, password).then(
        (refusal) => done(refusal ?? null, !refusal),
        () => done(connack(3, 'Keys cannot be checked at the moment.'), false),
      )
    },
    authorizePublish: (client, packet, done) => {
      const session = client && sessions.get(client)
      // Aedes publishes wills of a former life without a client, and all wills when we close: neither says anything about a gateway.
      if (!session?.sn || closing) return done(new Error('closing'))
      const { topic: name, payload, retain } = packet
      // Nobody here subscribes to what comes up: the handler has it, and nothing of it is stored for QoS 2 or as retained.
      packet.retain = false
      packet.payload = empty
      receive(session, name, retain, Buffer.isBuffer(payload) ? payload : Buffer.from(payload)).then(
        () => done(null),
        (error) => done(error),
      )
    },
    authorizeSubscribe: (client, subscription, done) => {
      const session = sessions.get(client)!
      const { filters } = session
      const own = maySubscribe(session.sn!, subscription.topic) && (filters.has(subscription.topic) || filters.size < limits.subscriptions)
      if (own) filters.add(subscription.topic)
      else refuse('foreignSubscribe', `Subscribe to ${subscription.topic.slice(0, 200)}.`, session)
      done(null, own ? subscription : null)
    },
    // Second lock on the same door: whatever is stored or matched, only own topics leave.
    authorizeForward: (client, packet) => (packet.topic.startsWith(topic(sessions.get(client)?.sn ?? '', 'down', '')) ? packet : null),
  })

  broker.on('unsubscribe', (filters, client) => {
    for (const filter of filters) sessions.get(client)?.filters.delete(filter)
  })
  broker.on('clientReady', (client) => {
    ready.add(client)
    counters.connected = ready.size
    const session = sessions.get(client)!
    if (session.keepAliveMs) session.guarded.expectWithin(session.keepAliveMs)
    intercept(session)
  })
  /** What has not been counted where it was refused, and is not a broken wire, are packets that are not MQTT. */
  const broken = (client: Client, error: Error) => {
    const session = sessions.get(client)
    if (!session?.refused && !closing && !('code' in error) && error.message !== 'keep alive timeout')
      refuse('protocol', error.message, session)
  }
  broker.on('clientError', broken)
  // Aedes' own trouble in delivering must not end the process.
  const emitter: EventEmitter = broker
  emitter.on('error', (error: Error) => refuse('protocol', error.message))
  broker.on('connectionError', broken)

  const accept = (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const open = byAddress.get(address) ?? 0
    if (open >= limits.connectionsPerAddress || sockets.size >= limits.connections) {
      refuse('tooManyConnections', `${open} connections of this address, ${sockets.size} in all.`, { address })
      return void socket.destroy()
    }
    byAddress.set(address, open + 1)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    const guarded = new GuardedSocket(socket, limits, budget, (reason, detail) => refuse(reason, detail, session))
    const session: Session = {
      guarded,
      address,
      filters: new Set(),
      acknowledged: Promise.resolve(),
      out: outgoing(guarded),
      countReadings: (count) => guarded.countReadings(count),
    }
    sockets.set(socket, guarded)
    const client = broker.handle(guarded)
    sessions.set(client, session)
    socket.once('close', () => {
      sockets.delete(socket)
      ready.delete(client)
      counters.connected = ready.size
      const rest = (byAddress.get(address) ?? 1) - 1
      if (rest) byAddress.set(address, rest)
      else byAddress.delete(address)
      const mine = session.sn ? bySn.get(session.sn) : undefined
      mine?.delete(client)
      if (mine && !mine.size) bySn.delete(session.sn!)
    })
  }
  const server = options.tls ? createTlsServer({ ...options.tls, minVersion: 'TLSv1.2' }, accept) : createServer(accept)
  server.on('tlsClientError', (error: Error, socket: Socket) => refuse('protocol', error.message, { address: socket.remoteAddress }))

  const listener = (sn: string, kind: string) => {
    for (const client of bySn.get(sn) ?? []) if (client.connected && hears(sn, sessions.get(client)!.filters, kind)) return client
  }

  return {
    get port() {
      return (server.address() as { port: number } | null)?.port ?? options.port
    },
    open: () =>
      new Promise<void>((done, failed) => {
        server.once('error', failed)
        server.listen(options.port, options.host, () => done())
      }),
    counters,
    memory: () => ({ inFlight: budget.used(), unsent: [...sockets.values()].map(({ unsent }) => unsent) }),
    ready: () => server.listening,
    hears: (sn, kind) => listener(sn, kind) !== undefined,
    isPrivate: (sn) => options.tls !== undefined || [...(bySn.get(sn) ?? [])].every((client) => isOwn(sessions.get(client)!.address)),
    publish: (sn, kind, payload) =>
      new Promise((done, failed) => {
        const client = listener(sn, kind)
        if (client && kind === 'ack') {
          // One that is lost with the connection is asked for again, with the readings: QoS 0 will do.
          sessions.get(client)!.out.send(message(topic(sn, 'down', kind), JSON.stringify(payload)))
          return done()
        }
        if (!client) return failed(new Error(`${sn} is not connected, or does not listen to ${kind}.`))
        const packet = {
          cmd: 'publish',
          topic: topic(sn, 'down', kind),
          payload: JSON.stringify(payload),
          qos: 1,
          dup: false,
          retain: false,
        } as const
        sessions.get(client)!.guarded.expectPuback()
        client.publish(packet, (error) => (error ? failed(error) : done()))
      }),
    disconnect: async (sn) => {
      logins.forget(sn)
      for (const client of bySn.get(sn) ?? []) client.close()
    },
    close: async () => {
      closing = true
      const listening = new Promise<void>((done) => server.close(() => done()))
      await new Promise<void>((done) => broker.close(done))
      for (const socket of sockets.keys()) socket.destroy()
      await listening
    },
  }
}
