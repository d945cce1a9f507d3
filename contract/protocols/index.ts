// Every protocol of a channel by its number (ruling 46).
import { bacnet } from './bacnet.ts'
import { httpSource } from './http-source.ts'
import { iec104 } from './iec104.ts'
import { cjt188, dlt645, dlt645Old } from './meters.ts'
import { modbusAscii, modbusRtu, modbusTcp } from './modbus.ts'
import { mqttSource } from './mqtt-source.ts'
import { opcua } from './opcua.ts'
import type { Protocol, Row, RowFault, Target } from './protocol.ts'
import { s7 } from './s7.ts'
import { snmp } from './snmp.ts'
import { described, plugin } from './sources.ts'

export const protocols: readonly Protocol[] = [
  ...[modbusTcp, modbusRtu, modbusAscii, dlt645, dlt645Old, cjt188, iec104, opcua, s7, mqttSource, bacnet, snmp, httpSource],
  ...[described, plugin],
]
const byNumber = new Map(protocols.map((p) => [p.number, p]))
export const protocolOf = (number: number): Protocol | undefined => byNumber.get(number)

export const [dials, dialled] = [0, 1] as const
/** A channel as the pre-check and gateways see it; `CommType` 1 is serial. */
export type ChannelTarget = { CommType: number; ProtocolType: number; Mode?: number | undefined }
export const targetOf = ({ CommType, Mode = dials }: ChannelTarget): Target =>
  CommType === 1 ? 'serial' : Mode === dialled ? 'dialled' : 'dials'
/** What a gateway must say to be given such a channel: nothing, for what older ones have too. Undefined where there is no such channel. */
export const capabilityOf = (channel: ChannelTarget): string | undefined => protocolOf(channel.ProtocolType)?.targets[targetOf(channel)]

/** Protocol numbers of network channels, and of serial ones. */
export const netProtocols = protocols.filter(({ targets: t }) => t.dials || t.dialled).map((p) => p.number)
export const serialProtocols = protocols.filter(({ targets }) => targets.serial).map((p) => p.number)

/** What a point without a channel is judged by. */
const usual = modbusTcp

/** Where an address is wrong, counted from 0; undefined for one of the protocol. */
export const addressFault = (protocol: number, address: string): { at: number; example: string } | undefined => {
  const { parse, example } = protocolOf(protocol) ?? usual
  const parsed = parse(address)
  return 'at' in parsed ? { at: parsed.at, example } : undefined
}
export const rowFaults = (protocol: number, row: Row): RowFault[] => (protocolOf(protocol) ?? usual).faults(row)

/** The columns that locate a value. */
export type Place = { SlaveNumber?: unknown; RegisterType?: unknown; Address?: unknown }
/**
 * A canonical key of an address on a bus: rows with equal keys read the same value. `unit` tells devices apart where they have no unit
 * ID. The server's pre-check, the gateway's own check, sheets and models all use it.
 */
export const placeOf = (protocol: number, { SlaveNumber, RegisterType, Address }: Place, unit = ''): string => {
  const { unused, parse } = protocolOf(protocol) ?? usual
  const parsed = parse(String(Address ?? ''))
  return [
    unused.includes('SlaveNumber') ? unit : SlaveNumber,
    ...(unused.includes('RegisterType') ? [] : [RegisterType]),
    'at' in parsed ? `?${Address}` : parsed.key,
  ].join('/')
}
