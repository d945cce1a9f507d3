import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, flag, json, number, ref, text } from '../../../contract/field.ts'
import { ChannelState, Thumbprint, traceSeconds, UnknownCaller } from '../../../contract/gateway-protocol.ts'
import { netProtocols, serialProtocols } from '../../../contract/protocols/index.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { whole } from '../../../contract/validators.ts'

/** Protocol settings besides the target (contract/protocols). Secrets are write-only. */
export const LineSettings = Type.Record(
  Type.String({ maxLength: 50 }),
  Type.Union([Type.String({ maxLength: 4000 }), Type.Number(), Type.Null()]),
  { maxProperties: 50 },
)
/** Names of the stored secrets, and their key in the vault. */
const Secrets = Type.Object({ Key: Type.String(), Names: Type.Array(Type.String()) })
const ofProtocol = {
  /** For a described protocol. */
  SelfParseId: ref('selfParse'),
  Settings: json({ schema: LineSettings }),
  Secrets: json({ set: 'never', schema: Secrets }),
}
/** A connection from a gateway to devices over the network. */
export const netProtocol = resource('netProtocol', {
  path: '/Project/Protocol/NetProtocol',
  permission: 'm10106',
  title: 'ProtocolName',
  owner: 'GatewayId',
  order: 'ProtocolName',
  sheets: 'in-out',
  fields: {
    ProtocolName: text({ required: true, unique: 'GatewayId', search: true }),
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    /** Protocol number (ruling 46). The birth announces which ones a gateway supports. */
    ProtocolType: choice(netProtocols, { required: true, default: 0 }),
    /** 0 the gateway dials, 1 the device dials and identifies itself. */
    Mode: choice([0, 1], { required: true, default: 0 }),
    Ip: text({ max: 64, validator: 'host' }),
    Port: number({ ...whole('port'), default: 502 }),
    ...ofProtocol,
    InterFrameMs: number({ required: true, integer: true, min: 0, max: 60000, unit: 'ms', default: 0 }),
    RetryCount: number({ required: true, integer: true, min: 0, max: 10, default: 3 }),
  },
})

/** A connection from a gateway to devices over a serial bus. */
export const serialProtocol = resource('serialProtocol', {
  path: '/Project/Protocol/SerialProtocol',
  permission: 'm10106',
  title: 'ProtocolName',
  owner: 'GatewayId',
  order: 'ProtocolName',
  sheets: 'in-out',
  fields: {
    ProtocolName: text({ required: true, unique: 'GatewayId', search: true }),
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    ProtocolType: choice(serialProtocols, { required: true, default: 1 }),
    /** Allows for names by-id, which are long. */
    SerialPort: text({ required: true, max: 190 }),
    ...ofProtocol,
    BaudRate: choice([1200, 1800, 2400, 4800, 7200, 9600, 14400, 19200, 38400, 57600, 115200, 128000, 187500], {
      required: true,
      default: 9600,
    }),
    DataBits: choice([7, 8], { required: true, default: 8 }),
    StopBits: choice([1, 2], { required: true, default: 1 }),
    /** 0 none, 1 odd, 2 even. */
    Parity: choice([0, 1, 2], { required: true, default: 0 }),
    InterFrameMs: number({ required: true, integer: true, min: 0, max: 60000, unit: 'ms', default: 0 }),
    RetryCount: number({ required: true, integer: true, min: 0, max: 10, default: 3 }),
  },
})

/** Policy of a company for its channels. */
export const protocolPolicy = settings('protocolPolicy', {
  path: '/Project/Protocol/Policy',
  per: 'tenant',
  permission: 'm10106',
  fields: {
    /** Allows channel secrets to be sent to gateways over a line that others can read. */
    SecretsInTheOpen: flag({ default: 0 }),
  },
})

const Choice = Type.Object({
  ProtocolType: Type.Integer(),
  Name: Type.String(),
  /** 0 network, 1 serial. */
  CommType: Type.Integer(),
  /** 0 the gateway dials, 1 the device dials. */
  Mode: Type.Integer(),
  /** Default port; null if the settings contain the target. */
  Port: Type.Union([Type.Integer(), Type.Null()]),
  Example: Type.String(),
  Polls: Type.Integer(),
  Listens: Type.Integer(),
  Settings: Type.Array(Type.String()),
  DeviceSettings: Type.Array(Type.String()),
  /** Columns of a point that the protocol does not use. */
  Unused: Type.Array(Type.String()),
})
const Flag = Type.Union([Type.Literal(0), Type.Literal(1)])
/** An object of a device: a node to browse, or a value with a point address. */
export const Node = Type.Object(
  {
    Id: Type.String({ maxLength: 500 }),
    Name: Type.String({ maxLength: 200 }),
    HasMore: Flag,
    Address: Type.Optional(Type.String({ maxLength: 250 })),
    Unit: Type.Optional(Type.String({ maxLength: 20 })),
    IsWritable: Type.Optional(Flag),
  },
  { additionalProperties: false },
)
export type Node = Static<typeof Node>
const Outcome = { Code: Type.Integer(), Msg: Type.String() }
/** Either kind of channel. */
const OfChannel = { NetProtocolId: Type.Optional(Id), SerialProtocolId: Type.Optional(Id) }

export const protocolCalls = {
  /** Browses a device through its gateway: the root, or the children of a node. */
  browse: call({
    method: 'POST',
    path: '/Project/Protocol/Browse',
    permission: 'm10106.browse',
    body: Type.Object({ ...OfChannel, Below: Type.Optional(Type.String({ maxLength: 500 })) }),
    /** `Total` may exceed the number of nodes. */
    answer: Type.Object({ ...Outcome, Nodes: Type.Array(Node), Total: Type.Integer() }),
  }),
  /** Lets a gateway send the frames of a channel for the given number of seconds; 0 ends the trace. */
  trace: call({
    method: 'POST',
    path: '/Project/Protocol/Trace',
    permission: 'm10106.trace',
    body: Type.Object({ ...OfChannel, Seconds: Type.Integer({ minimum: 0, maximum: traceSeconds }) }),
    answer: Type.Object(Outcome),
  }),
  /** Trusts the server certificate that a channel received. */
  trust: call({
    method: 'POST',
    path: '/Project/Protocol/Trust',
    permission: 'm10106.trust',
    body: Type.Object({ NetProtocolId: Id, Thumbprint }),
    answer: Type.Object(Outcome),
  }),
  /** Live state of a gateway's channels, and unknown callers. Queries the gateway. */
  states: call({
    method: 'GET',
    path: '/Project/Protocol/ChannelState',
    permission: 'm10106',
    query: Type.Object({ GatewayId: Id }),
    answer: Type.Object({ ...Outcome, Channels: Type.Array(ChannelState), Callers: Type.Array(UnknownCaller) }),
  }),
  /** The newest frames, or those after a number; `Left`: remaining seconds of the trace. */
  frames: call({
    method: 'GET',
    path: '/Project/Protocol/TraceFrames',
    permission: 'm10106.trace',
    query: Type.Object({ ...OfChannel, After: Type.Optional(Type.Integer({ minimum: 0 })) }),
    answer: Type.Object({
      ...{ Left: Type.Integer(), Missed: Type.Integer() },
      Frames: Type.Array(Type.Object({ N: Type.Integer(), T: Type.Integer(), Sent: Flag, Hex: Type.String(), Meaning: Type.String() })),
    }),
  }),
  /** Protocols that this gateway supports. A gateway without announced capabilities supports the base protocol. */
  select: call({
    method: 'GET',
    path: '/V2/Project/Protocol/SelectList',
    permission: 'm10106',
    query: Type.Object({ GatewayId: Id }),
    answer: Type.Array(Choice),
  }),
  /** All protocols. */
  types: call({ method: 'GET', path: '/V2/Project/Protocol/TypeList', permission: 'm10106', answer: Type.Array(Choice) }),
}
