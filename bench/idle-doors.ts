// Cost of idle senders and drivers: ingest of our gateways beside connected but silent senders of every language,
// and Modbus polling of a gateway that has loaded every driver and waits for devices to dial in.
import { once } from 'node:events'
import { connect } from 'node:net'
import mqtt from 'mqtt'
import { freePort } from '../main/testing/freePort.ts'
import { publishRate } from './beside.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Polled, PollJob } from './load/poller.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { openCalls, type Sender } from './senders.ts'
import { seedPlant, startWorld } from './world.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
/** With and without in turns, because a single run proves little. */
const turns = 5
const [gateways, points, idle] = [20, 100, 10]
const middle = (values: number[]) => quantile(values, 0.5)

const openIdle = async (world: Awaited<ReturnType<typeof startWorld>>, port: number) => {
  const calls = await openCalls(world)
  const doors: Sender[] = []
  const Frame = { By: 'length', Length: 4, Start: 'AA' }
  const Requests = [{ Send: 'AA 01 {addr} 00', Answer: 'AA 02 {addr}', Fields: [{ Key: 'level', Type: 'u8', At: 3 }] }]
  const { Id: SelfParseId } = await calls.call<{ Id: number }>('POST', '/Protocol/Custom', { CustomName: 'Four bytes', Frame, Requests })
  for (let n = 0; n < idle; n++) {
    for (const language of [1, 2, 3]) doors.push(await calls.open(language))
    doors.push(await calls.open(4, { SparkplugGroup: 'G', SparkplugNode: `E${n}` }))
    doors.push(await calls.open(5, { MN: `BENCH0000000${10 + n}`, Port: port }))
    doors.push(
      await calls.open(6, { SelfParseId, Registration: `device ${10 + n}`, Port: port, AskPeriod: 86_400, HeartbeatPeriod: 86_400 }),
    )
  }
  const ids = doors.map(({ Id }) => Id)
  return {
    connected: async () => {
      const clients = await Promise.all(
        doors
          .filter((_, n) => [0, 1, 3].includes(n % 6))
          .map(({ Token: username }) => mqtt.connectAsync(`mqtt://127.0.0.1:${world.mqttPort}`, { username, reconnectPeriod: 0 })),
      )
      const sockets = await Promise.all(
        Array.from({ length: idle }, async (_, n) => {
          const socket = connect(port, '127.0.0.1')
          await once(socket, 'connect')
          socket.write(`device ${10 + n}`)
          return socket
        }),
      )
      return async () => {
        for (const socket of sockets) socket.destroy()
        await Promise.all(clients.map((client) => client.endAsync(true)))
      }
    },
    turn: async (way: 'Start' | 'Stop') => {
      for (const Id of ids) await calls.call('POST', `/Protocol/NetworkComponents/${way}`, { Id })
    },
  }
}

const ingest = async (): Promise<Figure> => {
  const port = await freePort()
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seedPlant({ gateways, points }), { PENSTOCK_UPLINK_PORTS: String(port) })
  try {
    const doors = await openIdle(world, port)
    await doors.turn('Stop')
    const job = { port: world.mqttPort, gateways: world.seeded, values: 10, window: 192, seconds, warmUp: 2 }
    const [without, beside]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      without.push(await publishRate(publisher, job))
      await doors.turn('Start')
      const leave = await doors.connected()
      beside.push(await publishRate(publisher, job))
      await leave()
      await doors.turn('Stop')
    }
    return figure(`ingest beside ${idle} idle senders of each language (bare: without)`, middle(beside), 'samples/s', middle(without))
  } finally {
    await publisher.end()
    await world.close()
  }
}

const polling = async (): Promise<Figure> => {
  const plc = startLoader<{ devices: number }, { ports: number[] }>('registers.ts')
  const [plain, laden] = [startLoader<PollJob, Polled>('poller.ts'), startLoader<PollJob, Polled>('poller.ts')]
  try {
    const { ports } = await plc.run({ devices: 4 })
    const idleDoor = await freePort()
    const job = { kind: 'gateway', ports, points: 1000, seconds } as const
    const [without, beside]: [number[], number[]] = [[], []]
    const ofOne = ({ readings, cpuSeconds }: Polled) => readings / cpuSeconds
    for (let turn = 0; turn < turns; turn++) {
      without.push(ofOne(await plain.run(job)))
      beside.push(ofOne(await laden.run({ ...job, idleDoor })))
    }
    return figure('Modbus polling of one core, every driver loaded and doors idle', middle(beside), 'points/s', middle(without))
  } finally {
    await Promise.all([plain.end(), laden.end(), plc.end()])
  }
}

export const idleDoors = async (): Promise<Figure[]> => [await ingest(), await polling()]
