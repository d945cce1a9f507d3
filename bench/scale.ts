// What a fleet costs: processor time of NATS, of its clients and of a gateway process for a reading, and memory of silent gateways.
// All processes share this machine, so rates say little.
import { readFileSync } from 'node:fs'
import { hasNats, startNats } from '../main/testing/nats.ts'
import { apiProcess } from './apiProcess.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { ingestProcesses } from './ingestProcesses.ts'
import type { Fleet, FleetJob } from './load/fleet.ts'
import { type Loader, startLoader } from './load/job.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import { plannedStop } from './plannedStop.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
/** Values in a message. */
const values = 100
const turns = 3
const silent = Number(process.env.BENCH_GATEWAYS ?? 36_000)

type Process = Loader<FleetJob, Fleet>
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const middle = (of: number[]) => quantile(of, 0.5)

/** Processor time of other programs since they began, ms; 100 ticks a second. */
const timeOf = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)

const message = (gateway: Gateway) => {
  const V = Object.fromEntries(gateway.points.map((id) => [id, 20.25 + (id % 100)]))
  return JSON.stringify({ MsgId: '0'.repeat(12), Ts: Date.now(), Data: { Items: [{ D: gateway.device, T: Date.now(), V }] } })
}

/** µs of processor time for a reading: of the sender, the servers and the owner. */
const overNats = async (url: string, pids: readonly number[], owner: Process, of: Gateway) => {
  const { owner: to } = await owner.run({ do: 'use' })
  const sender = startLoader<FleetJob, Fleet>('fleet.ts')
  const job = { do: 'send' as const, url, owner: to, payload: message(of), window: 256 }
  await sender.run({ ...job, seconds: 2 })
  const before = { sender: await sender.run({ do: 'use' }), owner: await owner.run({ do: 'use' }), servers: timeOf(pids) }
  const sent = await sender.run({ ...job, seconds })
  const taken = await owner.run({ do: 'use' })
  const readings = (sent.messages - before.sender.messages) * values
  await sender.end()
  const each = (ms: number) => (ms * 1000) / readings
  return {
    sender: each(sent.cpu - before.sender.cpu),
    owner: each(taken.cpu - before.owner.cpu),
    servers: each(timeOf(pids) - before.servers),
  }
}

/** µs of processor time of a gateway process for a reading. */
const ofBroker = async (broker: Process, publisher: Loader<PublishJob, Published>, gateways: Gateway[], port: number) => {
  const before = await broker.run({ do: 'use' })
  const { acked } = await publisher.run({ port, gateways, values, window: 32, seconds, warmUp: 0 })
  const after = await broker.run({ do: 'use' })
  return ((after.cpu - before.cpu) * 1000) / (acked * values)
}

const costs = async (url: string, pids: readonly number[], owner: Process): Promise<Figure[]> => {
  const gateways = Array.from({ length: 20 }, (_, g): Gateway => {
    const points = Array.from({ length: values }, (_, i) => 100_000 + g * values + i)
    return { sn: `BENCH${String(g).padStart(7, '0')}`, key: 'key', device: g + 1, points }
  })
  const broker = startLoader<FleetJob, Fleet>('fleet.ts')
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const { port } = await broker.run({ do: 'broker', url })
  await sleep(1500)
  const [nats, brokers]: [Awaited<ReturnType<typeof overNats>>[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    nats.push(await overNats(url, pids, owner, gateways[0]!))
    brokers.push(await ofBroker(broker, publisher, gateways, port))
  }
  await publisher.end()
  await broker.end()
  const of = (part: 'sender' | 'owner' | 'servers') => middle(nats.map((n) => n[part]))
  return [
    figure('three NATS servers for a reading, 100 in a message', of('servers'), 'µs'),
    figure('sender and owner for a reading, with framing', of('sender') + of('owner'), 'µs'),
    figure('all three together (0.6 wanted)', middle(nats.map((n) => n.sender + n.owner + n.servers)), 'µs'),
    figure('a gateway process for a reading (bare: its NATS client alone)', middle(brokers), 'µs', of('sender')),
  ]
}

/** As many pings as 100,000 gateways send, one each 30 s. */
const pingMs = (30_000 * silent) / 100_000

const silentGateways = async (url: string): Promise<Figure[]> => {
  const brokers = [startLoader<FleetJob, Fleet>('fleet.ts'), startLoader<FleetJob, Fleet>('fleet.ts')]
  const clients = [startLoader<FleetJob, Fleet>('fleet.ts'), startLoader<FleetJob, Fleet>('fleet.ts')]
  const ports = await Promise.all(brokers.map(async (b) => (await b.run({ do: 'broker', url })).port))
  await sleep(2000)
  const use = () => Promise.all(brokers.map((b) => b.run({ do: 'use' })))
  const sum = (of: Fleet[], part: 'rss' | 'cpu' | 'connected') => of.reduce((all, one) => all + one[part], 0)
  /** Half of them at a time: what a process takes before its first gateways is not theirs. */
  const connectHalf = async (name: string) => {
    const count = Math.floor(silent / 4)
    await Promise.all(clients.map((c, i) => c.run({ do: 'connect', port: ports[i]!, prefix: `SILENT${name}${i}`, count, pingMs })))
    await sleep(10_000)
    return use()
  }
  const half = await connectHalf('A')
  const full = await connectHalf('B')
  await sleep(30_000)
  const later = await use()
  for (const process of [...clients, ...brokers]) await process.end()
  const connected = sum(later, 'connected')
  return [
    figure('silent gateways connected to two gateway processes', connected, 'gateways'),
    figure('memory of each (12 wanted)', (sum(full, 'rss') - sum(half, 'rss')) / (connected - sum(half, 'connected')) / 1024, 'KiB'),
    figure('keep-alive of 100,000, each 30 s (5 wanted)', ((sum(later, 'cpu') - sum(full, 'cpu')) / 30_000) * 100, '% of a core'),
  ]
}

const overNatsServers = async (): Promise<Figure[]> => {
  const nats = await startNats(3)
  const owner = startLoader<FleetJob, Fleet>('fleet.ts')
  try {
    await owner.run({ do: 'own', url: nats.url, readings: values })
    return [...(await costs(nats.url, nats.pids(), owner)), ...(await silentGateways(nats.url))]
  } finally {
    await owner.end()
    await nats.remove()
  }
}

const parts: Record<string, () => Promise<Figure[]>> = {
  nats: overNatsServers,
  api: apiProcess,
  stop: plannedStop,
  ingest: ingestProcesses,
}
/** BENCH_PARTS narrows it: nats, api, stop, ingest. */
export const scale = async (): Promise<Figure[]> => {
  if (!hasNats) {
    console.log('  left out: Debian’s package nats-server is not installed')
    return []
  }
  const found: Figure[] = []
  for (const part of process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)) found.push(...(await parts[part]!()))
  return found
}
