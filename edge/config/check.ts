import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ConfigDevice, RowError } from '../../contract/gateway-protocol.ts'
import { type GatewaySettings, settingOf, settingValue } from '../../contract/gateway-settings.ts'
import { columnFields } from '../../contract/point-fields.ts'
import { placeOf } from '../../contract/point-place.ts'
import { valueSchema } from '../../contract/resource.ts'
import type { ChannelRow, PointRow } from '../drivers/driver.ts'
import { words } from '../drivers/modbus/values.ts'

export type Table = { Channels: ChannelRow[]; Devices: Static<typeof ConfigDevice>[]; Points: PointRow[]; Settings?: GatewaySettings }
/** Result code of the specification, and which rows are wrong. */
export type Verdict = { Code: number; Msg: string; Detail?: RowError[] }

/** Rows named in one answer, so that it fits into a message. */
const maxErrors = 500

const columns = Object.entries(columnFields).map(([name, field]) => ({
  name: name as keyof PointRow,
  check: Compile(valueSchema(field)),
}))

const channelVerdict = (channels: readonly ChannelRow[]): Verdict | undefined => {
  const targets = new Map<string, number>()
  for (const c of channels) {
    if (c.CommType === 1) return { Code: 9, Msg: `this gateway has no serial port; channel ${c.Id} asks for ${c.SerialPort ?? 'one'}` }
    if (c.ProtocolType !== 0 && c.ProtocolType !== 1)
      return { Code: 9, Msg: `channel ${c.Id}: protocol ${c.ProtocolType} is unknown; 0 is Modbus TCP, 1 Modbus RTU over TCP` }
    if (!c.Ip || !c.Port || c.Port < 1 || c.Port > 65535) return { Code: 13, Msg: `channel ${c.Id} has no address and port` }
    if (c.InterFrameMs < 0 || c.RetryCount < 0 || c.RetryCount > 10)
      return { Code: 15, Msg: `channel ${c.Id}: InterFrameMs must be from 0, RetryCount 0 to 10` }
    const target = `${c.Ip}:${c.Port}`
    const other = targets.get(target)
    if (other !== undefined) return { Code: 14, Msg: `channels ${other} and ${c.Id} both connect to ${target}` }
    targets.set(target, c.Id)
  }
}

/** What the columns cannot say alone: type against register, address against length. */
const rowFaults = (p: PointRow): [field: keyof PointRow, reason: string][] => {
  const [address, bit] = p.Address.split('.')
  const faults: [keyof PointRow, string][] = []
  if (p.RegisterType < 2) {
    if (p.ParaDataType !== 0) faults.push(['ParaDataType', 'coils and discrete inputs hold Bool'])
    if (bit !== undefined) faults.push(['Address', 'a coil or discrete input has no bits'])
  } else {
    if (p.ParaDataType === 0 && bit === undefined) faults.push(['Address', 'a Bool in a register needs its bit, such as 100.3'])
    if (p.ParaDataType !== 0 && bit !== undefined) faults.push(['Address', 'only a Bool has a bit'])
    const last = Number(address) + words(p.ParaDataType) - 1
    if (last > 65535) faults.push(['Address', `${last} > 65535`])
  }
  if (p.ReadWriteType !== 0 && p.RegisterType !== 0 && p.RegisterType !== 4)
    faults.push(['ReadWriteType', 'only coils and holding registers can be written'])
  return faults
}

/** The first that had the key; remembers this one if there was none. */
const earlier = (byKey: Map<string, PointRow>, key: string, p: PointRow) => {
  const first = byKey.get(key)
  if (!first) byKey.set(key, p)
  return first
}

const pointErrors = ({ Channels, Devices, Points }: Table): RowError[] => {
  const errors: RowError[] = []
  const devices = new Map(Devices.map((d) => [d.Id, d]))
  const protocols = new Map(Channels.map((c) => [`${c.CommType}/${c.Id}`, c.ProtocolType]))
  const byKey = new Map<string, PointRow>()
  for (const p of Points) {
    if (errors.length >= maxErrors) break
    const wrong = (Field: string, Reason: string) => errors.push({ Row: p.Row, ParaName: p.ParaName.slice(0, 50), Field, Reason })
    const before = errors.length
    for (const { name, check } of columns)
      if (name in p && !check.Check(p[name])) wrong(name, check.Errors(p[name])[0]?.message ?? 'not allowed')
    if (errors.length > before) continue
    for (const [field, reason] of rowFaults(p)) wrong(field, reason)
    const device = devices.get(p.DeviceId)
    if (!device) {
      wrong('DeviceId', `there is no device ${p.DeviceId}`)
      continue
    }
    if (earlier(byKey, `id/${p.Id}`, p)) wrong('Id', `${p.Id} stands twice`)
    const named = earlier(byKey, `name/${p.DeviceId}/${p.ParaName}`, p)
    if (named) wrong('ParaName', `row ${named.Row} has the same name`)
    const bus = `${device.CommType}/${device.ChannelId}`
    const placed = earlier(byKey, `place/${bus}/${placeOf(protocols.get(bus) ?? 0, p)}`, p)
    if (placed) wrong('Address', `row ${placed.Row} (${placed.ParaName}) has the same address`)
  }
  return errors
}

/** The type of this gateway in the catalogue of settings. */
const softGateway = 1
const settingVerdict = (settings: GatewaySettings = {}): Verdict | undefined => {
  for (const [name, value] of Object.entries(settings)) {
    const setting = settingOf(name)
    if (!setting?.types.includes(softGateway)) return { Code: 15, Msg: `this gateway has no setting ${name}` }
    if (settingValue(setting, value) !== value) return { Code: 15, Msg: `${name} must not be ${JSON.stringify(value).slice(0, 60)}` }
  }
}

/** All or nothing: undefined when every row can run (result codes 9, 10, 13, 14, 15; domain of the specification, section 8). */
export const check = (table: Table): Verdict | undefined => {
  const first = settingVerdict(table.Settings) ?? channelVerdict(table.Channels)
  if (first) return first
  const channels = new Set(table.Channels.map((c) => `${c.CommType}/${c.Id}`))
  if (channels.size < table.Channels.length) return { Code: 15, Msg: 'two channels have one Id' }
  for (const d of table.Devices)
    if (!channels.has(`${d.CommType}/${d.ChannelId}`))
      return { Code: 9, Msg: `device "${d.DeviceName}": its channel ${d.ChannelId} does not exist` }
  if (new Set(table.Devices.map((d) => d.Id)).size < table.Devices.length) return { Code: 15, Msg: 'two devices have one Id' }
  const Detail = pointErrors(table)
  if (Detail.length) return { Code: 10, Msg: 'point parameter error', Detail: Detail.slice(0, maxErrors) }
}
