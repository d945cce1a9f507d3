import { randomUUID } from 'node:crypto'
import type { NatsConnection, TlsOptions } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { parseNatsUrl } from './natsUrl.ts'

/** ms: reconnect interval; connect timeout; ping interval, three of which may be missed. */
const times = { again: 100, connect: 2000, ping: 1000 }

/** Gateways send messages of 256 KiB; edge nodes and frames of sessions take more. */
const neededBytes = 1024 * 1024

/** A random name of a process in its fleet. */
export const newMemberName = () => randomUUID().slice(0, 8)

export type Nats = {
  /** A subject of this fleet. Tokens hold no dots. */
  subject(...tokens: readonly string[]): string
  /** False, and nothing is sent, while no server is connected: nothing waits in this process for one. */
  publish(subject: string, data: Uint8Array | string): boolean
  /** Rejects without an answer in `ms`, or where no process subscribes to the subject. */
  request(subject: string, data: string, ms: number): Promise<string>
  /** Calls `listener` for each message; `answer` sends a reply to a request. Returns how to end it. */
  subscribe(subject: string, listener: (data: Uint8Array, answer: (reply: string) => void, subject: string) => void): () => void
  connected(): boolean
  /** Bytes of the largest message that the servers take. */
  mostBytes(): number
  /** Subscribes to connects and disconnects. */
  onConnection(listener: (isConnected: boolean) => void): void
  /** Uses TLS, or stays on this machine. */
  isPrivate: boolean
  close(): Promise<void>
}

/** Follows the state of the connection. */
const follow = async (connection: NatsConnection, log: Pick<Logger, 'info' | 'warn'>, tell: (isConnected: boolean) => void) => {
  for await (const { type, ...more } of connection.status()) {
    if (type === 'disconnect') {
      log.warn('The connection to NATS is lost. Trying again.')
      tell(false)
    } else if (type === 'reconnect') {
      log.info('NATS is connected again.')
      tell(true)
    } else if (type === 'error' || type === 'slowConsumer') log.warn({ type, ...more }, 'NATS reports a problem')
  }
}

/**
 * Connects to NATS (client protocol of nats-server 2.9, core only: no JetStream). Waits for a server that is away, and throws when one
 * refuses the sign-in. A lost connection is opened again, without end.
 */
export const openNats = async (url: string, name: string, log: Pick<Logger, 'info' | 'warn'>): Promise<Nats> => {
  const { fleet, isTls, isPrivate, ...where } = parseNatsUrl(url)
  // Loaded on demand, to keep the start of a single process fast.
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({
    ...where,
    ...(isTls ? { tls: {} as TlsOptions } : {}),
    name,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: times.again,
    timeout: times.connect,
    pingInterval: times.ping,
    maxPingOut: 3,
    // A stack trace is as dear as the rest of a request.
    noAsyncTraces: true,
  }).catch((error: Error) => {
    throw new Error(`The NATS servers of NATS_URL do not let us in: ${error.message}`)
  })
  const most = connection.info?.max_payload ?? neededBytes
  if (most < neededBytes) {
    await connection.close()
    throw new Error(`The NATS servers of NATS_URL take messages of ${most} bytes. Set max_payload to 1MB there, their default, or more.`)
  }
  let isConnected = true
  const listeners: ((isConnected: boolean) => void)[] = []
  void follow(connection, log, (is) => {
    isConnected = is
    for (const listener of listeners) listener(is)
  })
  return {
    subject: (...tokens) => [fleet, ...tokens].join('.'),
    publish: (subject, data) => {
      if (!isConnected || connection.isClosed()) return false
      try {
        connection.publish(subject, data)
        return true
      } catch (err) {
        log.warn({ err, subject, bytes: data.length }, 'NATS does not take a frame')
        return false
      }
    },
    request: async (subject, data, ms) => {
      if (!isConnected) throw new Error('NATS is not connected.')
      return (await connection.request(subject, data, { timeout: ms })).string()
    },
    subscribe: (subject, listener) => {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return log.warn({ err: error }, 'NATS does not let this process subscribe')
          listener(message.data, (reply) => void message.respond(reply), message.subject)
        },
      })
      return () => subscription.unsubscribe()
    },
    connected: () => isConnected,
    mostBytes: () => connection.info?.max_payload ?? 1024 * 1024,
    onConnection: (listener) => void listeners.push(listener),
    isPrivate,
    close: async () => {
      await connection.drain().catch(() => undefined)
    },
  }
}
