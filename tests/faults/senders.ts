// Gateways that send numbered messages and write down which of them were acknowledged (Sent and Acked of the count).
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import { topic } from '../../contract/gateway-protocol.ts'
import { patience, until } from '../front-door.ts'
import type { Source } from './plant.ts'

export type SendOptions = {
  port: number
  /** Of each gateway. */
  messagesPerSecond: number
  /** What counts as acknowledged: the broker's PUBACK, or the server's own `down/ack` where the broker is somebody else's. */
  ackBy?: 'puback' | 'down'
  kind?: 'data' | 'history'
  /** Epoch ms of message 0; each is a step later. */
  base?: number
  stepMs?: number
  /** Messages in flight per gateway. */
  window?: number
  /** ms until a connection that was lost, or refused, is tried again. */
  retryMs?: number
  password?: (source: Source) => string
}

/** Value of a point in a message, which shows both. */
export const numberOf = (seq: number, index: number) => seq * 16 + index

export type Senders = ReturnType<typeof startSenders>

/** Starts at once. A message that is not acknowledged when its connection ends, or after 5 s, goes out again, oldest first. */
export const startSenders = (sources: readonly Source[], options: SendOptions) => {
  const { port, ackBy = 'puback', kind = 'data', base = Date.now(), stepMs = 1, window = 500, retryMs = 100 } = options
  const folder = mkdtempSync(join(tmpdir(), 'penstock-acked-'))
  const file = join(folder, 'acked')
  const out = openSync(file, 'a')
  let stopped = false
  let connections = 0
  /** ms from publish to acknowledgement. */
  const latencies: { at: number; ms: number }[] = []

  const senders = sources.map((source, g) => {
    const { SN, points } = source
    const unacked = new Map<number, number>()
    let next = 0
    // Gateways know nothing of each other: they do not all send in the same millisecond.
    let due = g / sources.length
    let rate = options.messagesPerSecond
    let client: mqtt.MqttClient | undefined
    let retry: NodeJS.Timeout | undefined

    const acknowledged = (seq: number) => {
      const sentAt = unacked.get(seq)
      if (sentAt === undefined) return
      unacked.delete(seq)
      latencies.push({ at: performance.now(), ms: performance.now() - sentAt })
      writeSync(out, `${g} ${seq}\n`)
    }
    const publish = (to: mqtt.MqttClient, seq: number) => {
      const V = Object.fromEntries(points.map((id, i) => [id, numberOf(seq, i)]))
      const Items = [{ D: source.device, T: base + seq * stepMs, V }]
      const Data = kind === 'data' ? { Items } : { Items, Backfill: 1 }
      const payload = JSON.stringify({ MsgId: `${seq}`, Ts: Date.now(), Ver: 1, Data })
      unacked.set(seq, performance.now())
      to.publish(topic(SN, 'up', kind), payload, { qos: 1 }, (error) => {
        if (!error && ackBy === 'puback' && to === client) acknowledged(seq)
      })
    }
    const open = () => {
      const password = options.password?.(source) ?? source.Key
      const login = { clientId: SN, username: SN, password, clean: true, reconnectPeriod: 0, connectTimeout: 3000 }
      const mine = mqtt.connect(`mqtt://127.0.0.1:${port}`, login)
      mine.on('error', () => undefined)
      mine.on('connect', () => {
        client = mine
        connections++
        if (ackBy === 'down') mine.subscribe(topic(SN, 'down', 'ack'), { qos: 1 })
        for (const seq of [...unacked.keys()]) publish(mine, seq)
      })
      mine.on('message', (_topic, payload) => {
        if (ackBy === 'down') acknowledged(Number(JSON.parse(payload.toString()).MsgId))
      })
      mine.on('close', () => {
        mine.removeAllListeners('close')
        if (client === mine) client = undefined
        mine.end(true)
        if (!stopped) retry = setTimeout(open, retryMs * (0.5 + Math.random()))
      })
    }
    open()
    let pausing = false
    const tick = () => {
      due = Math.min(due + rate / 50, rate)
      if (!client?.connected) return
      for (; due >= 1 && unacked.size < window && !pausing; due--) publish(client, next++)
      // `down/ack` is QoS 1 to a session that ends with its connection.
      if (ackBy === 'down') for (const [seq, at] of unacked) if (performance.now() - at > 5000) publish(client, seq)
    }

    return {
      source,
      tick,
      sent: () => next,
      unacked: () => unacked.size,
      setRate: (perSecond: number) => {
        rate = perSecond
      },
      pause: () => {
        pausing = true
      },
      resume: () => {
        pausing = false
      },
      stop: async () => {
        clearTimeout(retry)
        await client?.endAsync(true)
      },
    }
  })

  const timer = setInterval(() => {
    for (const { tick } of senders) tick()
  }, 20)

  const acked = () => {
    const of = sources.map(() => new Set<number>())
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const [g, seq] = line.split(' ').map(Number)
      of[g!]!.add(seq!)
    }
    return of
  }

  const leave = async () => {
    stopped = true
    clearInterval(timer)
    await Promise.all(senders.map((s) => s.stop()))
  }

  return {
    base,
    stepMs,
    senders,
    acked,
    latencies,
    ackedCount: () => latencies.length,
    /** How often a gateway has connected. */
    connections: () => connections,
    /** Sends nothing new and waits until everything that was sent is acknowledged. */
    finish: async (withinMs = patience) => {
      for (const sender of senders) sender.pause()
      const left = () => senders.reduce((sum, s) => sum + s.unacked(), 0)
      await until('every message to be acknowledged', () => left() === 0, withinMs).catch((error: Error) => {
        throw new Error(`${error.message}; ${left()} are not, ${latencies.length} are`)
      })
    },
    /** Its connections end: another one of the same gateways may begin. What was acknowledged can still be read. */
    leave,
    stop: async () => {
      await leave()
      closeSync(out)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
