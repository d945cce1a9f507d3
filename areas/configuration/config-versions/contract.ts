import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { instant, long, number, ref, text } from '../../../contract/field.ts'
import { Id, type Row, resource } from '../../../contract/resource.ts'

/** A configuration that a gateway accepted, with its push. The newest fifty and all labelled versions are retained. */
export const configVersion = resource('configVersion', {
  path: '/Project/Gateway/Version',
  permission: 'm10102',
  title: 'Version',
  owner: 'GatewayId',
  order: '-Version',
  wire: { create: [], remove: [] },
  fields: {
    GatewayId: ref('gateway', { required: true, set: 'never' }),
    Version: number({ integer: true, required: true, set: 'never' }),
    PushTime: instant({ required: true }),
    UserId: ref('user', { set: 'never' }),
    Devices: number({ integer: true, required: true, set: 'never' }),
    Points: number({ integer: true, required: true, set: 'never' }),
    /** A name for the version. Labelled versions are never dropped. */
    Label: text({ search: true }),
    Note: long({ search: true }),
  },
})

/** Resources that a configuration consists of, each with the fields that gateways receive. */
export const configTables = {
  gatewayPara: ['ParaCode', 'ParaValue'],
  netProtocol: ['ProtocolName', 'ProtocolType', 'Mode', 'Ip', 'Port', 'InterFrameMs', 'RetryCount', 'Settings', 'Secrets'],
  serialProtocol: [
    ...['ProtocolName', 'ProtocolType', 'SerialPort', 'BaudRate', 'DataBits', 'StopBits', 'Parity', 'InterFrameMs', 'RetryCount'],
    ...['Settings', 'Secrets'],
  ],
  device: ['DeviceName', 'CommType', 'NetProtocolId', 'SerialProtocolId', 'SlaveNumber', 'Settings'],
  point: [
    ...['ParaName', 'ReadWriteType', 'RegisterType', 'ParaDataType', 'Address', 'SlaveNumber', 'SampleLow', 'SampleHigh', 'ProjectLow'],
    ...['ProjectHigh', 'DecimalDigits', 'UploadMode', 'CollectPeriod', 'IntervalTime', 'Timeout', 'UploadPeriod', 'CollectType', 'IsCache'],
  ],
} as const
export type ConfigTable = keyof typeof configTables

/** Maximum rows in an answer. The counts include the others. */
export const listedDifferences = 1000

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()])
const Difference = Type.Object({
  Resource: Type.String(),
  Id,
  Title: Type.String(),
  /** The device of a point. */
  Of: Type.Union([Type.String(), Type.Null()]),
  Verb: Type.Union([Type.Literal('add'), Type.Literal('remove'), Type.Literal('change')]),
  Fields: Type.Array(Type.Object({ Field: Type.String(), Before: Value, After: Value })),
})
const Differences = Type.Object({
  /** Omitted for the current configuration. */
  From: Type.Union([Type.Integer(), Type.Null()]),
  To: Type.Union([Type.Integer(), Type.Null()]),
  Added: Type.Integer(),
  Removed: Type.Integer(),
  Changed: Type.Integer(),
  Rows: Type.Array(Difference),
})
export type ConfigDifferences = Static<typeof Differences>
export type ConfigVersion = Row<typeof configVersion>
const Version = Type.Integer({ minimum: 0, maximum: 0x7fffffff })

export const configVersionCalls = {
  /** Compares two versions. `From` defaults to the last accepted one, `To` to the current configuration. */
  compare: call({
    method: 'POST',
    path: `${configVersion.path}/Compare`,
    permission: 'm10102',
    reads: true,
    body: Type.Object({ GatewayId: Id, From: Type.Optional(Version), To: Type.Optional(Version) }),
    answer: Differences,
  }),
  /** Resets channels, devices and points to a version, by default the last accepted one. A preview changes nothing. */
  reset: call({
    method: 'POST',
    path: '/Project/Gateway/Reset',
    permission: 'm10102.resetConfig',
    body: Type.Object({ Id, ConfigVersion: Type.Optional(Version), Preview: Type.Optional(Type.Boolean()) }),
    answer: Differences,
  }),
}
