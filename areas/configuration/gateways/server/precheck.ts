import type { RowError } from '../../../../contract/gateway-protocol.ts'
import { placeOf } from '../../../../contract/point-place.ts'
import { serialProtocol } from '../../channels/contract.ts'
import { type Channel, type Config, channelKey, type Point } from './config.ts'

/** Why a push is impossible. Reason is a key of the words `pushReason.<key>`, filled from Values. */
export type Obstacle = Omit<RowError, 'Reason'> & { Reason: string; Values: Record<string, string | number> }
export type Verdict = { Code: number; Detail: Obstacle[] }

/** Rows named in one answer. */
const most = 500

/** Registers a value takes: 16-bit types and Bool one, the others two (ruling 29). */
const registers = (type: number) => ([0, 1, 2, 31, 32].includes(type) ? 1 : 2)

const about = (ParaName: string, Field: string, Reason: string, Values: Obstacle['Values'] = {}): Obstacle => ({
  ...{ Row: 0, ParaName, Field, Reason, Values },
})

/** Pairs of rows of which the second repeats the key of the first. */
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

const faultsOf = (p: Point): [field: keyof Point, reason: string, values?: Obstacle['Values']][] => {
  const [address, bit] = p.Address.split('.')
  const faults: ReturnType<typeof faultsOf> = []
  if (p.RegisterType < 2) {
    if (p.ParaDataType !== 0) faults.push(['ParaDataType', 'coilHoldsBool'])
    if (bit !== undefined) faults.push(['Address', 'coilHasNoBits'])
  } else {
    if (p.ParaDataType === 0 && bit === undefined) faults.push(['Address', 'boolNeedsBit'])
    if (p.ParaDataType !== 0 && bit !== undefined) faults.push(['Address', 'onlyBoolHasBit'])
    const last = Number(address) + registers(p.ParaDataType) - 1
    if (last > 65535) faults.push(['Address', 'addressTooHigh', { last }])
  }
  if (p.ReadWriteType !== 0 && p.RegisterType !== 0 && p.RegisterType !== 4) faults.push(['ReadWriteType', 'notWritableRegister'])
  return faults
}

const pointObstacles = ({ Channels, Devices, Points }: Config): Obstacle[] => {
  const devices = new Map(Devices.map((d) => [d.Id, d]))
  const protocols = new Map(Channels.map((c) => [channelKey(c.CommType, c.Id), c.ProtocolType]))
  const single = Points.flatMap((p) =>
    faultsOf(p).map(([Field, Reason, Values = {}]) => ({ Row: p.Row, ParaName: p.ParaName, Field, Reason, Values })),
  )
  const place = (p: Point) => {
    const device = devices.get(p.DeviceId)!
    const bus = channelKey(device.CommType, device.ChannelId)
    return `${bus}/${placeOf(protocols.get(bus) ?? 0, p)}`
  }
  const twice = repeated(Points, place).map(([first, p]) => ({
    ...{ Row: p.Row, ParaName: p.ParaName, Field: 'Address', Reason: 'addressTwice', Values: { row: first.Row, name: first.ParaName } },
  }))
  return [...single, ...twice].sort((a, b) => a.Row - b.Row)
}

/**
 * Checks a push without the gateway, in the order of the specification (area 3, push sequence): 999 nothing to push, 13 network
 * protocol without address, 14 two channels to one target, 11 one serial port with two settings, 9 interface that does not exist,
 * 10 rows. Undefined when the push is possible.
 */
export const precheck = (config: Config): Verdict | undefined => {
  const { Channels, Devices, Points, names } = config
  const nameOf = (c: Channel) => names.get(channelKey(c.CommType, c.Id)) ?? ''
  if (!config.hasChannels) return { Code: 999, Detail: [about('', 'NetProtocolId', 'noChannel')] }
  if (!Points.length) return { Code: 999, Detail: [about('', 'Points', 'noPoints')] }
  const nets = Channels.filter((c) => c.CommType === 0)
  const serials = Channels.filter((c) => c.CommType === 1)
  const checks: [code: number, found: Obstacle[]][] = [
    [13, nets.filter((c) => !c.Ip || !c.Port).map((c) => about(nameOf(c), 'Ip', 'noAddress'))],
    [
      14,
      repeated(nets, (c) => `${c.Ip}:${c.Port}`).map(([a, b]) =>
        about(nameOf(b), 'Ip', 'targetTwice', { target: `${b.Ip}:${b.Port}`, name: nameOf(a) }),
      ),
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
    [10, pointObstacles(config)],
  ]
  const [Code, Detail] = checks.find(([, found]) => found.length) ?? []
  return Code && Detail ? { Code, Detail: Detail.slice(0, most) } : undefined
}
