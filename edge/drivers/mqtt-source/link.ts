import { randomUUID } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import mqtt from 'mqtt'
import type { Allowed } from '../../../contract/networks.ts'
import { mqttSource as protocol } from '../../../contract/protocols/mqtt-source.ts'
import { secretsOf, settingOf } from '../../../contract/protocols/settings.ts'
import { withoutPrototype } from '../../../contract/prototypes.ts'
import { judged } from '../../outbound.ts'
import { type ChannelRow, DriverFault, type Frame } from '../driver.ts'
import { masked } from '../secrets.ts'
import { mostBytes, Packets } from './frames.ts'

const connectMs = 10_000
const keepAliveSeconds = 30
/** Time for which messages are handled in one turn of the event loop, ms. */
const turnMs = 10
/** Topics per subscription. */
const atOnce = 100
/** SUBACK codes from here on are refusals. */
const refusedFrom = 0x80

type Options = {
  channel: ChannelRow
  outbound: Allowed
  arrived(topic: string, payload: Buffer): void
  lost(why: string): void
}

/** A session with a broker. Each connection is a new client; the scheduler reconnects. */
export class MqttLink {
  readonly #options: Options
  readonly #secrets: readonly string[]
  #client: mqtt.MqttClient | undefined
  #isOpen = false
  #trace: ((frame: Frame) => void) | undefined

  constructor(options: Options) {
    this.#options = options
    this.#secrets = secretsOf(protocol.channel)
      .map((name) => this.#setting(name))
      .filter(Boolean)
  }

  get connected() {
    return this.#isOpen
  }

  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  /** @throws DriverFault down */
  async connect() {
    this.close()
    const url = new URL(this.#setting('Url'))
    const isSecure = url.protocol === 'mqtts:'
    const port = Number(url.port) || (isSecure ? 8883 : 1883)
    const { address } = await judged(url.hostname, port, this.#options.outbound)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = isSecure ? this.#secure(address, port, host) : connect(withoutPrototype({ host: address, port, noDelay: true }))
    let why = 'the broker closed the connection'
    const hear = (error: Error) => {
      why = error.message
    }
    socket.on('error', hear)
    this.#watch(socket, (error) => {
      hear(error)
      socket.destroy()
    })
    const client = new mqtt.MqttClient(() => socket, this.#session())
    this.#client = client
    client.on('error', hear)
    client.on('message', (topic, payload) => {
      if (this.#client === client) this.#options.arrived(topic, payload)
    })
    this.#pace(client)
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => {
        this.#isOpen = this.#client === client
        resolve()
      })
      client.once('close', () => {
        const wasOpen = this.#isOpen && this.#client === client
        if (this.#client === client) this.close()
        client.end(true)
        reject(new DriverFault('down', `${url.host}: ${why}`))
        if (wasOpen) this.#options.lost(why)
      })
    })
  }

  /** Subscribes; returns the topics that the broker refuses. @throws DriverFault down */
  async subscribe(topics: readonly string[]): Promise<string[]> {
    const refused: string[] = []
    for (let at = 0; at < topics.length; at += atOnce) {
      const some = topics.slice(at, at + atOnce)
      const granted = await this.#subscribe(some)
      refused.push(...some.filter((_, i) => (granted[i] ?? 0) >= refusedFrom))
    }
    return refused
  }

  close() {
    const client = this.#client
    this.#client = undefined
    this.#isOpen = false
    client?.end(true)
  }

  #subscribe(topics: string[]): Promise<readonly number[]> {
    const client = this.#client
    if (!client || !this.#isOpen) return Promise.reject(new DriverFault('down', 'not connected'))
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        clearTimeout(timer)
        client.off('close', lost)
        reject(new DriverFault('down', why))
      }
      const timer = setTimeout(() => fail(`no answer to a subscription within ${connectMs} ms`), connectMs)
      const lost = () => fail('the broker closed the connection')
      client.once('close', lost)
      client.subscribe(topics, { qos: 1 }, (error, _given, packet) => {
        const granted = packet?.granted
        if (!granted) return fail(error?.message ?? 'the broker refused the subscription')
        clearTimeout(timer)
        client.off('close', lost)
        resolve(granted.map(Number))
      })
    })
  }

  #setting(name: string) {
    return String(settingOf(protocol.channel, this.#options.channel.Settings, name) ?? '')
  }

  #session(): mqtt.IClientOptions {
    const isFive = this.#setting('MqttVersion') === '5'
    const [user, password] = [this.#setting('User'), this.#setting('UserPassword')]
    return withoutPrototype<mqtt.IClientOptions>({
      ...{ protocolVersion: isFive ? 5 : 4, clientId: this.#setting('ClientId') || `penstock-${randomUUID().slice(0, 13)}` },
      ...(user ? { username: user } : {}),
      ...(password ? { password } : {}),
      ...{ clean: true, keepalive: keepAliveSeconds, connectTimeout: connectMs, reconnectPeriod: 0, queueQoSZero: false },
      ...(isFive ? { properties: withoutPrototype({ maximumPacketSize: mostBytes }) } : {}),
    })
  }

  /** The client takes the next message when this one is done: after some ms of messages, it yields to other work. */
  #pace(client: mqtt.MqttClient) {
    let end = 0
    client.handleMessage = (_packet, done) => {
      if (performance.now() < end) return done()
      setImmediate(() => {
        end = performance.now() + turnMs
        done()
      })
    }
  }

  #secure(host: string, port: number, name: string): Socket {
    const [ca, cert, key] = ['CaCertificate', 'UserCertificate', 'UserKey'].map((setting) => this.#setting(setting))
    try {
      return connectTls(
        withoutPrototype({
          ...{ host, port, servername: isIP(name) ? '' : name },
          ...(ca ? { ca } : {}),
          ...(cert && key ? { cert, key } : {}),
        }),
      )
    } catch {
      throw new DriverFault('down', 'the certificate to sign in with, or its key, is none')
    }
  }

  /** Checks the length of packets before they are assembled, and traces both directions. */
  #watch(socket: Socket, refuse: (error: Error) => void) {
    const teller = (isSent: boolean) =>
      new Packets(({ bytes, meaning }) => this.#trace?.({ isSent, bytes: masked(bytes, this.#secrets), meaning }))
    const [sent, received] = [teller(true), teller(false)]
    const { write } = socket
    socket.write = ((chunk: Buffer | string, ...rest: []) => {
      if (this.#trace) sent.feed(Buffer.from(chunk))
      return write.call(socket, chunk, ...rest)
    }) as typeof socket.write
    socket.on('data', (chunk: Buffer) => {
      try {
        received.feed(chunk)
      } catch (error) {
        refuse(error as Error)
      }
    })
  }
}
