import { type Static, Type } from 'typebox'
import { AnyObject, ById, call, page, Removed } from '../../../contract/call.ts'
import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { mostIdentity } from '../../../contract/protocols/dialled.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { foreignLanguages } from '../gateways/contract.ts'

const permission = 'm10501'
/** Encoding of a registration. */
export const [inText, inHex] = [1, 2] as const
const address = '(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])'
export const unitsPattern = `^${address}(?: *, *${address}){0,15}$`

/**
 * The entry point of a foreign sender: its protocol and its token. The sender is a gateway of type 2. The token is shown once and has no
 * field; only its hash is stored.
 */
export const networkComponent = resource('networkComponent', {
  path: '/Protocol/NetworkComponents',
  permission,
  title: 'ComponentName',
  owner: 'GatewayId',
  order: 'ComponentName',
  differs: { create: 'It comes with its gateway, in a project.' },
  // `create` also creates its gateway.
  wire: { create: [] },
  acts: {
    start: { button: 'start', set: { Status: 1 }, when: { Status: [0] } },
    /** Disconnects the sender and refuses its messages. */
    stop: { button: 'start', set: { Status: 0 }, when: { Status: [1] }, danger: true },
    /** Creates a new token; the old one stops working immediately. */
    resetKey: { button: 'resetKey', danger: true, when: { Language: [1, 2, 3, 4, 5] }, adds: { Token: Type.String() } },
    /** Replaces the token with a secret for signing HTTP messages. The token is revoked immediately. */
    sign: { button: 'resetKey', danger: true, when: { Language: [2] }, adds: { Secret: Type.String() } },
  },
  fields: {
    ComponentName: text({ required: true, unique: true, search: true }),
    Language: choice(foreignLanguages, { required: true, set: 'never', search: true, default: 1 }),
    GatewayId: ref('gateway', { required: true, set: 'never' }),
    /** 0 stopped, 1 running. */
    Status: choice([0, 1], { required: true, set: 'never', search: true, default: 1 }),
    /** Topic level that names the device of a message, counted from 1; JSON only. */
    DeviceLevel: number({ integer: true, min: 1, max: 16 }),
    /** Authentication: 0 token or registration, 1 signature. */
    Signed: choice([0, 1], { required: true, set: 'never', default: 0 }),
    /** HJ 212 only: the MN of the station. */
    MN: text({ set: 'never', search: true, max: 24 }),
    /** The transport of its port, as `PENSTOCK_UPLINK_PORTS` allows; 2 is UDP. */
    Transport: choice([1, 2], { set: 'never' }),
    Port: number({ integer: true, min: 1, max: 65_535 }),
    /** Allowed networks: `10.1.0.0/16, 10.2.3.4`. Empty allows all networks; UDP requires some. */
    Networks: long({ max: 500 }),
    /** Described protocols: the protocol, and the registration packet as text or hex. */
    SelfParseId: ref('selfParse'),
    RegistrationForm: choice([inText, inHex], { set: 'never' }),
    Registration: text({ set: 'never', search: true, max: mostIdentity * 2 }),
    /** Heartbeat bytes, which are removed from the stream; encoded like the registration. */
    Heartbeat: text({ max: mostIdentity * 2 }),
    /** After three periods without a byte the device is offline, and another connection may replace it. */
    HeartbeatPeriod: number({ integer: true, min: 5, max: 86_400, unit: 's' }),
    /** Polling interval. */
    AskPeriod: number({ integer: true, min: 1, max: 86_400, unit: 's' }),
    /** Unit IDs on its bus: `1, 2, 17`. */
    Units: text({ max: 120, pattern: unitsPattern }),
    /** The edge node of the token; Sparkplug only. */
    SparkplugGroup: text({ set: 'never', max: 100 }),
    SparkplugNode: text({ set: 'never', max: 100 }),
    Remark: long(),
  },
})
export type NetworkComponent = Row<typeof networkComponent>

const Text = Type.String()
const Nullable = Type.Union([Type.Number(), Type.Null()])
const made = Type.Object({ ...schemas(networkComponent).row.properties, Token: Text })
/** A sender may bring an existing token. */
const Token = Type.String({ minLength: 16, maxLength: 100, pattern: '^[\\w.~-]+$' })
/** A level of a topic. */
export const levelPattern = '^[^/+#\\p{Cc}]*$'
const Level = Type.Union([Type.String({ maxLength: 100, pattern: levelPattern }), Type.Null()])

/** The PW of HJ 212. */
const Password = Type.String({ pattern: '^[0-9A-Za-z]{4,32}$' })
/** The port is no longer in the settings, or another program uses it. */
export const portFaults = ['notAllowed', 'notOpen'] as const
export type PortFault = (typeof portFaults)[number]
const Transport = Type.Union([Type.Literal(1), Type.Literal(2)])
/** The language with edge nodes, and the languages whose senders connect to a port of this server. */
export const [sparkplug, hj212, described] = [4, 5, 6]
export const dialling: readonly number[] = [hj212, described]
/** Minimum length of a registration, bytes: shorter ones collide too easily. */
export const leastRegistration = 6

const Identity = Type.Union([Type.String({ maxLength: mostIdentity * 2 }), Type.Null()])
/** Settings of a described protocol. */
const talk = {
  SelfParseId: Type.Optional(Id),
  RegistrationForm: Type.Optional(Type.Union([Type.Literal(inText), Type.Literal(inHex)])),
  ...{ Registration: Type.Optional(Identity), Heartbeat: Type.Optional(Identity) },
  HeartbeatPeriod: Type.Optional(Type.Integer({ minimum: 5, maximum: 86_400 })),
  AskPeriod: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  Units: Type.Optional(Type.String({ maxLength: 120, pattern: unitsPattern })),
}

/** Counts since the server's start. */
const State = Type.Object({
  Id,
  Connections: Type.Integer(),
  Messages: Type.Integer(),
  Readings: Type.Integer(),
  /** Refused values and messages. */
  Rejected: Type.Integer(),
  /** Values without a point. */
  Unmatched: Type.Integer(),
  /** Distinct keys among them. */
  Seen: Type.Integer(),
  /** Epoch ms of the last message. */
  LastMessage: Nullable,
  /** Reason of the last refusal. */
  LastFault: Type.Union([Text, Type.Null()]),
  /** HJ 212: why its port is not open, and unknown callers on it. */
  PortFault: Type.Unsafe<PortFault | null>({ enum: [...portFaults, null] }),
  Strangers: Type.Integer(),
})
export type DoorState = Static<typeof State>

const Seen = Type.Object({
  ...{ Device: Text, Key: Text, Count: Type.Integer(), PerMinute: Type.Number(), LastTime: Type.Number() },
  /** As received; null if it is not a number. */
  LastValue: Nullable,
})
export type SeenKey = Static<typeof Seen>
/** Maximum remembered keys without a point per sender. */
export const mostSeen = 1000
const SeenName = Type.Object({ Device: Type.String({ maxLength: 200 }), Key: Type.String({ maxLength: 200 }) })

/** One of a sender's last messages. Payload: hex if it is not text. */
const Message = Type.Object({
  ...{ Id: Type.Integer(), Time: Type.Number(), Topic: Text, Payload: Text, IsHex: Type.Integer(), Readings: Type.Integer() },
})
export type DoorMessage = Static<typeof Message>
export const [keptMessages, keptPayload] = [50, 16_384]

/** Age limit of refused messages for a replay, hours. */
export const replayedHours = 24

export const componentCalls = {
  /** Creates an entry point with its gateway. Only this answer contains the token. */
  create: call({
    ...{ method: 'POST', path: networkComponent.path, permission: `${permission}.add` },
    body: Type.Object({
      ComponentName: Type.String({ minLength: 1, maxLength: 50 }),
      Language: Type.Unsafe<(typeof foreignLanguages)[number]>(Type.Union(foreignLanguages.map((one) => Type.Literal(one)))),
      ProjectId: Id,
      DeviceLevel: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 16 }), Type.Null()])),
      /** Both for Sparkplug, which requires them. */
      SparkplugGroup: Type.Optional(Level),
      SparkplugNode: Type.Optional(Level),
      Remark: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
      Token: Type.Optional(Token),
      ...{ MN: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{14,24}$' })), Password: Type.Optional(Password) },
      ...{ Transport: Type.Optional(Transport), Port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })) },
      Networks: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
      ...talk,
    }),
    answer: made,
  }),
  removeMany: call({
    ...{ method: 'DELETE', path: '/Protocol/BatchNetworkComponents', permission: `${permission}.remove` },
    ...{ query: AnyObject, answer: Removed },
  }),
  /** What the caller's senders have sent. */
  states: call({
    ...{ method: 'GET', path: `${networkComponent.path}/StateList`, permission },
    query: Type.Object({ Id: Type.Optional(Id) }),
    answer: Type.Array(State),
  }),
  /** The connection data for a sender. */
  connect: call({
    ...{ method: 'GET', path: `${networkComponent.path}/Connect`, permission, query: ById },
    /** MqttPort is null with an external broker, which does not identify the sender of a message. SN is part of the URL of signed messages. */
    answer: Type.Object({ Host: Text, MqttPort: Type.Union([Type.Integer(), Type.Null()]), Tls: Type.Integer(), SN: Text }),
  }),
  /** Ports that the operator opens for senders that connect. */
  ports: call({
    ...{ method: 'GET', path: `${networkComponent.path}/PortList`, permission },
    answer: Type.Array(Type.Object({ Port: Type.Integer(), Transport })),
  }),
  /** Received keys without a point, most frequent first. */
  seen: call({
    ...{ method: 'GET', path: `${networkComponent.path}/SeenList`, permission },
    query: Type.Object({ ...ById.properties, PageIndex: Type.Optional(Type.Integer()), PageSize: Type.Optional(Type.Integer()) }),
    answer: Type.Object({ ...page(Seen).properties, Items: Type.Array(Seen) }),
  }),
  /** Creates devices and points for received keys, all or none; for all received keys if none are named. */
  adopt: call({
    ...{ method: 'POST', path: `${networkComponent.path}/Adopt`, permission: 'm10104.add' },
    body: Type.Object({ Id, Items: Type.Optional(Type.Array(SeenName, { minItems: 1, maxItems: mostSeen })) }, { 'x-bytes': 1024 * 1024 }),
    answer: Type.Object({ Devices: Type.Integer(), Points: Type.Integer() }),
  }),
  /**
   * Sends refused messages through the present parser, into history: latest values and alarms do not change. `Left`: messages that it
   * cannot parse either, or whose values have no point; `More`: others remain for the next call.
   */
  replay: call({
    ...{ method: 'POST', path: `${networkComponent.path}/Replay`, permission: `${permission}.replay` },
    body: Type.Object({ Id, Hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24 * 31 })) }),
    answer: Type.Object({ Messages: Type.Integer(), Readings: Type.Integer(), Left: Type.Integer(), More: Type.Integer() }),
  }),
  /** The last messages of a sender, newest first. */
  messages: call({
    ...{ method: 'GET', path: `${networkComponent.path}/MessageList`, permission },
    query: ById,
    answer: Type.Array(Message),
  }),
}
