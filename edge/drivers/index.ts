// The drivers of this gateway. Each is loaded when the first channel needs it.
import { capabilityOf, protocolOf, targetOf } from '../../contract/protocols/index.ts'
import type { Target } from '../../contract/protocols/protocol.ts'
import type { ChannelRow, OpenDriver } from './driver.ts'

type Entry = { targets: readonly Target[]; load: () => Promise<{ default: OpenDriver }> }

/** By `ProtocolType`. A new driver adds a line here. */
const drivers = new Map<number, Entry>([
  [0, { targets: ['dials'], load: () => import('./modbus/driver.ts') }],
  [1, { targets: ['dials', 'dialled', 'serial'], load: () => import('./modbus/driver.ts') }],
  [2, { targets: ['dials', 'serial'], load: () => import('./modbus/driver.ts') }],
  [20, { targets: ['dials', 'dialled', 'serial'], load: () => import('./meters/dlt645.ts') }],
  [21, { targets: ['dials', 'dialled', 'serial'], load: () => import('./meters/dlt645.ts') }],
  [30, { targets: ['dials', 'dialled', 'serial'], load: () => import('./meters/cjt188.ts') }],
  [50, { targets: ['dials'], load: () => import('./iec104/driver.ts') }],
  [60, { targets: ['dials'], load: () => import('./opcua/driver.ts') }],
  [70, { targets: ['dials'], load: () => import('./s7/driver.ts') }],
  [80, { targets: ['dials'], load: () => import('./mqtt-source/driver.ts') }],
  [90, { targets: ['dials'], load: () => import('./bacnet/driver.ts') }],
  [100, { targets: ['dials'], load: () => import('./snmp/driver.ts') }],
  [110, { targets: ['dials'], load: () => import('./http-source/driver.ts') }],
  [200, { targets: ['dials', 'dialled', 'serial'], load: () => import('./described/driver.ts') }],
])

/** Capabilities that this gateway announces in its birth. */
export const driverCapabilities: readonly string[] = [...drivers].flatMap(([number, { targets }]) =>
  targets.flatMap((target) => protocolOf(number)?.targets[target] ?? []),
)

/** Reason for which a channel cannot run here; undefined if it can. */
export const missingDriver = (channel: ChannelRow): string | undefined => {
  const target = targetOf(channel)
  if (drivers.get(channel.ProtocolType)?.targets.includes(target)) return undefined
  return `protocol ${channel.ProtocolType} (${capabilityOf(channel) ?? `unknown, ${target}`})`
}

/** @throws Error for a protocol without a driver, which no applied configuration has */
export const loadDriver = async (number: number): Promise<OpenDriver> => {
  const entry = drivers.get(number)
  if (!entry) throw new Error(`protocol ${number} has no driver`)
  return (await entry.load()).default
}
