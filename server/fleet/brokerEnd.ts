// The broker of a gateway process. Forwards messages over NATS to the server that owns the database, and acknowledges them once the
// owner has stored them. Needs no database.
import type { Logger } from 'pino'
import { isOwn } from '../http/addresses.ts'
import type { EmbeddedOptions } from '../mqtt/embedded.ts'
import type { Session } from '../mqtt/sessions.ts'
import type { Counters, OnMessage, RefusalEvent } from '../mqtt/uplink.ts'
import { askOwner } from './askOwner.ts'
import { type Broker, openBroker } from './broker.ts'
import { type ForeignRelay, relayForeign } from './foreignRelay.ts'
import {
  type Beat,
  type Cut,
  type Down,
  decodeAnswers,
  type ForeignDown,
  type Hello,
  type Login,
  type LoginAnswer,
  parse,
  protocol,
} from './frames.ts'
import { type Nats, newMemberName } from './natsConnection.ts'
import { followOwners, type Owners } from './owners.ts'
import { openTargets, ownerTarget, type Target, type Targets } from './targets.ts'
import { type ToldSessions, tellSessions } from './toldSessions.ts'

/**
 * ms: heartbeat interval; interval for checking timeouts; NATS outage after which gateways are disconnected, so that they connect
 * elsewhere. The owner considers this process gone a second later.
 */
const times = { beat: 1000, look: 100, cut: 5000 }
/** Maximum number of refusals reported per heartbeat; all are counted. */
const refusalsAtOnce = 50

export type BrokerEndOptions = Pick<EmbeddedOptions, 'host' | 'port' | 'tls' | 'limits' | 'isBalancer' | 'proxyProtocol'> & {
  nats: Nats
  log: Pick<Logger, 'info' | 'warn'>
}
export type BrokerEnd = Awaited<ReturnType<typeof startBrokerEnd>>
type Parts = { process: string; nats: Nats; owners: Owners; targets: Targets; sessions: ToldSessions; relay: ForeignRelay }

const now = () => performance.now()

/** Has the owner check keys. */
const openLogins = ({ nats, owners }: Pick<Parts, 'nats' | 'owners'>, tenants: Map<string, number>, proofs: Map<string, string>) => ({
  authenticate: async (sn: string, password: Buffer) => {
    const question: Login = { sn, key: password.toString('base64') }
    const answer = await askOwner<LoginAnswer>(nats, owners, 'login', question)
    if (answer.tenant !== undefined) tenants.set(sn, answer.tenant)
    if (answer.isRight && answer.proof !== undefined) proofs.set(sn, answer.proof)
    return answer.isRight
  },
})

/** Numbers the broker's connections and reports them to the owner. */
const numberSessions = (sessions: ToldSessions, relay: ForeignRelay, isTls: boolean, proofOf: (sn: string) => string | undefined) => {
  const numbers = new WeakMap<object, number>()
  let last = 0
  const numberOf = (connection: object) => {
    const number = numbers.get(connection) ?? ++last
    numbers.set(connection, number)
    return number
  }
  return {
    numberOf,
    changed: (session: Session & { sn: string }, isOpen: boolean) => {
      const { sn, filters, address, isBehindBalancer, foreign } = session
      const number = numberOf(session)
      if (foreign && isOpen) relay.opened(number, foreign.send)
      else if (foreign) relay.closed(number)
      if (!isOpen) return sessions.changed({ session: number, sn })
      const isPrivate = isTls || (isOwn(address) && !isBehindBalancer)
      const kinds = foreign ? [...filters] : [...filters].map((filter) => filter.split('/').at(-1)!)
      const proof = foreign?.proof ?? proofOf(sn)
      sessions.changed({ session: number, sn, kinds, isPrivate, ...(proof ? { proof } : {}), ...(foreign ? { isForeign: true } : {}) })
    },
  }
}

/** Handles messages from the owner. Returns an unsubscribe function. */
const followOwner = ({ process, nats, owners, targets, sessions, relay }: Parts, broker: Broker, log: BrokerEndOptions['log']) => {
  const subscribe = (subject: string, listener: Parameters<Nats['subscribe']>[1]) =>
    nats.subscribe(subject, (...heard) => {
      try {
        listener(...heard)
      } catch (err) {
        log.warn({ err, subject }, 'A frame of another process could not be read')
      }
    })
  const own = (token: string) => nats.subject('process', process, token)
  const answered = (target: Target, data: Uint8Array) => {
    for (const answer of decodeAnswers(data)) {
      const message = targets.answered(target, answer)
      // A gateway that has disconnected sends its readings again.
      if (message)
        for (const ack of answer.acks)
          broker
            .now()
            ?.publish(message.sn, 'ack', Buffer.from(ack))
            .catch(() => undefined)
    }
  }
  const stops = [
    subscribe(nats.subject('hello'), (data) => {
      const hello = parse<Hello>(data)
      owners.heard(hello)
      if (hello.owner !== owners.current()?.owner) return
      targets.setWindow(hello.window)
      if (hello.ingest) targets.follow(hello.ingest)
    }),
    subscribe(nats.subject('bye'), (data) => owners.left(parse<{ owner: string }>(data).owner)),
    subscribe(own('answers'), (data) => answered(ownerTarget, data)),
    subscribe(own('again'), () => targets.askedAgain(ownerTarget)),
    subscribe(nats.subject('process', process, 'answers', '*'), (data, _answer, subject) => answered(subject.split('.').at(-1)!, data)),
    subscribe(nats.subject('process', process, 'again', '*'), (_data, _answer, subject) => targets.askedAgain(subject.split('.').at(-1)!)),
    subscribe(own('down'), (data, answer) => {
      const { sn, kind, payload } = parse<Down>(data)
      const sent = broker.now()?.publish(sn, kind, payload) ?? Promise.reject(new Error(`${sn} is not connected.`))
      sent.then(
        () => answer('{}'),
        (error: Error) => answer(JSON.stringify({ error: error.message })),
      )
    }),
    subscribe(own('cut'), (data, answer) => {
      const { sn, session } = parse<Cut>(data)
      if (session === undefined || sessions.of(session)) void broker.now()?.disconnect(sn)
      answer('{}')
    }),
    subscribe(own('tell'), () => sessions.tellAll()),
    subscribe(own('send'), (data) => relay.send(parse<ForeignDown>(data))),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Disconnects gateways during a long NATS outage and lets them in again afterwards. */
const cutWhileAway = ({ nats, targets }: Parts, broker: Broker, log: BrokerEndOptions['log']) => {
  let lostAt: number | undefined
  nats.onConnection((isConnected) => {
    lostAt = isConnected ? undefined : (lostAt ?? now())
    if (!isConnected) return
    nats.publish(nats.subject('who'), '')
    targets.sendAllAgain()
    void broker.set(true)
  })
  return () => {
    if (lostAt === undefined || now() - lostAt < times.cut || !broker.now()) return
    log.warn('NATS is away: gateways are disconnected, so that they can connect to another process.')
    void broker.set(false)
    targets.clear()
  }
}

/** Starts the broker and forwards its messages. The port opens immediately; logins wait for an owner. */
export const startBrokerEnd = async ({ nats, log, ...options }: BrokerEndOptions) => {
  const process = newMemberName()
  const owners = followOwners(now, log)
  const toOwner = (token: string, data: Uint8Array | string) => {
    const owner = owners.current()?.owner
    return owner !== undefined && nats.publish(nats.subject('owner', owner, token, process), data)
  }
  const send = (target: Target, token: string, data: Buffer | string) =>
    target === ownerTarget ? toOwner(token, data) : nats.publish(nats.subject('ingest', target as string, token, process), data)
  const targets = openTargets({ send, now, mostBytes: nats.mostBytes })
  const sessions = tellSessions(process, (frame) => void toOwner('sessions', JSON.stringify(frame)))
  const tenants = new Map<string, number>()
  const tenantOf = (sn: string) => tenants.get(sn)
  const relay = relayForeign({ nats, owners, targets, tenants, toOwner })
  const parts: Parts = { process, nats, owners, targets, sessions, relay }
  const proofs = new Map<string, string>()
  const logins = openLogins(parts, tenants, proofs)
  const numbers = numberSessions(sessions, relay, options.tls !== undefined, (sn) => proofs.get(sn))
  let refusals = 0

  const onMessage: OnMessage = async (sn, kind, payload, countReadings, connection) => {
    const session = connection ? numbers.numberOf(connection) : 0
    countReadings?.(await targets.ask(tenantOf(sn) ?? 0, { sn, kind, payload, session }))
  }
  const refused = (event: RefusalEvent) => {
    if (refusals++ < refusalsAtOnce) toOwner('refused', JSON.stringify(event))
  }
  const broker = await openBroker({
    ...options,
    authenticate: logins.authenticate,
    tenantOf,
    onMessage,
    refused,
    sessionChanged: numbers.changed,
    foreign: relay.foreign,
  })
  const counters = (): Counters => broker.now()?.counters ?? { connected: 0, messages: {}, refused: {} }
  const beat = () => {
    refusals = 0
    const sign: Beat = { process, protocol, seq: sessions.seq(), counters: counters(), waiting: targets.waiting().bytes }
    toOwner('beat', JSON.stringify(sign))
  }
  owners.onChange(() => {
    sessions.tellAll()
    beat()
    targets.sendAllAgain(ownerTarget)
  })
  const stopFollowing = followOwner(parts, broker, log)
  nats.publish(nats.subject('who'), '')
  const lookAtConnection = cutWhileAway(parts, broker, log)
  const timers = [
    setInterval(beat, times.beat),
    setInterval(() => {
      owners.tick()
      targets.tick()
      lookAtConnection()
    }, times.look),
  ]
  return {
    port: broker.port,
    counters,
    waiting: targets.waiting,
    hasOwner: owners.isThere,
    /** Independent of the owner: without one, a load balancer would disconnect the gateways of all processes. */
    probes: [
      { name: 'nats', ready: nats.connected },
      { name: 'broker', ready: () => broker.now()?.ready() ?? false },
    ],
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await broker.set(false)
      toOwner('left', '')
      stopFollowing()
      targets.clear()
      await nats.close()
    },
  }
}
