// The uplink of the server that owns the database: gateways connect to the brokers of gateway processes.
import type { Logger } from 'pino'
import type { Foreign } from '../mqtt/foreign.ts'
import type { OnMessage, RefusalEvent, Uplink } from '../mqtt/uplink.ts'
import { type ForeignSessions, followForeign } from './foreignSessions.ts'
import {
  type Beat,
  type Cut,
  type Down,
  type DownAnswer,
  decodeUp,
  type ForeignAnswer,
  type ForeignNews,
  type ForeignQuestion,
  type Hello,
  type Login,
  type LoginAnswer,
  type OwnerAddress,
  parse,
  protocol,
  type SessionsFrame,
  type UpMessage,
} from './frames.ts'
import { openHandling } from './handling.ts'
import { type HeardSessions, hearSessions } from './heardSessions.ts'
import { checkKeys, type GatewayKeys } from './keyChecks.ts'
import { type Nats, newMemberName } from './natsConnection.ts'

/** ms: heartbeat interval; timeout for delivering a message to a gateway; timeout for disconnecting one, and the number of attempts. */
const times = { hello: 1000, down: 5000, cut: 2000, cutTries: 3 }
/** Maximum unanswered bytes of all gateway processes, and the minimum share of each. Ingest buffers 64 MiB. */
const [windows, smallestWindow] = [48 * 1024 * 1024, 512 * 1024]

export type OwnerEndOptions = GatewayKeys & {
  nats: Nats
  /** Its name in the fleet. */
  owner?: string
  /** PostgreSQL time in µs when this process became the owner. The latest owner wins. */
  epoch: number
  authenticate(sn: string, password: Buffer): Promise<boolean>
  tenantOf(sn: string): number | undefined
  onMessage: OnMessage
  refused(event: RefusalEvent): void
  /** Where other processes forward calls to; undefined until it serves. */
  address?: () => OwnerAddress | undefined
  /** Processes that store readings; undefined while they are not known. */
  ingest?: () => string[] | undefined
  /** Handler for foreign senders, if any. */
  foreign?: Foreign | undefined
  log: Pick<Logger, 'warn'>
}

/** What becomes of a message. Resolves with the number of readings. */
const workOn =
  ({ onMessage }: OwnerEndOptions, sessions: HeardSessions, foreign: ForeignSessions | undefined) =>
  async (process: string, { sn, kind, payload, session }: UpMessage): Promise<number> => {
    if (kind === 'foreign') return (await foreign?.take(process, session, sn, payload)) ?? 0
    // A will of a connection that the gateway has since replaced.
    if (kind === 'state' && sessions.isOld(process, session, sn)) return 0
    let readings = 0
    await onMessage(sn, kind, payload, (count) => {
      readings = count
    })
    return readings
  }

/** Sends messages to gateways, and disconnects them, through their gateway process. */
const openSending = ({ nats, log }: OwnerEndOptions, sessions: HeardSessions, ack: (sn: string, payload: unknown) => boolean) => {
  const publish: Uplink['publish'] = async (sn, kind, payload) => {
    const place = sessions.of(sn)
    if (!place || !sessions.hears(sn, kind)) throw new Error(`${sn} is not connected, or does not listen to ${kind}.`)
    if (kind === 'ack' && ack(sn, payload)) return
    const down: Down = { sn, kind, payload }
    const reply = await nats.request(nats.subject('process', place.process, 'down'), JSON.stringify(down), times.down)
    const { error }: DownAnswer = JSON.parse(reply)
    if (error) throw new Error(error)
  }
  /** Retries until the process confirms or is gone; a process without NATS disconnects its gateways itself. */
  const cut = async (process: string, what: Cut) => {
    for (let tries = 0; tries < times.cutTries && sessions.processes().includes(process); tries++)
      try {
        return void (await nats.request(nats.subject('process', process, 'cut'), JSON.stringify(what), times.cut))
      } catch (err) {
        log.warn({ err, process }, 'A gateway could not be disconnected; trying again')
      }
  }
  return { publish, cut }
}

/** Announces this process as the owner and handles the messages of all gateway processes. `announce`: once more, at once. */
export const startOwnerEnd = async (options: OwnerEndOptions): Promise<Uplink & { announce(): void }> => {
  const { nats, owner = newMemberName(), epoch, authenticate, proofOf, tenantOf, refused, log } = options
  const cut = (process: string, sn: string, session: number) => void sending.cut(process, { sn, session })
  const keys = checkKeys({ ...options, cut })
  const sessions: HeardSessions = hearSessions(
    {
      askAll: (process) => void nats.publish(nats.subject('process', process, 'tell'), ''),
      cut,
      opened: (process, session) => {
        if (!session.isForeign) return keys.opened(process, session)
        const { sn, session: number, proof } = session
        if (proof !== undefined && !options.foreign?.isCurrent(sn, proof)) cut(process, sn, number)
      },
      foreign: (process, session) => foreign?.changed(process, session),
    },
    () => performance.now(),
  )
  const foreign = options.foreign && followForeign(nats, options.foreign, tenantOf)
  const handling = openHandling(nats, undefined, workOn(options, sessions, foreign))
  const sending = openSending(options, sessions, handling.ack)

  const hello = () => {
    const window = Math.max(smallestWindow, Math.floor(windows / Math.max(2, sessions.processes().length)))
    const introduction: Hello = { protocol, owner, epoch, window, http: options.address?.(), ingest: options.ingest?.() }
    nats.publish(nats.subject('hello'), JSON.stringify(introduction))
  }
  const login = async (data: Uint8Array): Promise<LoginAnswer> => {
    const { sn, key } = parse<Login>(data)
    const password = Buffer.from(key, 'base64')
    if (!(await authenticate(sn, password))) return { isRight: false }
    const tenant = tenantOf(sn)
    return { isRight: true, proof: proofOf(sn, password), ...(tenant === undefined ? {} : { tenant }) }
  }
  const unavailable = JSON.stringify({ error: 'Keys cannot be checked at the moment.' } satisfies LoginAnswer)
  const answerForeign = async (data: Uint8Array): Promise<ForeignAnswer> => (await foreign?.answer(parse<ForeignQuestion>(data))) ?? {}
  const answerWith = (work: (data: Uint8Array) => Promise<object>) => (data: Uint8Array, answer: (reply: string) => void) =>
    void work(data).then(
      (reply) => answer(JSON.stringify(reply)),
      () => answer(unavailable),
    )
  const listeners: Record<string, (process: string, data: Uint8Array) => void> = {
    up: (process, data) => handling.take(process, decodeUp(data)),
    base: (process, data) => handling.begins(process, data),
    sessions: (_process, data) => sessions.frame(parse<SessionsFrame>(data)),
    beat: (_process, data) => sessions.beat(parse<Beat>(data)),
    refused: (_process, data) => refused(parse<RefusalEvent>(data)),
    news: (process, data) => foreign?.news(process, parse<ForeignNews>(data)),
    left: (process) => {
      sessions.left(process)
      handling.forget(process)
    },
  }
  const stops = [
    nats.subscribe(nats.subject('owner', owner, 'login'), answerWith(login)),
    nats.subscribe(nats.subject('owner', owner, 'foreign'), answerWith(answerForeign)),
    nats.subscribe(nats.subject('owner', owner, '*', '*'), (data, _answer, subject) => {
      const [token = '', process = ''] = subject.split('.').slice(-2)
      try {
        listeners[token]?.(process, data)
      } catch (err) {
        log.warn({ err, process, token }, 'A frame of a gateway process could not be read')
      }
    }),
    nats.subscribe(nats.subject('who'), hello),
  ]
  nats.onConnection((isConnected) => isConnected && hello())
  hello()
  const timer = setInterval(() => {
    for (const process of sessions.tick()) handling.forget(process)
    hello()
  }, times.hello)

  return {
    publish: sending.publish,
    announce: hello,
    get counters() {
      return sessions.counters()
    },
    hears: sessions.hears,
    isPrivate: (sn) => nats.isPrivate && (sessions.of(sn)?.isPrivate ?? false),
    disconnect: async (sn) => void (await Promise.all(sessions.processes().map((process) => sending.cut(process, { sn })))),
    memory: () => ({ inFlight: sessions.waiting(), unsent: [] }),
    ready: () => nats.connected() && sessions.processes().length > 0,
    close: async () => {
      clearInterval(timer)
      keys.close()
      nats.publish(nats.subject('bye'), JSON.stringify({ owner }))
      for (const stop of stops) stop()
      await handling.idle()
      await nats.close()
    },
  }
}
