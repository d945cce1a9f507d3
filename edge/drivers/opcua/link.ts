import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  AttributeIds,
  type ClientSession,
  type EndpointDescription,
  MessageSecurityMode,
  OPCUAClient,
  type OPCUAClientOptions,
  SecurityPolicy,
  StatusCodes,
  setErrorLogger,
  setWarningLogger,
  type UserIdentityInfo,
  UserTokenType,
} from 'node-opcua-client'
import { defaultClientTransportFactory, type IClientTransport } from 'node-opcua-transport'
import { opcua as protocol } from '../../../contract/protocols/opcua.ts'
import { secretsOf, settingOf } from '../../../contract/protocols/settings.ts'
import { DriverFault, type Frame, type Opening } from '../driver.ts'
import { readable } from './frames.ts'
import { pkiOf } from './pki.ts'

// The library logs warnings to the console, with certificates. Relevant errors arrive as faults.
setErrorLogger(() => {})
setWarningLogger(() => {})

/** Timeout to open a session, and to close a connection, ms. */
const [connectMs, partingMs] = [10_000, 300]
const sessionMs = 60_000
/** Maximum bytes of an answer. The library would accept the limit that the server itself announces. */
const mostBytes = 16 * 1024 * 1024
/** Offset and value of the mark that a chunk is followed by others (Part 6, 6.7.2.2). */
const [continuedAt, continued] = [3, 0x43]
/** Nodes per request if the server announces no limit (OperationLimits of Part 5); 0 means no limit. */
const mostNodes = 1000
const operationLimits = { read: 'i=11705', monitored: 'i=11714' }

/** @throws DriverFault silent */
export const within = async <T>(ms: number, work: Promise<T>, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DriverFault('silent', `${what} within ${ms} ms`)), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

export type Limits = { read: number; monitored: number }
type Open = { client: OPCUAClient; session: ClientSession; namespaces: readonly string[]; limits: Limits }
/** One connection attempt, with the resources to close after it. */
type Attempt = { clients: Set<OPCUAClient>; transports: Set<IClientTransport>; isOver: boolean; isGarbled: boolean }

const pemOf = (text: string, kind: string) => {
  const digits = text.replace(/-----[^-]+-----/g, '').replace(/\s+/g, '')
  return `-----BEGIN ${kind}-----\n${digits.replace(/(.{64})/g, '$1\n')}\n-----END ${kind}-----\n`
}

/** A session with a server. The scheduler reopens a lost one. */
export class OpcLink {
  readonly #opening: Opening
  readonly #secrets: readonly string[]
  #attempt: Attempt | undefined
  #open: Open | undefined
  #trace: ((frame: Frame) => void) | undefined

  constructor(opening: Opening) {
    this.#opening = opening
    const { Settings } = opening.channel
    this.#secrets = secretsOf(protocol.channel).map((name) => String(Settings?.[name] ?? ''))
  }

  get connected() {
    return this.#open !== undefined
  }
  /** @throws DriverFault down */
  get now(): Open {
    if (!this.#open) throw new DriverFault('down', 'not connected')
    return this.#open
  }

  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }
  trust(thumbprint: string) {
    return this.#pki().trust(thumbprint)
  }

  async connect() {
    this.close()
    const attempt: Attempt = { clients: new Set(), transports: new Set(), isOver: false, isGarbled: false }
    this.#attempt = attempt
    try {
      const open = await within(connectMs, this.#connect(attempt), `${this.#setting('Url')}: no session`)
      if (attempt.isOver) throw new DriverFault('down', 'closed')
      this.#open = open
      const lost = () => {
        if (attempt.isOver) return
        this.#end(attempt)
        this.#opening.changed()
      }
      open.client.on('close', lost)
      open.client.on('connection_lost', lost)
      open.session.on('session_closed', lost)
    } catch (error) {
      this.#end(attempt)
      const { message, thumbprint } = error as DriverFault
      throw Object.assign(new DriverFault('down', message.replaceAll(/\s+/g, ' ').slice(0, 300)), thumbprint ? { thumbprint } : {})
    }
  }

  close() {
    if (this.#attempt) this.#end(this.#attempt)
  }

  /** Sends a request. @throws DriverFault */
  async ask<T>(timeoutMs: number, question: (session: ClientSession) => Promise<T>): Promise<T> {
    const { session } = this.now
    const attempt = this.#attempt!
    try {
      return await within(timeoutMs, question(session), 'no answer')
    } catch (error) {
      if (error instanceof DriverFault) throw error
      const { message } = error as Error
      // A refusal has an answer. Without an answer the connection has ended; with some answers, the server has dropped the session.
      const isAnswered = 'response' in (error as Error)
      const isOver = attempt.isOver || !isAnswered || /BadSession|BadSecureChannel/.test(message)
      if (isOver) this.#end(attempt)
      throw new DriverFault(attempt.isGarbled ? 'garbled' : isOver ? 'down' : 'refused', message.slice(0, 300))
    }
  }

  #setting(name: string): string {
    return String(settingOf(protocol.channel, this.#opening.channel.Settings, name) ?? '')
  }
  #pki() {
    if (this.#opening.folder === undefined) throw new DriverFault('down', 'there is no folder for certificates')
    return pkiOf(this.#opening.folder)
  }

  /** Closes the session if the server answers, and the connection in any case. */
  #end(attempt: Attempt) {
    if (attempt.isOver) return
    attempt.isOver = true
    if (this.#attempt === attempt) {
      this.#attempt = undefined
      this.#open = undefined
    }
    const goodbye = Promise.all([...attempt.clients].map((client) => client.disconnect().catch(() => {})))
    within(partingMs, goodbye, 'no goodbye')
      .catch(() => {})
      .finally(() => {
        for (const transport of attempt.transports) transport.dispose()
      })
  }

  async #connect(attempt: Attempt): Promise<Open> {
    const url = this.#setting('Url')
    const securityMode = this.#setting('SecurityMode')
    const securityPolicy = this.#setting('SecurityPolicy')
    const isSecure = securityMode !== 'None'
    const identity = this.#identity()
    const { provider, applicationUri } = await this.#pki().own()
    const create = (more: OPCUAClientOptions) => {
      // The library accepts a provider in place of files, so nothing is written outside our folder.
      const client = OPCUAClient.create({
        ...{ applicationName: 'Penstock gateway', applicationUri, clientName: 'Penstock gateway', certificateKeyPairProvider: provider },
        ...{ connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 }, endpointMustExist: false },
        ...{
          keepSessionAlive: true,
          requestedSessionTimeout: sessionMs,
          transportTimeout: sessionMs,
          defaultTransactionTimeout: connectMs,
        },
        transportFactory: { create: (settings) => this.#transport(attempt, defaultClientTransportFactory.create(settings)) },
        ...more,
      })
      attempt.clients.add(client)
      if (attempt.isOver) throw new DriverFault('down', 'closed')
      return client
    }
    const endpoint = isSecure ? await this.#discover(create({}), url, securityMode, securityPolicy) : undefined
    if (endpoint) await this.#pki().check(endpoint.serverCertificate, url)
    const client = create(
      endpoint
        ? {
            securityMode: endpoint.securityMode,
            securityPolicy: SecurityPolicy[securityPolicy as 'Basic256Sha256'],
            serverCertificate: endpoint.serverCertificate,
          }
        : {},
    )
    await client.connect(url)
    const session = await client.createSession(identity)
    const namespaces = await session.readNamespaceArray()
    return { client, session, namespaces, limits: await this.#limits(session) }
  }

  /** The server's endpoint with the wanted security. */
  async #discover(client: OPCUAClient, url: string, mode: string, policy: string): Promise<EndpointDescription> {
    await client.connect(url)
    const endpoints = await client.getEndpoints()
    await client.disconnect()
    const nameOf = ({ securityMode, securityPolicyUri }: EndpointDescription) =>
      `${MessageSecurityMode[securityMode]} ${securityPolicyUri?.split('#')[1] ?? ''}`.trim()
    const found = endpoints.find((endpoint) => nameOf(endpoint) === `${mode} ${policy}`)
    if (found) return found
    const offered = [...new Set(endpoints.map(nameOf))].join(', ')
    throw new DriverFault('down', `${url}: the server does not offer ${mode} with ${policy}, but ${offered || 'nothing'}`)
  }

  async #limits(session: ClientSession): Promise<Limits> {
    const asked = [operationLimits.read, operationLimits.monitored].map((nodeId) => ({ nodeId, attributeId: AttributeIds.Value }))
    const [read, monitored] = (await session.read(asked)).map(({ value }) => {
      const most = Number(value?.value ?? 0)
      return Number.isInteger(most) && most > 0 ? Math.min(most, mostNodes) : mostNodes
    })
    return { read: read ?? mostNodes, monitored: monitored ?? mostNodes }
  }

  #identity(): UserIdentityInfo {
    const [kind, userName] = [this.#setting('SignIn'), this.#setting('User')]
    if (kind === 'user') {
      if (!userName) throw new DriverFault('down', 'signing in needs a user')
      return { type: UserTokenType.UserName, userName, password: this.#setting('UserPassword') }
    }
    if (kind !== 'certificate') return { type: UserTokenType.Anonymous }
    const [given, key] = [this.#setting('UserCertificate'), this.#setting('UserKey')]
    try {
      const certificate = new X509Certificate(pemOf(given, 'CERTIFICATE'))
      const privateKey = createPrivateKey(pemOf(key, 'PRIVATE KEY'))
      if (!certificate.checkPrivateKey(privateKey)) throw new Error('another key')
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      return { type: UserTokenType.Certificate, certificateData: certificate.raw, privateKey: pem }
    } catch {
      throw new DriverFault('down', 'the certificate to sign in with, or its key, is none')
    }
  }

  /** A connection that ends with the attempt and is traced. */
  #transport(attempt: Attempt, transport: IClientTransport): IClientTransport {
    attempt.transports.add(transport)
    transport.once('close', () => attempt.transports.delete(transport))
    const isEncrypted = this.#setting('SecurityMode') === 'SignAndEncrypt'
    const tell = (isSent: boolean, bytes: Buffer) => this.#trace?.({ isSent, ...readable(bytes, isEncrypted, this.#secrets) })
    const { write, prematureTerminate } = transport
    transport.write = (chunk, callback) => {
      tell(true, chunk)
      write.call(transport, chunk, callback)
    }
    // The library itself closes a connection after bytes that are not an answer.
    transport.prematureTerminate = (error, status) => {
      attempt.isGarbled = true
      prematureTerminate.call(transport, error, status)
    }
    let length = 0
    transport.on('chunk', (chunk: Buffer) => {
      tell(false, chunk)
      length += chunk.length
      if (length > mostBytes)
        transport.prematureTerminate(new Error(`an answer of more than ${mostBytes} bytes`), StatusCodes.BadTcpMessageTooLarge)
      if (chunk[continuedAt] !== continued) length = 0
    })
    return transport
  }
}
