import { canonical } from '../../contract/gateway-config.ts'
import type { Allowed } from '../../contract/networks.ts'
import { targetOf } from '../../contract/protocols/index.ts'
import type { Config } from '../config/assembly.ts'
import type { ChannelRow, DeviceRow, Driver, Frame, Opening, PointRow } from '../drivers/driver.ts'
import { loadDriver } from '../drivers/index.ts'
import type { Doors } from '../listening/doors.ts'
import { judgedChannel } from '../outbound.ts'
import { Channel } from './channel.ts'
import { ChannelFigures, counted, type Figures } from './figures.ts'
import type { Emit } from './taking.ts'

export type PollerOptions = {
  now: () => number
  /** The gateway's data folder. */
  folder?: string
  emit: Emit
  /** Types of the protocol's events. */
  onEvent(type: number, level: number, text: string): void
  /** A device answers for the first time. */
  onFirst(): void
  reconnectMs?: { min: number; max: number }
  /** Ports to which devices connect. */
  doors?: Doors
  /** Allowed networks of message sources. */
  outbound?: Allowed | undefined
  /** Networks that drivers may reach. */
  reach?: Allowed | undefined
}

const channelError = 4
const deviceTimeout = 5

const placeOfChannel = ({ CommType, Ip, Port, SerialPort, Id, Settings }: ChannelRow) =>
  (CommType === 1 ? SerialPort : Ip && `${Ip}:${Port}`) ?? Settings?.Url ?? `channel ${Id}`

/** A driver for the checked address. If the address could not be checked, such as without DNS, each connect retries. */
const openReached = async (given: Omit<Opening, 'dialled' | 'changed'>, reach: Allowed | undefined) => {
  const openDriver = await loadDriver(given.channel.ProtocolType)
  const judge = () => (reach ? judgedChannel(given.channel, reach) : Promise.resolve(given.channel))
  const first = await judge().catch((refused: Error) => refused)
  return (more: Pick<Opening, 'changed' | 'dialled'>): Driver => {
    const open = (channel: ChannelRow) => openDriver({ ...given, ...more, channel })
    if (!(first instanceof Error)) return open(first)
    let driver = open(given.channel)
    let isJudged = false
    const connect = async () => {
      if (!isJudged) driver = open(await judge())
      isJudged = true
      await driver.connect()
    }
    return new Proxy({} as Driver, {
      get: (_, key) => {
        if (key === 'connect') return connect
        const value = Reflect.get(driver, key)
        return typeof value === 'function' ? value.bind(driver) : value
      },
      set: (_, key, value) => Reflect.set(driver, key, value),
    })
  }
}

const lineKey = (commType: number, id: number) => `${commType}/${id}`

/** All channels of the applied configuration. */
export const startPoller = (options: PollerOptions) => {
  const { doors } = options
  let running = new Map<string, Channel>()
  let points = new Map<number, { point: PointRow; channel: Channel }>()
  let lines = new Map<string, Channel>()
  const figures = new Map<string, ChannelFigures>()
  const wakes = new Map<string, () => void>()
  const traces = new Map<string, (frame: Frame) => void>()

  const open = async (row: ChannelRow, devices: readonly DeviceRow[], own: readonly PointRow[]) => {
    const names = new Map(devices.map((d) => [d.Id, d.DeviceName]))
    const { now, folder, outbound, reach } = options
    const openDriver = await openReached({ channel: row, devices, now, folder, outbound, reach }, reach)
    const channel = new Channel({
      channel: row,
      points: own,
      open: (changed) => {
        wakes.set(lineKey(row.CommType, row.Id), changed)
        const counting = new ChannelFigures(options.now)
        figures.set(lineKey(row.CommType, row.Id), counting)
        const dialled = targetOf(row) === 'dialled' ? doors?.lineOf(row) : undefined
        return counted(openDriver({ changed, dialled }), counting)
      },
      now: options.now,
      emit: options.emit,
      reconnectMs: options.reconnectMs,
      onChannel: (isUp, why) => options.onEvent(channelError, isUp ? 0 : 2, `${placeOfChannel(row)}: ${why}`),
      onFirst: options.onFirst,
      onDevice: (id, isUp) =>
        options.onEvent(deviceTimeout, isUp ? 0 : 2, `${names.get(id)} ${isUp ? 'answers again' : 'does not answer'}`),
    })
    channel.trace(traces.get(lineKey(row.CommType, row.Id)))
    channel.start()
    return channel
  }

  return {
    /** Swaps the point tables. An unchanged channel keeps polling without a pause. */
    async apply(config: Config) {
      const before = running
      const next = new Map<string, Channel>()
      const nextPoints: typeof points = new Map()
      const nextLines: typeof lines = new Map()
      const plans = config.Channels.map((row) => {
        const devices = config.Devices.filter((d) => d.CommType === row.CommType && d.ChannelId === row.Id)
        const ids = new Set(devices.map((d) => d.Id))
        const own = config.Points.filter((p) => ids.has(p.DeviceId))
        return { row, devices, own, key: canonical({ row, devices, own }) }
      })
      const planned = new Set(plans.map((p) => p.key))
      await Promise.all([...before].filter(([key]) => !planned.has(key)).map(([, channel]) => channel.close()))
      await doors?.apply(config.Channels, ({ CommType, Id }) => wakes.get(lineKey(CommType, Id))?.())
      for (const { row, devices, own, key } of plans) {
        const channel = before.get(key) ?? (await open(row, devices, own))
        next.set(key, channel)
        nextLines.set(lineKey(row.CommType, row.Id), channel)
        for (const point of own) nextPoints.set(point.Id, { point, channel })
      }
      running = next
      points = nextPoints
      lines = nextLines
      for (const key of figures.keys()) if (!lines.has(key)) figures.delete(key)
    },
    /** The point with its bus. */
    find: (id: number) => points.get(id),
    /** A channel by its kind and Id. */
    line: (commType: number, id: number) => lines.get(lineKey(commType, id)),
    /** Traces a channel, across reconfigurations, until called without a receiver. */
    trace: (commType: number, id: number, receive: ((frame: Frame) => void) | undefined) => {
      const key = lineKey(commType, id)
      if (receive) traces.set(key, receive)
      else traces.delete(key)
      lines.get(key)?.trace(receive)
    },
    /** Statistics of each channel. */
    states: (): (Figures & { CommType: 0 | 1; ChannelId: number })[] =>
      [...figures].map(([key, of]) => {
        const [CommType, ChannelId] = key.split('/').map(Number) as [0 | 1, number]
        return { CommType, ChannelId, ...of.now() }
      }),
    resend: () => {
      for (const channel of running.values()) channel.resend()
    },
    health: () => [...running.values()].flatMap((c) => c.health.rows),
    close: async () => {
      await Promise.all([...running.values()].map((c) => c.close()))
      await doors?.close()
    },
  }
}
export type Poller = ReturnType<typeof startPoller>
