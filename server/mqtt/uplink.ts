import { up } from '../../contract/gateway-protocol.ts'

/** The way to and from gateways, over the broker in this process or another one. */
export type Uplink = {
  /**
   * Sends to `iot/v1/{sn}/down/{kind}`, QoS 1. Rejects when it cannot be handed over now; nothing is queued, so that no command
   * reaches a gateway long after it was given. On the embedded broker that includes gateways that are not there.
   */
  publish(sn: string, kind: string, payload: unknown): Promise<void>
  /** False when `publish` would certainly reject. */
  hears(sn: string, kind: string): boolean
  /** Nobody reads along on the way to this gateway: TLS, or the same machine. Unknown of an external broker. */
  isPrivate?(sn: string): boolean
  /** Closes the gateway's connection and forgets that its key was right. An external broker keeps its own accounts: nothing happens there. */
  disconnect(sn: string): Promise<void>
  close(): Promise<void>
  /** Lets gateways in; an external broker does that by itself. */
  open?(): Promise<void>
  /** Whether gateways can be heard: the broker listens, or the external one has let us in. */
  ready(): boolean
  readonly counters: Counters
  /** Bytes of messages that wait for their commit, and for each connection those that wait to be sent; the embedded broker only. */
  memory?(): { inFlight: number; unsent: number[] }
}

/**
 * Called once a message, in the order in which a gateway sent them, several at a time. On the embedded broker the PUBACK of QoS 1
 * waits for the promise; when it rejects, the connection is closed without one and the gateway sends again. `countReadings` hears
 * how many readings the message had; `connection` is the one it came by, on the embedded broker.
 */
export type OnMessage = (
  sn: string,
  kind: UpKind,
  payload: Buffer,
  countReadings?: (count: number) => void,
  connection?: object,
) => Promise<void>

export type UpKind = keyof typeof up
const kinds: ReadonlySet<string> = new Set(Object.keys(up))
export const isUpKind = (kind: string): kind is UpKind => kinds.has(kind)

/** Why something was refused or cut; `limited` and `tenantLimited` delay only. */
export type Refusal =
  | 'badCredentials'
  | 'clientId'
  | 'foreignWill'
  | 'tooManyTries'
  | 'tooManyConnections'
  | 'foreignPublish'
  | 'unknownKind'
  | 'retained'
  | 'foreignSubscribe'
  | 'tooLarge'
  | 'protocol'
  | 'slowReader'
  | 'flooding'
  | 'limited'
  | 'tenantLimited'
  | 'handler'
  | 'brokerAway'

export type RefusalEvent = { reason: Refusal; sn?: string; address?: string; detail: string }

export type Counters = {
  /** Connections that have been accepted and are open; gateways on the embedded broker, ours to an external one. */
  connected: number
  /** Messages handed to the handler, by kind. */
  messages: Partial<Record<UpKind, number>>
  refused: Partial<Record<Refusal, number>>
}

export const count = <K extends string>(counts: Partial<Record<K, number>>, key: K) => {
  counts[key] = (counts[key] ?? 0) + 1
}
