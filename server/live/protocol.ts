// SignalR hub protocol, JSON encoding, as the server speaks it: aspnetcore, docs/specs/HubProtocol.md and TransportProtocols.md.
import type { HubMessages } from '../../contract/hub.ts'

export const separator = '\x1e'

/** What a client broke the protocol with; it loses its connection. */
export class Malformed extends Error {}

/** Other kinds of message (streams, completions, acknowledgements) have no meaning here and are passed over, as the protocol asks. */
export type Incoming =
  | { kind: 'invocation' | 'stream'; target: string; args: unknown[]; id?: string }
  | { kind: 'ping' | 'close' | 'other' }

const object = (text: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Malformed('not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('not an object')
  return value as Record<string, unknown>
}

/** Answers why the handshake is refused, or nothing. Version 2 differs by stateful reconnect only, which is never negotiated. */
export const readHandshake = (text: string): string | undefined => {
  const { protocol, version } = object(text)
  if (protocol !== 'json') return 'Only the json protocol is spoken here.'
  return version === 1 || version === 2 ? undefined : 'Only versions 1 and 2 of the json protocol are spoken here.'
}

/** HubProtocol.md, "JSON Encoding": 1 Invocation, 4 StreamInvocation, 6 Ping, 7 Close. */
export const readMessage = (text: string): Incoming => {
  const m = object(text)
  if (typeof m.type !== 'number') throw new Malformed('no type')
  if (m.type === 6) return { kind: 'ping' }
  if (m.type === 7) return { kind: 'close' }
  if (m.type !== 1 && m.type !== 4) return { kind: 'other' }
  if (typeof m.target !== 'string' || !Array.isArray(m.arguments)) throw new Malformed('target or arguments missing')
  if (m.invocationId !== undefined && typeof m.invocationId !== 'string') throw new Malformed('invocationId is not a string')
  return { kind: m.type === 1 ? 'invocation' : 'stream', target: m.target, args: m.arguments, id: m.invocationId }
}

const frame = (message: object) => JSON.stringify(message) + separator

export const pingFrame = frame({ type: 6 })
export const aliveFrame = frame({ type: 1, target: 'Alive', arguments: [] })
export const welcomeFrame = frame({})
export const refusalFrame = (error: string) => frame({ error })
export const closeFrame = (error: string | undefined, allowReconnect: boolean) => frame({ type: 7, error, allowReconnect })
export const resultFrame = (invocationId: string, result: unknown) => frame({ type: 3, invocationId, result })
export const errorFrame = (invocationId: string, error: string) => frame({ type: 3, invocationId, error })
export const messageFrame = <M extends keyof HubMessages>(target: M, args: HubMessages[M]) => frame({ type: 1, target, arguments: args })

/** The `Values` message, from values that are JSON already: one text a value serves all connections. */
export const valuesFrame = (seq: number, values: Iterable<string>) =>
  `{"type":1,"target":"Values","arguments":[{"Seq":${seq},"Values":[${[...values].join(',')}]}]}${separator}`
