// The reading half of the soft gateway as it runs: plan, poll, decode, decide what goes up, build the message's items.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelRow, PointRow } from '../../edge/drivers/driver.ts'
import { loadDriver } from '../../edge/drivers/index.ts'
import { readPlaces } from '../../edge/listening/allowed.ts'
import { openDoors } from '../../edge/listening/doors.ts'
import { startPoller } from '../../edge/poll/poller.ts'
import { serveJobs } from './job.ts'

export type PollJob = {
  kind: 'gateway' | 'bare'
  ports: number[]
  points: number
  seconds: number
  /** Loads every driver and waits at this port for ten devices that never dial in. */
  idleDoor?: number
}
/** `cpuSeconds`: user and system time of this process during the measurement. */
export type Polled = { readings: number; cpuSeconds: number }

const perRequest = 125

const pointOf = (Id: number, device: number, address: number): PointRow => ({
  ...{ Row: Id, Id, DeviceId: device, ParaName: `p${Id}`, ReadWriteType: 0, RegisterType: 4, ParaDataType: 2, Address: String(address) },
  ...{ SlaveNumber: 1, SampleLow: null, SampleHigh: null, ProjectLow: null, ProjectHigh: null, DecimalDigits: 2, UploadMode: 1 },
  ...{ CollectPeriod: 1000, IntervalTime: 0, Timeout: 1000, UploadPeriod: 60, CollectType: 1, IsCache: 0 },
})

const drivers = [0, 1, 2, 20, 21, 30, 50, 60, 70, 80, 90, 100, 110, 200]
/** Nobody dials in, and the driver's report of it is expected. */
const idleChannel = (Port: number, i: number): ChannelRow => ({
  ...{ Id: 1000 + i, CommType: 0, ProtocolType: 1, Mode: 1, Port, InterFrameMs: 0, RetryCount: 0 },
  Settings: { Transport: 'tcp', RegistrationForm: 'text', Registration: `device ${1000 + i}` },
})

const asGateway = async ({ ports, points, idleDoor }: PollJob) => {
  let readings = 0
  if (idleDoor) for (const number of drivers) await loadDriver(number)
  const idle = idleDoor ? Array.from({ length: 10 }, (_, i) => idleChannel(idleDoor, i)) : []
  const poller = startPoller({
    now: Date.now,
    emit: (item) => {
      readings += Object.keys(item.V).length
    },
    onEvent: (type, level, text) => {
      if (level && !idle.length) throw new Error(`event ${type}: ${text}`)
    },
    onFirst: () => undefined,
    ...(idleDoor && { doors: openDoors(readPlaces(`127.0.0.1:${idleDoor}`)!, () => undefined) }),
  })
  const channel = (Port: number, i: number): ChannelRow => ({
    Id: i + 1,
    CommType: 0,
    ProtocolType: 0,
    Ip: '127.0.0.1',
    Port,
    InterFrameMs: 0,
    RetryCount: 0,
  })
  await poller.apply({
    ConfigVersion: 1,
    HeartbeatPeriod: 60,
    Channels: [...ports.map(channel), ...idle],
    Devices: [...ports.map((_, i) => i + 1), ...idle.map(({ Id }) => Id)].map((Id) => ({
      ...{ Id, DeviceName: `device ${Id}`, CommType: 0, ChannelId: Id, SlaveNumber: 1 },
    })),
    Points: [
      ...ports.flatMap((_, i) => Array.from({ length: points }, (_, k) => pointOf(i * points + k + 1, i + 1, k))),
      ...idle.map(({ Id }) => pointOf(1_000_000 + Id, Id, 0)),
    ],
  })
  return { count: () => readings, stop: () => poller.close() }
}

const asBare = async ({ ports }: PollJob) => {
  let readings = 0
  let open = true
  const loops = ports.map(async (port) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    await once(socket, 'connect')
    // Transaction, protocol, length, unit, function 3, start, count.
    const request = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, perRequest])
    while (open) {
      socket.write(request)
      const [reply] = (await once(socket, 'data')) as [Buffer]
      readings += reply[8]! / 2
    }
    socket.destroy()
  })
  return {
    count: () => readings,
    stop: async () => {
      open = false
      await Promise.all(loops)
    },
  }
}

serveJobs(async (job: PollJob): Promise<Polled> => {
  const running = await (job.kind === 'gateway' ? asGateway(job) : asBare(job))
  await sleep(1000)
  const [from, cpu] = [running.count(), process.cpuUsage()]
  await sleep(job.seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const readings = running.count() - from
  await running.stop()
  return { readings, cpuSeconds: (user + system) / 1e6 }
})
