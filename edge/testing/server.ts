// The server's half of the gateway protocol, scripted by a test: a real broker, and who listens behind it.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { Compile } from 'typebox/compile'
import { canonical } from '../../contract/gateway-config.ts'
import { type Down, topic, type Up, up } from '../../contract/gateway-protocol.ts'
import { configHash } from '../config/assembly.ts'
import type { Table } from '../config/check.ts'

export type Reading = { point: number; time: number; value: number | null; quality: number; kind: 'data' | 'history' }
type Received = { [K in keyof Up]: { kind: K; message: Up[K] } }[keyof Up]

const checks = Object.fromEntries(Object.entries(up).map(([kind, schema]) => [kind, Compile(schema)]))

/** `isAcking` false: messages arrive and are never acknowledged. */
export const startServer = async (sn: string, key: string, port = 0) => {
  const received: Received[] = []
  const readings: Reading[] = []
  const wrong: string[] = []
  const watchers = new Set<() => void>()
  const state = { isAcking: true }
  const sockets = new Set<Socket>()
  const broker = await Aedes.createBroker()
  broker.authenticate = (client, user, password, done) => {
    done(null, client.id === sn && user === sn && password?.toString() === key)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const publish = (kind: keyof Down, payload: string) =>
    new Promise<void>((resolve) =>
      broker.publish(
        { cmd: 'publish', topic: topic(sn, 'down', kind), payload: Buffer.from(payload), qos: 1, retain: false, dup: false },
        () => resolve(),
      ),
    )
  broker.on('publish', (packet, client) => {
    if (!client) return
    const kind = packet.topic.slice(topic(sn, 'up', '').length) as keyof Up
    const message = JSON.parse(packet.payload.toString()) as Received['message']
    if (!checks[kind]?.Check(message)) wrong.push(`${kind}: ${JSON.stringify(checks[kind]?.Errors(message)).slice(0, 300)}`)
    received.push({ kind, message } as Received)
    if (kind === 'data' || kind === 'history') {
      for (const { T, V, Q } of (message as Up['data']).Data.Items)
        for (const [id, value] of Object.entries(V)) readings.push({ point: Number(id), time: T, value, quality: Q?.[id] ?? 0, kind })
      if (state.isAcking) void publish('ack', JSON.stringify({ MsgId: message.MsgId }))
    }
    for (const look of watchers) look()
  })

  /** When the condition holds, looked at whenever something arrives. */
  const until = (condition: () => boolean, timeoutMs = 12_000) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(look)
        reject(new Error(`not within ${timeoutMs} ms: ${condition}`))
      }, timeoutMs)
      const look = () => {
        if (!condition()) return
        clearTimeout(timer)
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  const of = <K extends keyof Up>(kind: K) => received.filter((r) => r.kind === kind).map((r) => r.message as Up[K])
  const sendRaw = async (kind: keyof Down, MsgId: string, payload: string) => {
    const before = of('reply').filter((r) => r.MsgId === MsgId).length
    void publish(kind, payload)
    await until(() => of('reply').filter((r) => r.MsgId === MsgId).length > before)
    return of('reply').findLast((r) => r.MsgId === MsgId)!
  }
  let count = 0
  /** Sends a command and waits for the answer. */
  const send = <K extends Exclude<keyof Down, 'ack'>>(kind: K, Data: Down[K]['Data'], MsgId = `m${++count}`, Ts = Date.now()) =>
    sendRaw(kind, MsgId, JSON.stringify({ MsgId, Ts, Data }))
  /** Pushes a table in so many parts; the answers. */
  const push = async (table: Table, ConfigVersion = 1, parts = 1, Hash = configHash(table)) => {
    const size = Math.ceil(table.Points.length / parts)
    const answers: Up['reply'][] = []
    for (let i = 0; i < parts; i++)
      answers.push(
        await send('config', {
          ConfigVersion,
          Hash,
          Part: i + 1,
          Parts: parts,
          HeartbeatPeriod: 60,
          Channels: i ? [] : table.Channels,
          Devices: i ? [] : table.Devices,
          Points: table.Points.slice(i * size, (i + 1) * size),
          ...(i === 0 && table.Settings ? { Settings: table.Settings } : {}),
        }),
      )
    return answers
  }
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    received,
    readings,
    /** Messages that the contract does not allow. */
    wrong,
    state,
    until,
    of,
    send,
    sendRaw,
    push,
    canonical,
    /** Cuts every connection. */
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    },
  }
}
export type TestServer = Awaited<ReturnType<typeof startServer>>
