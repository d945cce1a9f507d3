// A process of the fleet benchmark: an owner that replies immediately, a gateway process, a NATS-only sender, or idle gateways.
import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'
import pino from 'pino'
import { type BrokerEnd, startBrokerEnd } from '../../server/fleet/brokerEnd.ts'
import { decodeAnswers } from '../../server/fleet/frames.ts'
import { openNats } from '../../server/fleet/natsConnection.ts'
import { openOutstanding } from '../../server/fleet/outstanding.ts'
import { startOwnerEnd } from '../../server/fleet/ownerEnd.ts'
import { serveJobs } from './job.ts'

export type FleetJob =
  | { do: 'own'; url: string; readings: number }
  | { do: 'broker'; url: string }
  | { do: 'send'; url: string; owner: string; payload: string; seconds: number; window: number }
  | { do: 'connect'; port: number; prefix: string; count: number; pingMs: number }
  | { do: 'use' }
/** `cpu`: ms of processor time since the process began; `rss`: bytes. */
export type Fleet = { port: number; owner: string; messages: number; cpu: number; rss: number; connected: number }

const log = pino({ level: 'silent' })
let broker: BrokerEnd | undefined
let [messages, connected, owner] = [0, 0, '']

const own = async (url: string, readings: number) => {
  const nats = await openNats(url, 'owner', log)
  nats.subscribe(nats.subject('hello'), (data) => {
    owner = JSON.parse(Buffer.from(data).toString()).owner
  })
  await startOwnerEnd({
    ...{ nats, epoch: Date.now(), log, authenticate: async () => true, tenantOf: () => 1, refused: () => undefined },
    ...{ proofOf: () => '', outdated: async () => [] },
    onMessage: async (_sn, _kind, _payload, countReadings) => {
      messages++
      countReadings?.(readings)
    },
  })
  while (!owner) await new Promise((done) => setTimeout(done, 50))
}

/** Sends for some seconds, so many at a time. */
const send = async ({ url, owner: to, payload, seconds, window }: FleetJob & { do: 'send' }) => {
  const nats = await openNats(url, 'sender', log)
  const outstanding = openOutstanding(
    (frame) => nats.publish(nats.subject('owner', to, 'up', 'sender'), frame),
    () => performance.now(),
    nats.mostBytes,
  )
  nats.subscribe(nats.subject('process', 'sender', 'answers'), (data) => {
    for (const answer of decodeAnswers(data)) outstanding.answered(answer)
  })
  const message = { sn: 'BENCHSENDER1', kind: 'data' as const, session: 1, payload: Buffer.from(payload) }
  const until = performance.now() + seconds * 1000
  const one = async () => {
    while (performance.now() < until) {
      await outstanding.ask(1, message)
      messages++
    }
  }
  await Promise.all(Array.from({ length: window }, one))
  await nats.close()
}

/** Gateways that connect and say nothing but a ping each `pingMs`. */
const connectSilent = async ({ port, prefix, count, pingMs }: FleetJob & { do: 'connect' }) => {
  const ping = Buffer.from([0xc0, 0])
  const open = (sn: string) =>
    new Promise<void>((done, failed) => {
      const socket: Socket = connect(port, '127.0.0.1')
      socket.on('error', failed)
      socket.once('data', () => {
        connected++
        socket.resume()
        setTimeout(() => setInterval(() => socket.write(ping), pingMs), Math.random() * pingMs)
        done()
      })
      const login = { protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60, clientId: sn, username: sn } as const
      socket.write(generate({ cmd: 'connect', ...login, password: Buffer.from('key') }))
    })
  const next = Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(6, '0')}`)
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let sn = next.pop(); sn; sn = next.pop()) await open(sn)
    }),
  )
}

serveJobs(async (job: FleetJob): Promise<Fleet> => {
  if (job.do === 'own') await own(job.url, job.readings)
  if (job.do === 'broker') {
    const nats = await openNats(job.url, 'gateways', log)
    const limits = { connections: 60_000 }
    broker = await startBrokerEnd({ nats, log, host: '127.0.0.1', port: 0, limits, isBalancer: () => true })
  }
  if (job.do === 'send') await send(job)
  if (job.do === 'connect') await connectSilent(job)
  const { user, system } = process.cpuUsage()
  return {
    ...{ port: broker?.port() ?? 0, owner, messages, cpu: (user + system) / 1000, rss: process.memoryUsage.rss() },
    connected: broker?.counters().connected ?? connected,
  }
})
