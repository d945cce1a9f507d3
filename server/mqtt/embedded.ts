import type { EventEmitter } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes, type Client } from 'aedes'
import { topic } from '../../contract/gateway-protocol.ts'
import { isOwn, networkOf } from '../http/addresses.ts'
import { GuardedSocket } from './guardedSocket.ts'
import { Inbound, type InboundOptions } from './inbound.ts'
import { type Limits, standardLimits } from './limits.ts'
import { openLoginThrottle } from './loginThrottle.ts'
import { openMemoryBudget } from './memoryBudget.ts'
import { behindProxies } from './proxyProtocol.ts'
import { type Session, Sessions } from './sessions.ts'
import { message, Outgoing } from './shortcut.ts'
import type { Uplink } from './uplink.ts'

export type EmbeddedOptions = InboundOptions & {
  host: string
  /** 0 takes a free one. */
  port: number
  /** Clock of failed logins, ms. */
  now?: (() => number) | undefined
  /** PEM texts: the port then speaks TLS 1.2 or newer, and nothing else. */
  tls?: { cert: string | Buffer; key: string | Buffer }
  /** Balancers name the addresses of their callers by the PROXY protocol. */
  proxyProtocol?: boolean | undefined
  /** Whether this is the gateway's key; compares in constant time. Rejects when the key cannot be checked; the gateway then retries. */
  authenticate(sn: string, password: Buffer): Promise<boolean>
  limits?: Partial<Limits>
}

type Parts = {
  broker: Aedes
  sessions: Sessions
  inbound: Inbound
  limits: Limits
  budget: ReturnType<typeof openMemoryBudget>
  /** The address that a balancer named for a connection. */
  addressOf(socket: Socket): string | undefined
}

/** Follows the broker's events. */
const follow = (broker: Aedes, sessions: Sessions, inbound: Inbound, ready: Set<Client>) => {
  broker.on('unsubscribe', (filters, client) => {
    const session = sessions.of(client)
    for (const filter of filters) session?.filters.delete(filter)
    if (session && sessions.isOpen(client)) inbound.tell(session, true)
  })
  broker.on('clientReady', (client) => {
    ready.add(client)
    inbound.counters.connected = ready.size
    const session = sessions.of(client)!
    if (session.keepAliveMs) session.guarded.expectWithin(session.keepAliveMs)
    inbound.tell(session, true)
    inbound.intercept(session)
  })
  /** What has not been counted where it was refused, and is not a broken wire, are packets that are not MQTT. */
  const broken = (client: Client, error: Error) => {
    const session = sessions.of(client)
    if (!session?.refused && !inbound.closing && !('code' in error) && error.message !== 'keep alive timeout')
      inbound.refuse('protocol', error.message, session)
  }
  broker.on('clientError', broken)
  // Aedes' own trouble in delivering must not end the process.
  const emitter: EventEmitter = broker
  emitter.on('error', (error: Error) => inbound.refuse('protocol', error.message))
  broker.on('connectionError', broken)
}

/** Takes a connection, unless there are too many. */
const acceptor =
  ({ broker, sessions, inbound, limits, budget, addressOf }: Parts, ready: Set<Client>) =>
  (socket: Socket) => {
    const named = addressOf(socket)
    const address = networkOf(named ?? socket.remoteAddress ?? '')
    const open = sessions.openOf(address)
    const isBehindBalancer = named === undefined && inbound.isBalancer(socket.remoteAddress ?? '')
    if ((open >= limits.connectionsPerAddress && !isBehindBalancer) || sessions.sockets.size >= limits.connections) {
      inbound.refuse('tooManyConnections', `${open} connections of this address, ${sessions.sockets.size} in all.`, { address })
      return void socket.destroy()
    }
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    const guarded = new GuardedSocket(socket, limits, budget, (reason, detail) => inbound.refuse(reason, detail, session))
    const session: Session = {
      guarded,
      address,
      isBehindBalancer,
      filters: new Set(),
      acknowledged: Promise.resolve(),
      out: new Outgoing(guarded),
      countReadings: (count) => guarded.throttle.takeReadings(count),
    }
    sessions.add(socket, session)
    const client = broker.handle(guarded)
    sessions.bind(client, session)
    socket.once('close', () => {
      ready.delete(client)
      inbound.counters.connected = ready.size
      sessions.remove(socket, client, session)
      inbound.left(session)
    })
  }

/** A payload in a buffer is JSON already. */
const textOf = (payload: unknown) => (Buffer.isBuffer(payload) ? payload : JSON.stringify(payload))

const publisher =
  (sessions: Sessions): Uplink['publish'] =>
  (sn, kind, payload) =>
    new Promise((done, failed) => {
      const client = sessions.listener(sn, kind)
      if (client && kind === 'ack') {
        // QoS 0 is enough: if the connection is lost, the gateway repeats its readings and gets another one.
        sessions.of(client)!.out.send(message(topic(sn, 'down', kind), textOf(payload)))
        return done()
      }
      if (!client) return failed(new Error(`${sn} is not connected, or does not listen to ${kind}.`))
      const packet = {
        cmd: 'publish',
        topic: topic(sn, 'down', kind),
        payload: textOf(payload),
        qos: 1,
        dup: false,
        retain: false,
      } as const
      sessions.of(client)!.guarded.throttle.expectPuback()
      client.publish(packet, (error) => (error ? failed(error) : done()))
    })

/**
 * MQTT 3.1.1 broker in this process (ruling 42). A gateway logs in with SN as client id and user, its key as password, and reaches
 * its own topics only. Sessions end with the connection: nothing is queued for gateways that are away. Nobody is let in before `open`:
 * hundreds of gateways that reconnect together would take the processor from a start.
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<Uplink & { port: number; open(): Promise<void> }> => {
  const limits = { ...standardLimits, ...options.limits }
  const sessions = new Sessions()
  const ready = new Set<Client>()
  const budget = openMemoryBudget(limits.inFlightBytesOfAll)
  const logins = openLoginThrottle(options.authenticate, options.now)
  const inbound = new Inbound(options, limits, sessions, logins)
  const broker = await Aedes.createBroker(inbound.hooks())
  follow(broker, sessions, inbound, ready)
  const addressOf = (socket: Socket) => proxies?.addressOf(socket)
  const accept = acceptor({ broker, sessions, inbound, limits, budget, addressOf }, ready)
  const inner = options.tls ? createTlsServer({ ...options.tls, minVersion: 'TLSv1.2' }, accept) : createServer(accept)
  inner.on('tlsClientError', (error: Error, socket: Socket) =>
    inbound.refuse('protocol', error.message, { address: addressOf(socket) ?? socket.remoteAddress }),
  )
  const proxies = options.proxyProtocol
    ? behindProxies(inner, {
        isBalancer: (address) => inbound.isBalancer(address),
        hasRoom: (waiting) => waiting + sessions.sockets.size < limits.connections,
        refuse: (detail, { remoteAddress }) => inbound.refuse('protocol', detail, { address: remoteAddress }),
      })
    : undefined
  const server = proxies?.entry ?? inner

  return {
    get port() {
      return (server.address() as { port: number } | null)?.port ?? options.port
    },
    open: () =>
      new Promise<void>((done, failed) => {
        server.once('error', failed)
        server.listen(options.port, options.host, () => done())
      }),
    counters: inbound.counters,
    memory: () => ({ inFlight: budget.used(), unsent: [...sessions.sockets.values()].map(({ unsent }) => unsent) }),
    ready: () => server.listening,
    hears: (sn, kind) => sessions.listener(sn, kind) !== undefined,
    isPrivate: (sn) => options.tls !== undefined || [...sessions.clientsOf(sn)].every((client) => isOwn(sessions.of(client)!.address)),
    publish: publisher(sessions),
    disconnect: async (sn) => {
      logins.forget(sn)
      for (const client of sessions.clientsOf(sn)) client.close()
    },
    close: async () => {
      inbound.closing = true
      const listening = new Promise<void>((done) => server.close(() => done()))
      proxies?.close()
      await new Promise<void>((done) => broker.close(done))
      for (const socket of sessions.sockets.keys()) socket.destroy()
      await listening
    },
  }
}
