// Drivers of the soft gateway, in this process; their devices in others. The bare limit asks with the frames that the driver
// sent, and of SNMP and OPC UA with the library alone.
import { fork } from 'node:child_process'
import dgram, { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import snmp from 'net-snmp'
import { AttributeIds, ClientSubscription, OPCUAClient, TimestampsToReturn } from 'node-opcua-client'
import type { ChannelRow, DeviceRow, Driver, Frame, OpenDriver, PointRow } from '../edge/drivers/driver.ts'
import { loadDriver } from '../edge/drivers/index.ts'
import { channelRow, pointRow } from '../edge/testing/rows.ts'
import { type Figure, figure, printTable } from './figures.ts'
import { idleDoors } from './idle-doors.ts'
import { onward } from './onward.ts'
import { items } from './protocols-peer.ts'
import { rtu } from './rtu.ts'
import { hostile, scripts } from './scripts.ts'
import { lines, thingsBoard } from './senders.ts'
import { sparkplug } from './sparkplug.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const points = 100

const startPeer = async (kind: string) => {
  const child = fork(join(import.meta.dirname, 'protocols-peer.ts'), [kind], { stdio: 'ignore' })
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => child.kill('SIGKILL') }
}

/** Values for each second of CPU time of this process. */
const perCore = async (values: number, ask: () => Promise<unknown>): Promise<number> => {
  for (let i = 0; i < 50; i++) await ask()
  const before = process.cpuUsage()
  let asked = 0
  for (const end = performance.now() + seconds * 1000; performance.now() < end; asked++) await ask()
  const { user, system } = process.cpuUsage(before)
  return (asked * values) / ((user + system) / 1e6)
}

/** The frames of a driver until it has read all points, and those of one reading. */
const framesOf = async (driver: Driver, table: readonly PointRow[]) => {
  const sent: Buffer[] = []
  driver.trace?.(({ isSent, bytes }: Frame) => void (isSent && sent.push(Buffer.from(bytes))))
  await driver.connect()
  const opening = sent.length
  for (const block of driver.plan(table)) await driver.read(block)
  driver.trace?.(undefined)
  return { opening: sent.slice(0, opening), reading: sent.slice(opening) }
}

type Ask = { ask: (frames: readonly Buffer[]) => Promise<void>; close(): void }
const overTcp = async (port: number): Promise<Ask> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let [received, answered]: [Buffer, (() => void) | undefined] = [Buffer.alloc(0), undefined]
  socket.on('data', (bytes) => {
    received = received.length ? Buffer.concat([received, bytes]) : bytes
    // TPKT: its length is in the third and fourth byte.
    if (received.length < 4 || received.length < received.readUInt16BE(2)) return
    received = Buffer.alloc(0)
    answered?.()
  })
  const one = (frame: Buffer) =>
    new Promise<void>((resolve) => {
      answered = resolve
      socket.write(frame)
    })
  return {
    ask: async (frames) => {
      for (const frame of frames) await one(frame)
    },
    close: () => socket.destroy(),
  }
}
const overUdp = async (port: number): Promise<Ask> => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  let answered: (() => void) | undefined
  socket.on('message', () => answered?.())
  const one = (frame: Buffer) =>
    new Promise<void>((resolve) => {
      answered = resolve
      socket.send(frame, port, '127.0.0.1')
    })
  return {
    ask: async (frames) => {
      for (const frame of frames) await one(frame)
    },
    close: () => void socket.close(),
  }
}

type Polled = {
  kind: string
  type: number
  address: (n: number) => string
  settings?: ChannelRow['Settings']
  devices?: readonly DeviceRow[]
  bare: typeof overTcp
  /** Whether the bare one opens a connection first. */
  opens: boolean
}
/** The library of the driver alone. */
const snmpAlone = async (port: number): Promise<Ask> => {
  const options = { port, version: snmp.Version2c, timeout: 5000, retries: 0, transport: 'udp4' as const, reportOidMismatchErrors: true }
  const session = snmp.createSession('127.0.0.1', 'x', { ...options, dgramModule: dgram as never })
  const oids = Array.from({ length: points }, (_, i) => `1.3.6.1.4.1.99999.1.${i + 1}`)
  const one = (some: string[]) => new Promise<void>((resolve, reject) => session.get(some, (error) => (error ? reject(error) : resolve())))
  return {
    ask: async (frames) => {
      const each = Math.ceil(points / frames.length)
      for (let at = 0; at < points; at += each) await one(oids.slice(at, at + each))
    },
    close: () => session.close(),
  }
}

const polled: readonly Polled[] = [
  { kind: 's7', type: 70, address: (n) => `DB1.DBW${2 * n}`, bare: overTcp, opens: true },
  {
    ...{ kind: 'snmp', type: 100, address: (n: number) => `1.3.6.1.4.1.99999.1.${n}`, bare: snmpAlone, opens: false },
    settings: { Version: '2c', Community: 'x' },
  },
  {
    ...{ kind: 'bacnet', type: 90, address: (n: number) => `analogInput:${n}`, bare: overUdp, opens: false, settings: { LocalPort: 0 } },
    devices: [{ Id: 1, DeviceName: 'd', CommType: 0, ChannelId: 1, SlaveNumber: 1, Settings: { Instance: 1001 } }],
  },
]

const pollsOf = async ({ kind, type, address, settings, devices = [], bare, opens }: Polled): Promise<Figure> => {
  const peer = await startPeer(kind)
  const openDriver = await loadDriver(type)
  const channel = channelRow(peer.port, { ProtocolType: type, ...(settings ? { Settings: settings } : {}) })
  const driver = openDriver({ channel, devices, now: Date.now, changed: () => {} })
  const table = Array.from({ length: points }, (_, i) => pointRow(i + 1, address(i + 1), { Timeout: 5000 }))
  try {
    const { opening, reading } = await framesOf(driver, table)
    const blocks = driver.plan(table)
    const own = await perCore(points, async () => {
      for (const block of blocks) await driver.read(block)
    })
    const raw = await bare(peer.port)
    if (opens) await raw.ask(opening)
    const limit = await perCore(points, () => raw.ask(reading))
    raw.close()
    return figure(`${kind}, values of one core`, own, 'values/s', limit)
  } finally {
    driver.close()
    peer.stop()
  }
}

const names = Array.from({ length: items }, (_, n) => `nsu=urn:plant;s=v${n}`)
/** Values that arrive in a second, and their cost. */
const counted = async (begin: (came: (count: number) => void) => Promise<unknown>) => {
  let came = 0
  await begin((count) => {
    came += count
  })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const [first, before] = [came, process.cpuUsage()]
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: (came - first) / seconds, perCore: (came - first) / ((user + system) / 1e6) }
}

const changes = async (): Promise<Figure[]> => {
  const peer = await startPeer('opcua')
  const url = `opc.tcp://127.0.0.1:${peer.port}`
  const folder = mkdtempSync(join(tmpdir(), 'bench-opcua-'))
  const open: OpenDriver = await loadDriver(60)
  const channel = channelRow(0, { ProtocolType: 60, Settings: { Url: url, SecurityMode: 'None' } })
  const driver = open({ channel, devices: [], now: Date.now, changed: () => {}, folder })
  const table = names.map((address, n) => pointRow(n + 1, address, { CollectType: 2, CollectPeriod: 500 }))
  try {
    const own = await counted(async (came) => {
      await driver.connect()
      await driver.listen!(table, (readings) => came(readings.length))
    })
    driver.close()
    const client = OPCUAClient.create({ endpointMustExist: false })
    await client.connect(url)
    const session = await client.createSession()
    const index = (await session.readNamespaceArray()).indexOf('urn:plant')
    const bare = await counted(async (came) => {
      const subscription = ClientSubscription.create(session, {
        ...{ requestedPublishingInterval: 500, requestedLifetimeCount: 600, requestedMaxKeepAliveCount: 20 },
        ...{ publishingEnabled: true, maxNotificationsPerPublish: 0 },
      })
      for (let at = 0; at < items; at += 30) {
        const some = names.slice(at, at + 30).map((_, i) => ({ nodeId: `ns=${index};s=v${at + i}`, attributeId: AttributeIds.Value }))
        const options = { samplingInterval: 500, discardOldest: true, queueSize: 20 }
        const group = await subscription.monitorItems(some, options, TimestampsToReturn.Source)
        group.on('changed', () => came(1))
      }
    })
    await client.disconnect()
    return [
      figure(`opcua, ${items} items that change each second`, own.perSecond, 'values/s', bare.perSecond),
      figure('opcua, values of one core', own.perCore, 'values/s', bare.perCore),
    ]
  } finally {
    driver.close()
    peer.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const parts: Record<string, () => Promise<Figure[]>> = {
  drivers: async () => {
    const figures: Figure[] = []
    for (const one of polled) figures.push(await pollsOf(one))
    return figures
  },
  opcua: changes,
  rtu,
  sparkplug,
  thingsBoard,
  lines,
  idleDoors,
  scripts,
  hostile,
  onward,
}

/** `npm run bench protocols`; BENCH_PARTS names some of them, with commas between. What one measured is printed before the next begins. */
export const protocols = async (): Promise<Figure[]> => {
  const wanted = process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)
  const figures: Figure[] = []
  for (const name of wanted) {
    const part = parts[name]
    if (!part) throw new Error(`There is no ${name}. Known: ${Object.keys(parts).join(', ')}.`)
    const measured = await part().catch((error) => console.error(`${name} failed:`, error))
    printTable(measured ?? [])
    figures.push(...(measured ?? []))
  }
  return figures
}
