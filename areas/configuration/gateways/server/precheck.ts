import { wideTypes } from '../../../../contract/data-types.ts'
import { canonical } from '../../../../contract/gateway-config.ts'
import type { RowError } from '../../../../contract/gateway-protocol.ts'
import { channelFields, dialledPlace, togetherFaults } from '../../../../contract/protocols/dialled.ts'
import { capabilityOf, placeOf, protocolOf, rowFaults, targetOf } from '../../../../contract/protocols/index.ts'
import { secretsOf, settingFaults } from '../../../../contract/protocols/settings.ts'
import { described } from '../../../../contract/protocols/sources.ts'
import { serialProtocol } from '../../channels/contract.ts'
import { type Channel, type Config, channelKey, type Point } from './config.ts'

/** Why a push is impossible. Reason is a key of the words `pushReason.<key>`, filled from Values. */
export type Obstacle = Omit<RowError, 'Reason'> & { Reason: string; Values: Record<string, string | number> }
export type Verdict = { Code: number; Detail: Obstacle[] }

/** Maximum rows in one answer. */
const most = 500

const about = (ParaName: string, Field: string, Reason: string, Values: Obstacle['Values'] = {}): Obstacle => ({
  ...{ Row: 0, ParaName, Field, Reason, Values },
})

/** Pairs of rows with the same key. */
const repeated = <T>(rows: readonly T[], key: (row: T) => string | undefined): [first: T, second: T][] => {
  const byKey = new Map<string, T>()
  return rows.flatMap((row) => {
    const k = key(row)
    const first = k === undefined ? undefined : byKey.get(k)
    if (first !== undefined) return [[first, row] as [T, T]]
    if (k !== undefined) byKey.set(k, row)
    return []
  })
}

/** Points of described protocols whose key is not a field of the description. */
const keyObstacles = ({ Channels, Points }: Config, busOf: (point: Point) => string): Obstacle[] => {
  const known = new Map(
    Channels.flatMap((c) => {
      const { Requests } = c.Description ?? {}
      if (!Requests) return []
      const reads = new Set(Requests.flatMap(({ Fields }) => Fields.map(({ Key }) => Key)))
      const writes = new Set(Requests.flatMap(({ Write }) => Write?.Key ?? []))
      return [[channelKey(c.CommType, c.Id), { reads, writes }] as const]
    }),
  )
  if (!known.size) return []
  return Points.flatMap((p) => {
    const of = known.get(busOf(p))
    const keys = p.ReadWriteType === 2 ? of?.writes : of?.reads
    if (!keys || keys.has(p.Address)) return []
    const Values = { key: p.Address, keys: [...keys].slice(0, 20).join(', ') || '–' }
    return [{ Row: p.Row, ParaName: p.ParaName, Field: 'Address', Reason: 'noKey', Values }]
  })
}

const pointObstacles = (config: Config): Obstacle[] => {
  const { Channels, Devices, Points } = config
  const devices = new Map(Devices.map((d) => [d.Id, d]))
  const protocols = new Map(Channels.map((c) => [channelKey(c.CommType, c.Id), c.ProtocolType]))
  const units = new Map(Devices.map((d) => [d.Id, canonical(d.Settings ?? {})]))
  const busOf = ({ DeviceId }: Point) => {
    const device = devices.get(DeviceId)!
    return channelKey(device.CommType, device.ChannelId)
  }
  const single = Points.flatMap((p) =>
    rowFaults(protocols.get(busOf(p)) ?? 0, p).map(([Field, Reason, Values = {}]) => ({
      ...{ Row: p.Row, ParaName: p.ParaName, Field, Reason, Values },
    })),
  )
  const place = (p: Point) => `${busOf(p)}/${placeOf(protocols.get(busOf(p)) ?? 0, p, units.get(p.DeviceId))}`
  const twice = repeated(Points, place).map(([first, p]) => ({
    ...{ Row: p.Row, ParaName: p.ParaName, Field: 'Address', Reason: 'addressTwice', Values: { row: first.Row, name: first.ParaName } },
  }))
  return [...single, ...twice, ...keyObstacles(config, busOf)].sort((a, b) => a.Row - b.Row)
}

/** Whether a gateway supports a channel. Older gateways support the base protocols without announcing them. */
const canDo = (capabilities: Config['capabilities'], channel: Channel) => {
  const word = capabilityOf(channel)
  if (word === undefined) return false
  return (protocolOf(channel.ProtocolType)?.isBase === true && targetOf(channel) !== 'dialled') || (capabilities?.includes(word) ?? false)
}

/** Unsupported parts: channels without a driver, and unknown data types. */
const beyond = (config: Config): Obstacle[] => {
  const { Channels, Points, names, capabilities } = config
  const without = Channels.filter((c) => !canDo(capabilities, c)).map((c) =>
    about(names.get(channelKey(c.CommType, c.Id)) ?? '', 'ProtocolType', 'noDriver', { protocol: c.ProtocolType }),
  )
  if (capabilities?.includes(wideTypes)) return without
  const wide = Points.filter((p) => p.ParaDataType > 100)
  return [...without, ...wide.map((p) => ({ ...about(p.ParaName, 'ParaDataType', 'noWideTypes'), Row: p.Row }))]
}

/** Missing or invalid settings of channels and devices. */
const settingObstacles = ({ Channels, Devices, names, sealed }: Config): Obstacle[] => {
  const byChannel = new Map(Channels.map((c) => [channelKey(c.CommType, c.Id), protocolOf(c.ProtocolType)]))
  const told = (name: string, faults: ReturnType<typeof settingFaults>) =>
    faults.map((fault) => about(name, 'Settings', fault.rule === 'required' ? 'settingMissing' : 'settingWrong', { setting: fault.name }))
  return [
    ...Channels.flatMap((c) => {
      const key = channelKey(c.CommType, c.Id)
      const protocol = protocolOf(c.ProtocolType)
      const fields = protocol ? channelFields(protocol, targetOf(c)) : {}
      // Secrets are added when the configuration is sent.
      const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !secretsOf(fields).includes(name)))
      const missing = secretsOf(fields).filter((name) => fields[name]!.required && !sealed.get(key)?.Names.includes(name))
      return told(names.get(key) ?? '', [
        ...settingFaults(open, c.Settings),
        ...(protocol ? togetherFaults(protocol, targetOf(c), c.Settings) : []),
        ...missing.map((name) => ({ name, rule: 'required' })),
      ])
    }),
    ...Channels.filter((c) => c.ProtocolType === described.number && !c.Description).map((c) =>
      about(names.get(channelKey(c.CommType, c.Id)) ?? '', 'SelfParseId', 'noDescription'),
    ),
    ...Devices.flatMap((d) =>
      told(d.DeviceName, settingFaults(byChannel.get(channelKey(d.CommType, d.ChannelId))?.device ?? {}, d.Settings)),
    ),
  ]
}

/** The line of a channel; two channels on one line would conflict. */
const lineOf = (c: Channel): string | undefined => {
  const protocol = protocolOf(c.ProtocolType)
  if (targetOf(c) === 'dialled') return dialledPlace(c.Port, c.Settings)
  if (protocol?.isShared || targetOf(c) !== 'dials') return undefined
  return [`${c.Ip}:${c.Port}`, ...(protocol?.apart ?? []).map((name) => c.Settings?.[name] ?? '')].join(' ')
}

/** The refusal of channels whose secrets were entered for another address. */
export const lostSecrets = ({ names }: Config, lost: readonly string[]): Verdict | undefined =>
  lost.length ? { Code: 15, Detail: lost.map((key) => about(names.get(key) ?? '', 'Settings', 'secretLost')) } : undefined

/** The refusal to send secrets over a connection that is not private. */
export const secretObstacle = ({ Channels, names, sealed }: Config): Verdict => ({
  Code: 15,
  Detail: Channels.flatMap((c) => {
    const key = channelKey(c.CommType, c.Id)
    return sealed.has(key) ? [about(names.get(key) ?? '', 'Settings', 'secretInTheOpen')] : []
  }),
})

/**
 * Checks a push without the gateway, in the order of the specification (area 3, push sequence): 999 nothing to push, 3 not supported
 * by this gateway, 13 network protocol without address, 14 two channels to one target, 11 one serial port with two settings, 9 unknown
 * interface, 10 rows. Undefined if the push is possible.
 */
export const precheck = (config: Config): Verdict | undefined => {
  const { Channels, Devices, Points, names } = config
  const nameOf = (c: Channel) => names.get(channelKey(c.CommType, c.Id)) ?? ''
  if (!config.hasChannels) return { Code: 999, Detail: [about('', 'NetProtocolId', 'noChannel')] }
  if (!Points.length) return { Code: 999, Detail: [about('', 'Points', 'noPoints')] }
  const nets = Channels.filter((c) => c.CommType === 0)
  const serials = Channels.filter((c) => c.CommType === 1)
  const checks: [code: number, found: Obstacle[]][] = [
    [3, beyond(config)],
    [
      13,
      nets.flatMap((c) => {
        if (targetOf(c) === 'dialled') return c.Port ? [] : [about(nameOf(c), 'Port', 'noPort')]
        return protocolOf(c.ProtocolType)?.port && (!c.Ip || !c.Port) ? [about(nameOf(c), 'Ip', 'noAddress')] : []
      }),
    ],
    [
      14,
      repeated(nets, lineOf).map(([a, b]) => about(nameOf(b), 'Ip', 'targetTwice', { target: `${b.Ip ?? ''}:${b.Port}`, name: nameOf(a) })),
    ],
    [
      11,
      repeated(serials, (c) => c.SerialPort)
        .filter(([a, b]) => [a, b].map((c) => [c.BaudRate, c.DataBits, c.StopBits, c.Parity].join()).some((v, _, all) => v !== all[0]))
        .map(([a, b]) => about(nameOf(b), 'SerialPort', 'portTwice', { port: b.SerialPort ?? '', name: nameOf(a) })),
    ],
    [
      9,
      [
        ...Devices.filter((d) => !names.has(channelKey(d.CommType, d.ChannelId))).map((d) =>
          about(d.DeviceName, d.CommType === 0 ? 'NetProtocolId' : 'SerialProtocolId', 'deviceWithoutChannel'),
        ),
        ...serials
          .filter((c) => !(serialProtocol.fields.BaudRate.of as readonly number[]).includes(c.BaudRate ?? 0))
          .map((c) => about(nameOf(c), 'BaudRate', 'badBaudRate', { rate: c.BaudRate ?? 0 })),
      ],
    ],
    [15, settingObstacles(config)],
    [10, pointObstacles(config)],
  ]
  const [Code, Detail] = checks.find(([, found]) => found.length) ?? []
  return Code && Detail ? { Code, Detail: Detail.slice(0, most) } : undefined
}
