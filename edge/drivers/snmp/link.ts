import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import snmp, { type Session, type SnmpSocket, type Varbind } from 'net-snmp'
import { secretsOf, settingOf } from '../../../contract/protocols/settings.ts'
import { snmp as protocol } from '../../../contract/protocols/snmp.ts'
import { type ChannelRow, DriverFault, type Frame } from '../driver.ts'
import { provideDes } from './des.ts'
import { errorName, readable } from './frames.ts'

provideDes()

/** Refusals of an agent (error-status of RFC 3416). */
export const [tooBig, noSuchName] = [1, 2]
/** An agent refused a request; `oid` is the variable in its error. */
export class Refused extends Error {
  readonly status: number
  readonly oid: string | undefined
  constructor(status: number, oid: string | undefined) {
    super(errorName(status))
    this.status = status
    this.oid = oid
  }
}

/** Reports of a version 3 agent about our credentials (RFC 3414, section 3.2). The library's own texts may contain digests. */
const reports = [
  'Unsupported Security Level',
  'Not In Time Window',
  'Unknown User Name',
  'Unknown Engine ID',
  'Wrong Digest',
  'Decryption Error',
]
const faultOf = (error: Error, timeoutMs: number): Error => {
  if (error instanceof snmp.RequestTimedOutError) return new DriverFault('silent', `no answer within ${timeoutMs} ms`)
  if (error instanceof snmp.RequestFailedError) return new Refused(error.status, /: ([\d.]+)$/.exec(error.message)?.[1])
  if (error instanceof snmp.ResponseInvalidError) {
    const report = reports.find((text) => error.message.startsWith(text))
    return report ? new DriverFault('refused', `the agent reports: ${report}`) : new DriverFault('garbled', 'an answer that does not fit')
  }
  if (error instanceof RangeError || error instanceof TypeError) return error
  return new DriverFault('down', error.message)
}

type Credentials = { version: number; community: string; user: Parameters<typeof snmp.createV3Session>[1] }

/** Settings of the channel in the library's format. @throws DriverFault if they are inconsistent */
const credentialsOf = ({ Settings }: ChannelRow, isWriting: boolean): Credentials => {
  const text = (name: string) => String(settingOf(protocol.channel, Settings, name) ?? '')
  const [version, auth, priv] = [text('Version'), text('AuthProtocol'), text('PrivProtocol')]
  const { SecurityLevel: level } = snmp
  const wrong = (why: string) => new DriverFault('down', why)
  if (version !== '3') {
    const community = (isWriting && text('WriteCommunity')) || text('Community') || 'public'
    return { version: version === '1' ? snmp.Version1 : snmp.Version2c, community, user: { name: '', level: level.noAuthNoPriv } }
  }
  const name = text('User')
  if (!name) throw wrong('SNMPv3 needs a user')
  if (priv !== 'none' && auth === 'none') throw wrong('encryption needs an authentication')
  if (auth !== 'none' && !text('AuthPassword')) throw wrong('authentication needs a password')
  if (priv !== 'none' && !text('PrivPassword')) throw wrong('encryption needs a password')
  const user = {
    ...{ name, level: auth === 'none' ? level.noAuthNoPriv : priv === 'none' ? level.authNoPriv : level.authPriv },
    ...(auth === 'none' ? {} : { authProtocol: snmp.AuthProtocols[auth]!, authKey: text('AuthPassword') }),
    ...(priv === 'none' ? {} : { privProtocol: snmp.PrivProtocols[priv]!, privKey: text('PrivPassword') }),
  }
  return { version: snmp.Version3, community: '', user }
}

type Ask<T> = (session: Session, answered: (error: Error | null, answer?: T) => void) => void

/** Sessions with one agent: one for reads and, if it has a separate community, one for writes. */
export class SnmpLink {
  readonly #channel: ChannelRow
  readonly #secrets: readonly string[]
  #sessions: { reading: Session; writing: Session } | undefined
  /** Pending requests. A closed socket drops unsent data without a callback to the library. */
  readonly #waiting = new Set<(fault: DriverFault) => void>()
  #trace: ((frame: Frame) => void) | undefined

  constructor(channel: ChannelRow) {
    this.#channel = channel
    this.#secrets = secretsOf(protocol.channel).map((name) => String(channel.Settings?.[name] ?? ''))
  }

  get connected() {
    return this.#sessions !== undefined
  }

  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  /** Opens sockets; the first request shows whether an agent answers. @throws DriverFault down */
  async open() {
    this.close()
    const { Ip, Settings } = this.#channel
    const { address, family } = await lookup(Ip!).catch((error: Error) => {
      throw new DriverFault('down', error.message)
    })
    const reading = this.#session(address, family, false)
    this.#sessions = { reading, writing: Settings?.WriteCommunity ? this.#session(address, family, true) : reading }
  }

  close() {
    const sessions = this.#sessions
    this.#sessions = undefined
    this.#fail(new DriverFault('down', 'closed'))
    for (const session of new Set(sessions && [sessions.reading, sessions.writing])) session.close()
  }

  get = (oids: readonly string[], timeoutMs: number) =>
    this.#ask<Varbind[]>((session, answered) => session.get(oids, answered), timeoutMs, false)
  next = (oid: string, timeoutMs: number) =>
    this.#ask<Varbind[]>((session, answered) => session.getNext([oid], answered), timeoutMs, false).then(([found]) => found)
  set = (variable: Varbind, timeoutMs: number) =>
    this.#ask<Varbind[]>((session, answered) => session.set([variable], answered), timeoutMs, true)

  #ask<T>(ask: Ask<T>, timeoutMs: number, isWriting: boolean): Promise<T> {
    const session = isWriting ? this.#sessions?.writing : this.#sessions?.reading
    if (!session) return Promise.reject(new DriverFault('down', 'not connected'))
    session.timeout = timeoutMs
    let fail: (fault: DriverFault) => void = () => {}
    return new Promise<T>((resolve, reject) => {
      fail = reject
      this.#waiting.add(fail)
      ask(session, (error, answer) => {
        if (error || answer === undefined) reject(faultOf(error ?? new Error('no answer'), timeoutMs))
        else resolve(answer)
      })
    }).finally(() => this.#waiting.delete(fail))
  }

  #fail(fault: DriverFault) {
    for (const reject of this.#waiting) reject(fault)
  }

  #session(host: string, family: number, isWriting: boolean): Session {
    const { version, community, user } = credentialsOf(this.#channel, isWriting)
    const port = this.#channel.Port!
    const options = {
      ...{ version, port, transport: family === 6 ? ('udp6' as const) : ('udp4' as const), retries: 0, timeout: 1000 },
      reportOidMismatchErrors: true,
      dgramModule: { createSocket: (transport: 'udp4' | 'udp6') => this.#socket(transport, host, port) },
    }
    const session = version === snmp.Version3 ? snmp.createV3Session(host, user, options) : snmp.createSession(host, community, options)
    session.on('error', () => this.#fail(new DriverFault('garbled', 'an answer that is no SNMP message')))
    return session
  }

  /** A socket that receives only from the agent, and traces. */
  #socket(transport: 'udp4' | 'udp6', host: string, port: number): SnmpSocket {
    const socket = createSocket(transport)
    const tell = (isSent: boolean, bytes: Buffer) => this.#trace?.({ isSent, ...readable(bytes, this.#secrets) })
    return {
      on: (event, heard) => {
        if (event !== 'message') return socket.on(event, () => heard(Buffer.alloc(0)))
        return socket.on('message', (bytes, from) => {
          if (from.address !== host || from.port !== port) return
          tell(false, bytes)
          heard(bytes)
        })
      },
      send: (bytes, offset, length, toPort, toHost, sent) => {
        tell(true, bytes)
        socket.send(bytes, offset, length, toPort, toHost, sent)
      },
      ref: () => socket.ref(),
      unref: () => socket.unref(),
      close: () => socket.close(),
    }
  }
}
