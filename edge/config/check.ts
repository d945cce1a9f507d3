import { Compile } from 'typebox/compile'
import { descriptionFaults } from '../../contract/described/description.ts'
import { canonical } from '../../contract/gateway-config.ts'
import type { RowError } from '../../contract/gateway-protocol.ts'
import { type GatewaySettings, settingOf, settingValue } from '../../contract/gateway-settings.ts'
import { columnFields } from '../../contract/point-fields.ts'
import { channelFields, dialledPlace, togetherFaults } from '../../contract/protocols/dialled.ts'
import { placeOf, protocolOf, rowFaults, targetOf } from '../../contract/protocols/index.ts'
import { settingFaults } from '../../contract/protocols/settings.ts'
import { described as describedProtocol } from '../../contract/protocols/sources.ts'
import { valueSchema } from '../../contract/resource.ts'
import type { ChannelRow, DeviceRow, PointRow } from '../drivers/driver.ts'
import { missingDriver } from '../drivers/index.ts'

export type Table = { Channels: ChannelRow[]; Devices: DeviceRow[]; Points: PointRow[]; Settings?: GatewaySettings }
/** Result code of the specification, and the wrong rows. */
export type Verdict = { Code: number; Msg: string; Detail?: RowError[] }

/** Maximum rows in an answer, so that it fits into a message. */
const maxErrors = 500

const columns = Object.entries(columnFields).map(([name, field]) => ({
  name: name as keyof PointRow,
  check: Compile(valueSchema(field)),
}))

/** Identity of a channel's line, which two channels must not share. */
const lineOf = (c: ChannelRow): string | undefined => {
  const protocol = protocolOf(c.ProtocolType)!
  if (targetOf(c) === 'dialled') return dialledPlace(c.Port, c.Settings)
  if (protocol.isShared || targetOf(c) !== 'dials') return undefined
  return [`${c.Ip}:${c.Port}`, ...(protocol.apart ?? []).map((name) => c.Settings?.[name] ?? '')].join(' ')
}

/** The fault of a missing or wrong description. */
const describedFault = ({ ProtocolType, Description }: ChannelRow): string | undefined => {
  if (ProtocolType !== describedProtocol.number) return undefined
  if (!Description) return 'its protocol is not described'
  const [fault] = descriptionFaults(Description)
  return fault && `${fault.field} ${fault.rule}`
}

const channelVerdict = (channels: readonly ChannelRow[]): Verdict | undefined => {
  const lines = new Map<string, number>()
  const ports = new Map<string, { Id: number; setting: string }>()
  for (const c of channels) {
    const missing = missingDriver(c)
    // Older gateways answer these codes, too.
    const Code = c.CommType === 1 || !protocolOf(c.ProtocolType) ? 9 : 3
    if (missing) return { Code, Msg: `channel ${c.Id}: this gateway has no ${missing}` }
    const protocol = protocolOf(c.ProtocolType)!
    const { port } = protocol
    if (targetOf(c) === 'dials' && port && (!c.Ip || !c.Port || c.Port < 1 || c.Port > 65535))
      return { Code: 13, Msg: `channel ${c.Id} has no address and port` }
    if (targetOf(c) === 'dialled' && (!c.Port || c.Port < 1 || c.Port > 65535))
      return { Code: 13, Msg: `channel ${c.Id} has no port to listen on` }
    if (c.CommType === 1 && !c.SerialPort) return { Code: 9, Msg: `channel ${c.Id} has no serial port` }
    const setting = [c.BaudRate, c.DataBits, c.StopBits, c.Parity].join()
    const used = c.CommType === 1 ? ports.get(c.SerialPort!) : undefined
    if (used && used.setting !== setting)
      return { Code: 11, Msg: `channels ${used.Id} and ${c.Id} use ${c.SerialPort} with other settings` }
    if (c.CommType === 1) ports.set(c.SerialPort!, { Id: c.Id, setting })
    if (c.InterFrameMs < 0 || c.RetryCount < 0 || c.RetryCount > 10)
      return { Code: 15, Msg: `channel ${c.Id}: InterFrameMs must be from 0, RetryCount 0 to 10` }
    const described = describedFault(c)
    if (described) return { Code: 15, Msg: `channel ${c.Id}: ${described}` }
    const [wrong] = [
      ...settingFaults(channelFields(protocol, targetOf(c)), c.Settings),
      ...togetherFaults(protocol, targetOf(c), c.Settings),
    ]
    if (wrong) return { Code: 15, Msg: `channel ${c.Id}: ${wrong.name} ${wrong.rule}` }
    const line = lineOf(c)
    const other = line === undefined ? undefined : lines.get(line)
    if (other !== undefined) return { Code: 14, Msg: `channels ${other} and ${c.Id} both connect to ${line}` }
    if (line !== undefined) lines.set(line, c.Id)
  }
}

/** Texts of faults, in English, by the keys of the server's words. */
const reasons: Record<string, (values: Record<string, string | number>) => string> = {
  addressForm: ({ at, example }) => `not an address from character ${at} on; one is ${example}`,
  coilHoldsBool: () => 'coils and discrete inputs hold Bool',
  coilHasNoBits: () => 'a coil or discrete input has no bits',
  boolNeedsBit: () => 'a Bool in a register needs its bit, such as 100.3',
  bitMissing: () => 'a Bool needs its bit, such as DB10.DBX0.3',
  onlyBoolHasBit: () => 'only a Bool has a bit',
  bitHoldsBool: () => 'a bit holds Bool',
  sizeDiffers: ({ bytes }) => `the data type does not have ${bytes} bytes`,
  addressTooHigh: ({ last }) => `${last} > 65535`,
  notWritableRegister: () => 'only coils and holding registers can be written',
  inputNotWritable: () => 'inputs cannot be written',
  meterReadOnly: () => 'this value of the meter can only be read',
  meterWriteOnly: () => 'the valve is only written',
  protocolReadOnly: () => 'values of this protocol are only read',
}

/** Returns the first row with the key; stores this one if there is none. */
const earlier = (byKey: Map<string, PointRow>, key: string, p: PointRow) => {
  const first = byKey.get(key)
  if (!first) byKey.set(key, p)
  return first
}

const pointErrors = ({ Channels, Devices, Points }: Table): RowError[] => {
  const errors: RowError[] = []
  const devices = new Map(Devices.map((d) => [d.Id, d]))
  const protocols = new Map(Channels.map((c) => [`${c.CommType}/${c.Id}`, c.ProtocolType]))
  const units = new Map(Devices.map((d) => [d.Id, canonical(d.Settings ?? {})]))
  const byKey = new Map<string, PointRow>()
  for (const p of Points) {
    if (errors.length >= maxErrors) break
    const wrong = (Field: string, Reason: string) => errors.push({ Row: p.Row, ParaName: p.ParaName.slice(0, 50), Field, Reason })
    const before = errors.length
    for (const { name, check } of columns)
      if (name in p && !check.Check(p[name])) wrong(name, check.Errors(p[name])[0]?.message ?? 'not allowed')
    if (errors.length > before) continue
    const device = devices.get(p.DeviceId)
    if (!device) {
      wrong('DeviceId', `there is no device ${p.DeviceId}`)
      continue
    }
    if (earlier(byKey, `id/${p.Id}`, p)) wrong('Id', `${p.Id} stands twice`)
    const named = earlier(byKey, `name/${p.DeviceId}/${p.ParaName}`, p)
    if (named) wrong('ParaName', `row ${named.Row} has the same name`)
    const bus = `${device.CommType}/${device.ChannelId}`
    const protocol = protocols.get(bus) ?? 0
    for (const [field, reason, values = {}] of rowFaults(protocol, p)) wrong(field, reasons[reason]?.(values) ?? reason)
    const placed = earlier(byKey, `place/${bus}/${placeOf(protocol, p, units.get(device.Id))}`, p)
    if (placed) wrong('Address', `row ${placed.Row} (${placed.ParaName}) has the same address`)
  }
  return errors
}

/** Type of this gateway in the settings catalogue. */
const softGateway = 1
const settingVerdict = (settings: GatewaySettings = {}): Verdict | undefined => {
  for (const [name, value] of Object.entries(settings)) {
    const setting = settingOf(name)
    if (!setting?.types.includes(softGateway)) return { Code: 15, Msg: `this gateway has no setting ${name}` }
    if (settingValue(setting, value) !== value) return { Code: 15, Msg: `${name} must not be ${JSON.stringify(value).slice(0, 60)}` }
  }
}

/** All or nothing: undefined if every row is valid (result codes 9, 10, 13, 14, 15; domain of the specification, section 8). */
export const check = (table: Table): Verdict | undefined => {
  const first = settingVerdict(table.Settings) ?? channelVerdict(table.Channels)
  if (first) return first
  const channels = new Set(table.Channels.map((c) => `${c.CommType}/${c.Id}`))
  if (channels.size < table.Channels.length) return { Code: 15, Msg: 'two channels have one Id' }
  for (const d of table.Devices)
    if (!channels.has(`${d.CommType}/${d.ChannelId}`))
      return { Code: 9, Msg: `device "${d.DeviceName}": its channel ${d.ChannelId} does not exist` }
  if (new Set(table.Devices.map((d) => d.Id)).size < table.Devices.length) return { Code: 15, Msg: 'two devices have one Id' }
  const protocols = new Map(table.Channels.map((c) => [`${c.CommType}/${c.Id}`, protocolOf(c.ProtocolType)!]))
  for (const d of table.Devices) {
    const [wrong] = settingFaults(protocols.get(`${d.CommType}/${d.ChannelId}`)!.device, d.Settings)
    if (wrong) return { Code: 15, Msg: `device "${d.DeviceName}": ${wrong.name} ${wrong.rule}` }
  }
  const Detail = pointErrors(table)
  if (Detail.length) return { Code: 10, Msg: 'point parameter error', Detail: Detail.slice(0, maxErrors) }
}
