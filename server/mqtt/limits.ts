import { maxMessageBytes } from '../../contract/gateway-protocol.ts'
import type { Share } from '../jobs/throttle.ts'

export type Limits = Share & {
  /** Bytes of one MQTT packet behind its fixed header. The topic and packet id come on top of the message. */
  maxPacketBytes: number
  /** Bytes of CONNECT, will included: the client is not known yet. Also of any later packet that is no message. */
  maxConnectBytes: number
  /** Messages, and bytes of them, that wait for their commit before nothing more is read from this connection. */
  inFlight: number
  inFlightBytes: number
  /** Bytes of messages of all connections that wait for their commit. */
  inFlightBytesOfAll: number
  /** Topic filters of one connection. */
  subscriptions: number
  /** Bytes of them together. A gateway process tells the owner of all of them in one message. */
  filterBytes: number
  /** Bytes that wait to be sent before nothing more is read from this connection. */
  unsentPauseBytes: number
  /** Bytes that wait to be sent before the connection is cut. */
  unsentBytes: number
  /** ms in which a connection that is paused for its unsent bytes must take some of them. */
  unsentTimeoutMs: number
  connectTimeoutMs: number
  connections: number
  connectionsPerAddress: number
  ofTenant: Share
  /**
   * Packets that are no messages. A SUBSCRIBE counts as several. Who floods in spite of delays for `patienceMs` is cut.
   */
  control: {
    own: { perSecond: number; burst: number }
    ofTenant: { perSecond: number; burst: number }
    /** Of one gateway, even while its tenant is over its rate. */
    guaranteed: { perSecond: number; burst: number }
    patienceMs: number
  }
  /** Messages that are no readings, or 4 KiB of one. */
  others: Omit<Limits['control'], 'patienceMs'>
  /** What a gateway may send even while its tenant is over its share. */
  guaranteed: Share
}

export const standardLimits: Limits = {
  maxPacketBytes: maxMessageBytes + 256,
  maxConnectBytes: 16 * 1024,
  // Twenty gateways that send single values at the rate this server is measured at (docs/performance.md) send 1,500 messages each.
  messagesPerSecond: 2500,
  burst: 10_000,
  bytesPerSecond: 16 * 1024 * 1024,
  readingsPerSecond: 1_000_000,
  inFlight: 256,
  inFlightBytes: 1024 * 1024,
  inFlightBytesOfAll: 24 * 1024 * 1024,
  subscriptions: 32,
  filterBytes: 8 * 1024,
  unsentPauseBytes: 64 * 1024,
  unsentBytes: 4 * 1024 * 1024,
  unsentTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
  connections: 20_000,
  connectionsPerAddress: 1000,
  ofTenant: { messagesPerSecond: 50_000, burst: 200_000, bytesPerSecond: 64 * 1024 * 1024, readingsPerSecond: 4_000_000 },
  // A gateway pings every 30 s, and after a reconnect it subscribes to at most 32 filters.
  control: {
    own: { perSecond: 50, burst: 500 },
    ofTenant: { perSecond: 1000, burst: 20_000 },
    guaranteed: { perSecond: 10, burst: 200 },
    patienceMs: 5000,
  },
  // After a reconnect a gateway sends some four, then a heartbeat a minute, and events as things happen.
  others: {
    own: { perSecond: 50, burst: 500 },
    ofTenant: { perSecond: 500, burst: 2000 },
    guaranteed: { perSecond: 5, burst: 100 },
  },
  guaranteed: { messagesPerSecond: 25, burst: 50, bytesPerSecond: 32 * 1024, readingsPerSecond: 1000 },
}
