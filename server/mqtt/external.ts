import mqtt from 'mqtt'
import { maxMessageBytes, topic } from '../../contract/gateway-protocol.ts'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { parseUp } from './access.ts'
import { type Counters, count, isUpKind, type OnMessage, type Refusal, type RefusalEvent, type Uplink } from './uplink.ts'

export type ExternalOptions = {
  /** `mqtt://user:password@host:port`, or mqtts, ws, wss. */
  url: string
  /** Names our session in the broker; the same after a restart, another one for another installation. */
  clientId: string
  onMessage: OnMessage
  refused?(event: RefusalEvent): void
  connected?(is: boolean): void
}

/** Messages, and bytes of them, that wait for their commit before we take no more from the broker. */
const inFlight = 1024
const inFlightBytes = 32 * 1024 * 1024

/**
 * The same over an external broker. It keeps gateways apart and checks their keys (docs/gateway-protocol.md says how it
 * must be set up); the SN is the one in the topic. Its PUBACK does not mean that we stored the message, so the gateway waits for `down/ack`.
 * Throws when the broker refuses us at the start. An unreachable one is retried every second; see `ready`.
 */
export const startExternal = async (options: ExternalOptions): Promise<Uplink> => {
  const counters: Counters = { connected: 0, messages: {}, refused: {} }
  let inFlightMessages = 0
  let inFlightBytesNow = 0
  let more: (() => void) | undefined
  const refuse = (reason: Refusal, detail: string, sn?: string) => {
    count(counters.refused, reason)
    options.refused?.({ reason, detail, sn })
  }

  const client = mqtt.connect(
    options.url,
    withoutPrototype<mqtt.IClientOptions>({
      clientId: options.clientId,
      clean: false,
      protocolVersion: 4,
      reconnectPeriod: 1000,
      reconnectOnConnackError: true,
      resubscribe: false,
      connectTimeout: 10_000,
      manualConnect: true,
    }),
  )

  const receive = async (name: string, payload: Buffer) => {
    const from = parseUp(name)
    if (!from) return refuse('foreignPublish', `Publish to ${name.slice(0, 200)}.`)
    if (!isUpKind(from.kind)) return refuse('unknownKind', `Publish to ${name.slice(0, 200)}.`, from.sn)
    if (payload.length > maxMessageBytes)
      return refuse('tooLarge', `A message of ${payload.length} bytes; at most ${maxMessageBytes}.`, from.sn)
    count(counters.messages, from.kind)
    await options.onMessage(from.sn, from.kind, payload).catch((error: Error) => refuse('handler', error.message, from.sn))
  }

  client.handleMessage = (packet, next) => {
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload)
    inFlightMessages++
    inFlightBytesNow += payload.length
    void receive(packet.topic, payload).finally(() => {
      inFlightMessages--
      inFlightBytesNow -= payload.length
      more?.()
      more = undefined
    })
    if (inFlightMessages < inFlight && inFlightBytesNow < inFlightBytes) next()
    else more = next
  }
  client.on('close', () => {
    if (counters.connected) options.connected?.(false)
    counters.connected = 0
  })

  await new Promise<void>((done, failed) => {
    let settled = false
    const settle = (error?: Error) => {
      if (settled) return false
      settled = true
      if (!error) return done()
      client.end(true)
      failed(new Error(`The MQTT broker does not let us in: ${error.message}`))
    }
    // Subscribe on every connect: a restarted broker has no subscriptions.
    client.on('connect', () => {
      client.subscribe('iot/v1/+/up/#', { qos: 1 }, (error, granted) => {
        if (!error && granted?.every(({ qos }) => qos < 128)) {
          counters.connected = 1
          options.connected?.(true)
          return settle()
        }
        if (settle(error ?? new Error('it may not subscribe')) === false) client.stream.destroy()
      })
    })
    client.on('error', (error) => {
      const { code } = error as { code?: unknown }
      // CONNACK 3: it cannot serve us now (MQTT 3.1.1, 3.2.2.3); others are about who we are.
      const away = typeof code !== 'number' || code === 3
      if (away) settle()
      if (settle(error) === false) refuse(away ? 'brokerAway' : 'protocol', error.message)
    })
    client.on('close', () => settle())
    client.connect()
  })

  return {
    counters,
    ready: () => counters.connected === 1,
    hears: () => true,
    publish: (sn, kind, payload) =>
      client.connected
        ? client.publishAsync(topic(sn, 'down', kind), JSON.stringify(payload), { qos: 1 }).then(() => undefined)
        : Promise.reject(new Error('The MQTT broker cannot be reached.')),
    disconnect: async () => undefined,
    close: () => client.endAsync(),
  }
}
