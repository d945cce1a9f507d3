import { randomUUID } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'
import { topic } from '../../contract/gateway-protocol.ts'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { backoff } from '../backoff.ts'

export type ConnectionOptions = {
  /** mqtt, mqtts, tcp, ws or wss. */
  server: string
  sn: string
  /** The gateway's secret, which is its MQTT password. */
  key: string
  now: () => number
  onOnline(): void
  onOffline(why: string): void
  onMessage(kind: string, payload: Buffer): void
  reconnectMs?: { min: number; max: number }
}

/** Maximum small messages that wait for a connection; the oldest are dropped. */
const maxWaiting = 100
/** Limit of messages that the broker has not confirmed. */
const maxUnacknowledgedBytes = 32 * 1024 * 1024

/**
 * The MQTT session. Each connection is a new client: the outbox, not the library, repeats unacknowledged messages, and a
 * command that has timed out on the server never arrives late (hence a clean session).
 */
export class Connection {
  readonly #o: ConnectionOptions
  readonly #backoff
  readonly #prefix: string
  #client: MqttClient | undefined
  #online = false
  #unacknowledged = 0
  #closed = false
  #retry: NodeJS.Timeout | undefined
  #waiting: { kind: string; payload: string }[] = []

  constructor(options: ConnectionOptions) {
    this.#o = options
    this.#prefix = topic(options.sn, 'down', '')
    const { min, max } = options.reconnectMs ?? { min: 1000, max: 60_000 }
    this.#backoff = backoff(min, max)
  }

  get online() {
    return this.#online
  }

  /** IP address towards the server. */
  get address(): string | undefined {
    const stream = this.#client?.stream as { localAddress?: string } | undefined
    return stream?.localAddress
  }

  envelope(Data: object) {
    return JSON.stringify({ MsgId: randomUUID(), Ts: this.#o.now(), Ver: 1, Data })
  }

  /** Dropped without a connection or if the server accepts nothing: the outbox repeats messages that must not be lost. */
  publish(kind: string, payload: string, retain = false) {
    const client = this.#client
    if (!this.#online || !client || this.#unacknowledged > maxUnacknowledgedBytes) return
    this.#unacknowledged += payload.length
    client.publish(topic(this.#o.sn, 'up', kind), payload, { qos: 1, retain }, () => {
      if (this.#client === client) this.#unacknowledged -= payload.length
    })
  }

  /** Sends when connected again. */
  publishLater(kind: string, payload: string) {
    if (this.#online) return this.publish(kind, payload)
    this.#waiting.push({ kind, payload })
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()
  }

  /** Disconnects cleanly, so that the will is not sent. */
  async close() {
    this.#closed = true
    clearTimeout(this.#retry)
    const client = this.#client
    if (!client) return
    if (this.#online)
      await Promise.race([
        client.publishAsync(topic(this.#o.sn, 'up', 'state'), this.envelope({ Online: 0 }), { qos: 1, retain: true }).catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, 1000)),
      ])
    this.#online = false
    await Promise.race([client.endAsync().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 500))])
    client.end(true)
  }

  /** Connects, and retries until closed. */
  open() {
    const { server, sn, key } = this.#o
    const client = mqtt.connect(
      server,
      withoutPrototype<mqtt.IClientOptions>({
        clientId: sn,
        username: sn,
        password: key,
        clean: true,
        keepalive: 30,
        connectTimeout: 10_000,
        reconnectPeriod: 0,
        queueQoSZero: false,
        will: { topic: topic(sn, 'up', 'state'), payload: Buffer.from(this.envelope({ Online: 0 })), qos: 1, retain: true },
      }),
    )
    this.#client = client
    this.#unacknowledged = 0
    let why = 'the connection was lost'
    client.on('error', (error) => {
      why = error.message
    })
    client.on('message', (name, payload) => {
      if (name.startsWith(this.#prefix)) this.#o.onMessage(name.slice(this.#prefix.length), payload)
    })
    client.on('connect', () => {
      client.subscribe(`${this.#prefix}+`, { qos: 1 }, (error, granted) => {
        if (error || granted?.some((g) => g.qos > 1)) {
          why = error?.message ?? 'the broker refused the subscription'
          return client.end(true)
        }
        this.#backoff.reset()
        this.#online = true
        this.#o.onOnline()
        for (const { kind, payload } of this.#waiting.splice(0)) this.publish(kind, payload)
      })
    })
    client.on('close', () => {
      if (this.#closed || this.#client !== client) return
      this.#client = undefined
      this.#online = false
      client.end(true)
      this.#o.onOffline(why)
      this.#retry = setTimeout(() => this.open(), this.#backoff.next())
    })
  }
}
