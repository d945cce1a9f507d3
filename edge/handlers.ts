import { connect } from 'node:net'
import { isFloating } from '../contract/data-types.ts'
import { browseNodes, statedCallers, statedChannels } from '../contract/gateway-protocol.ts'
import type { Allowed } from '../contract/networks.ts'
import type { Clock } from './clock.ts'
import { isPlausible } from './clock.ts'
import { assembly, type Config } from './config/assembly.ts'
import { saveConfig } from './config/store.ts'
import type { PointRow } from './drivers/driver.ts'
import { missingPort, triedPort } from './drivers/serial.ts'
import type { Doors } from './listening/doors.ts'
import { judged } from './outbound.ts'
import type { Channel } from './poll/channel.ts'
import type { Poller } from './poll/poller.ts'
import type { Tracing } from './tracing.ts'
import type { Handlers, Outcome } from './uplink/commands.ts'

const ok: Outcome = { Code: 0, Msg: '' }
const unknownPoint = (id: number): Outcome => ({ Code: 4, Msg: `there is no point ${id} in this device` })
const unknownChannel = (id: number): Outcome => ({ Code: 4, Msg: `there is no channel ${id} in the configuration` })
const netTestMs = 5000

const reachable = (host: string, port: number) =>
  new Promise<string | undefined>((resolve) => {
    const socket = connect({ host, port })
    const end = (problem?: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(problem)
    }
    const timer = setTimeout(() => end(`no connection within ${netTestMs} ms`), netTestMs)
    socket.once('connect', () => end())
    socket.once('error', (error) => end(error.message))
  })

type Options = {
  doors?: Doors
  reach?: Allowed | undefined
  folder: string
  clock: Clock
  poller: Poller
  tracing: Tracing
  onApplied(config: Config): Promise<void>
}

/** Commands about one channel, and how all of them do. */
const lineHandlers = ({
  doors,
  poller,
  tracing,
}: Pick<Options, 'doors' | 'poller' | 'tracing'>): Pick<Handlers, 'browse' | 'trust' | 'channels' | 'trace'> => ({
  browse: async ({ CommType, ChannelId, Below }) => {
    const line = poller.line(CommType, ChannelId)
    if (!line) return unknownChannel(ChannelId)
    const found = await line.browse(Below)
    if (!found) return { Code: 3, Msg: 'this protocol has nothing to browse' }
    const Nodes = found.slice(0, browseNodes).map((node) => ({
      ...{ Id: node.id.slice(0, 500), Name: node.name.slice(0, 200), HasMore: node.hasMore ? 1 : 0 },
      ...(node.address === undefined ? {} : { Address: node.address }),
      ...(node.unit === undefined ? {} : { Unit: node.unit.slice(0, 20) }),
      ...(node.isWritable ? { IsWritable: 1 } : {}),
    }))
    return { ...ok, Data: { Nodes, Total: found.length } }
  },

  trust: async ({ CommType, ChannelId, Thumbprint }) => {
    const line = poller.line(CommType, ChannelId)
    if (!line) return unknownChannel(ChannelId)
    const isTrusted = await line.trust(Thumbprint)
    if (isTrusted === undefined) return { Code: 3, Msg: 'this protocol has no certificates' }
    return isTrusted ? ok : { Code: 4, Msg: `no server has shown the certificate ${Thumbprint}` }
  },

  channels: async () => ({
    ...ok,
    Data: { Channels: poller.states().slice(0, statedChannels), Callers: doors?.unknown().slice(0, statedCallers) ?? [] },
  }),

  trace: async ({ CommType, ChannelId, Seconds }) => (tracing.trace(CommType, ChannelId, Seconds) ? ok : unknownChannel(ChannelId)),
})

/** Handlers of the commands of the server; result codes of the specification, section 8. */
export const handlers = ({ doors, reach, folder, clock, poller, tracing, onApplied }: Options): Handlers => {
  const assemble = assembly()
  return {
    config: async (part) => {
      const { config, ...verdict } = assemble(part)
      for (const channel of config?.Channels ?? []) {
        const missing = (await missingPort(channel)) ?? doors?.missing(channel)
        if (missing) return { Code: 9, Msg: missing.slice(0, 200) }
      }
      if (config) {
        await saveConfig(folder, config)
        await poller.apply(config)
        await onApplied(config)
      }
      const { Code, Msg, Detail } = verdict
      return { Code, Msg, ...(Detail ? { Data: { Detail } } : {}) }
    },

    write: async ({ D, ParaId, Value, CheckBack }) => {
      const found = poller.find(ParaId)
      if (!found || found.point.DeviceId !== D) return unknownPoint(ParaId)
      const { point, channel } = found
      if (point.ReadWriteType === 0) return { Code: 201, Msg: `${point.ParaName} is read only` }
      const back = await channel.write(point, Value, CheckBack === 1)
      if (!back) return ok
      const isSame = back.value !== null && isClose(point, back.value, Value)
      return {
        Code: isSame ? 0 : 201,
        Msg: isSame ? '' : `the device has ${back.value} after ${Value} was written`,
        Data: { Value: back.value, Quality: back.quality },
      }
    },

    read: async ({ D, ParaIds }) => {
      const found = ParaIds.map((id) => ({ id, ...poller.find(id) }))
      const missing = found.find((f) => !f.point || f.point.DeviceId !== D)
      if (missing) return unknownPoint(missing.id)
      const known = found as { id: number; point: PointRow; channel: Channel }[]
      const hidden = known.find((f) => f.point.ReadWriteType === 2)
      if (hidden) return { Code: 201, Msg: `${hidden.point.ParaName} is write only` }
      if (!known.length) return { ...ok, Data: { Values: [] } }
      // Points of one device are on one bus.
      const readings = await known[0]!.channel.read(known.map((f) => f.point))
      return { ...ok, Data: { Values: known.map((f, i) => ({ ParaId: f.id, Value: readings[i]!.value, Quality: readings[i]!.quality })) } }
    },

    nettest: async ({ Ip, Port, Serial }) => {
      if (Serial !== undefined) {
        const refused = await triedPort(Serial)
        return refused ? { Code: 301, Msg: `serial port ${Serial}: ${refused}`.slice(0, 200) } : ok
      }
      if (!Ip || !Port || Port < 1 || Port > 65535) return { Code: 13, Msg: 'address and port are missing' }
      const judgement = reach ? await judged(Ip, Port, reach).catch((refused: Error) => refused) : { address: Ip }
      const problem = judgement instanceof Error ? judgement.message : await reachable(judgement.address, Port)
      return problem ? { Code: 301, Msg: problem } : ok
    },

    ...lineHandlers({ doors, poller, tracing }),

    timesync: async ({ Ts, T1, T2, T3 }) => {
      if (Ts !== undefined) {
        if (!isPlausible(clock, Ts)) return { Code: 5, Msg: `server time ${Ts} is implausible, here it is ${clock.now()}` }
        clock.shift(Ts - clock.now())
        return ok
      }
      if (T1 === undefined || T2 === undefined || T3 === undefined || !isPlausible(clock, T3)) return undefined
      // NTP's formula (RFC 5905, section 8). Small offsets are the network's: following them would make time jump back and forth.
      const offset = (T2 - T1 + (T3 - clock.now())) / 2
      if (Math.abs(offset) > 500) clock.shift(offset)
      return undefined
    },
  }
}

/** What was read back is what was written, to the step of the raw value. */
const isClose = (p: PointRow, back: number, written: number) => {
  const scaled =
    p.SampleLow !== null && p.SampleHigh !== null && p.ProjectLow !== null && p.ProjectHigh !== null && p.SampleHigh !== p.SampleLow
  const step = scaled ? Math.abs((p.ProjectHigh! - p.ProjectLow!) / (p.SampleHigh! - p.SampleLow!)) : 1
  const slack = isFloating(p.ParaDataType) ? Math.max(Math.abs(written), 1) * 1e-6 : step / 2 + Math.abs(written) * 1e-9
  return Math.abs(back - written) <= slack
}
