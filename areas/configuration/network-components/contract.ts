import { type Static, Type } from 'typebox'
import { AnyObject, ById, call, page, Removed } from '../../../contract/call.ts'
import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { mostIdentity } from '../../../contract/protocols/dialled.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { foreignLanguages } from '../gateways/contract.ts'

const permission = 'm10501'
/** How a registration is written. */
export const [inText, inHex] = [1, 2] as const
const address = '(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])'
export const unitsPattern = `^${address}(?: *, *${address}){0,15}$`

/**
 * A door for a foreign sender: its language and its token. The sender is a gateway of type 2. The token is shown once and has no field; it
 * is stored as a hash.
 */
export const networkComponent = resource('networkComponent', {
  path: '/Protocol/NetworkComponents',
  permission,
  title: 'ComponentName',
  owner: 'GatewayId',
  order: 'ComponentName',
  differs: { create: 'It comes with its gateway, in a project.' },
  // `create` makes its gateway as well.
  wire: { create: [] },
  acts: {
    start: { button: 'start', set: { Status: 1 }, when: { Status: [0] } },
    /** Its sender is cut off, and what it sends is refused. */
    stop: { button: 'start', set: { Status: 0 }, when: { Status: [1] }, danger: true },
    /** A new token; the old one opens nothing from this call on. */
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
    /** The level of the topic that names the device of a message, the first is 1; of JSON alone. */
    DeviceLevel: number({ integer: true, min: 1, max: 16 }),
    /** Authentication: 0 token or registration, 1 signature. */
    Signed: choice([0, 1], { required: true, set: 'never', default: 0 }),
    /** Of HJ 212 alone: who it says it is. */
    MN: text({ set: 'never', search: true, max: 24 }),
    /** Where it is listened to, as `PENSTOCK_UPLINK_PORTS` allows; UDP is 2. */
    Transport: choice([1, 2], { set: 'never' }),
    Port: number({ integer: true, min: 1, max: 65_535 }),
    /** Where it comes from: `10.1.0.0/16, 10.2.3.4`. Without it, from anywhere; over UDP never. */
    Networks: long({ max: 500 }),
    /** Described protocols: the protocol, and the registration packet as text or hex. */
    SelfParseId: ref('selfParse'),
    RegistrationForm: choice([inText, inHex], { set: 'never' }),
    Registration: text({ set: 'never', search: true, max: mostIdentity * 2 }),
    /** Taken out wherever it comes; written as the registration is. */
    Heartbeat: text({ max: mostIdentity * 2 }),
    /** After three of them without a byte it is offline, and another connection may take its place. */
    HeartbeatPeriod: number({ integer: true, min: 5, max: 86_400, unit: 's' }),
    /** Polling interval. */
    AskPeriod: number({ integer: true, min: 1, max: 86_400, unit: 's' }),
    /** Addresses on its bus: `1, 2, 17`. */
    Units: text({ max: 120, pattern: unitsPattern }),
    /** The edge node that the token is for; of Sparkplug alone. */
    SparkplugGroup: text({ set: 'never', max: 100 }),
    SparkplugNode: text({ set: 'never', max: 100 }),
    Remark: long(),
  },
})
export type NetworkComponent = Row<typeof networkComponent>

const Text = Type.String()
const Nullable = Type.Union([Type.Number(), Type.Null()])
const made = Type.Object({ ...schemas(networkComponent).row.properties, Token: Text })
/** A sender may bring the token that it has. */
const Token = Type.String({ minLength: 16, maxLength: 100, pattern: '^[\\w.~-]+$' })
/** A level of a topic. */
export const levelPattern = '^[^/+#\\p{Cc}]*$'
const Level = Type.Union([Type.String({ maxLength: 100, pattern: levelPattern }), Type.Null()])

/** The PW of HJ 212. */
const Password = Type.String({ pattern: '^[0-9A-Za-z]{4,32}$' })
/** The settings no longer name it, or another program has it. */
export const portFaults = ['notAllowed', 'notOpen'] as const
export type PortFault = (typeof portFaults)[number]
const Transport = Type.Union([Type.Literal(1), Type.Literal(2)])
/** The language whose senders are edge nodes, and those whose senders dial a port of this server. */
export const [sparkplug, hj212, described] = [4, 5, 6]
export const dialling: readonly number[] = [hj212, described]
/** Minimum length of a registration, bytes: shorter ones collide too easily. */
export const leastRegistration = 6

const Identity = Type.Union([Type.String({ maxLength: mostIdentity * 2 }), Type.Null()])
/** Of a described protocol. */
const talk = {
  SelfParseId: Type.Optional(Id),
  RegistrationForm: Type.Optional(Type.Union([Type.Literal(inText), Type.Literal(inHex)])),
  ...{ Registration: Type.Optional(Identity), Heartbeat: Type.Optional(Identity) },
  HeartbeatPeriod: Type.Optional(Type.Integer({ minimum: 5, maximum: 86_400 })),
  AskPeriod: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  Units: Type.Optional(Type.String({ maxLength: 120, pattern: unitsPattern })),
}

/** Since the server's start. */
const State = Type.Object({
  Id,
  Connections: Type.Integer(),
  Messages: Type.Integer(),
  Readings: Type.Integer(),
  /** Values and messages that were refused. */
  Rejected: Type.Integer(),
  /** Values without a point. */
  Unmatched: Type.Integer(),
  /** Different keys among them. */
  Seen: Type.Integer(),
  /** Epoch ms of the last message. */
  LastMessage: Nullable,
  /** Why the last one that was refused was. */
  LastFault: Type.Union([Text, Type.Null()]),
  /** Of HJ 212: why its port is not open; callers on it that nobody knows. */
  PortFault: Type.Unsafe<PortFault | null>({ enum: [...portFaults, null] }),
  Strangers: Type.Integer(),
})
export type DoorState = Static<typeof State>

const Seen = Type.Object({
  ...{ Device: Text, Key: Text, Count: Type.Integer(), PerMinute: Type.Number(), LastTime: Type.Number() },
  /** As it came; null where it is no number. */
  LastValue: Nullable,
})
export type SeenKey = Static<typeof Seen>
/** Keys without a point that are remembered of a sender. */
export const mostSeen = 1000
const SeenName = Type.Object({ Device: Type.String({ maxLength: 200 }), Key: Type.String({ maxLength: 200 }) })

/** One of a sender's last messages. Payload: in hex if it is not text. */
const Message = Type.Object({
  ...{ Id: Type.Integer(), Time: Type.Number(), Topic: Text, Payload: Text, IsHex: Type.Integer(), Readings: Type.Integer() },
})
export type DoorMessage = Static<typeof Message>
export const [keptMessages, keptPayload] = [50, 16_384]

/** Hours of refused messages that are replayed. */
export const replayedHours = 24

export const componentCalls = {
  /** A door with the gateway that its sender is. The token is in the answer, and nowhere else, ever again. */
  create: call({
    ...{ method: 'POST', path: networkComponent.path, permission: `${permission}.add` },
    body: Type.Object({
      ComponentName: Type.String({ minLength: 1, maxLength: 50 }),
      Language: Type.Unsafe<(typeof foreignLanguages)[number]>(Type.Union(foreignLanguages.map((one) => Type.Literal(one)))),
      ProjectId: Id,
      DeviceLevel: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 16 }), Type.Null()])),
      /** Both of Sparkplug, which needs them. */
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
  /** What came through the doors that the caller sees. */
  states: call({
    ...{ method: 'GET', path: `${networkComponent.path}/StateList`, permission },
    query: Type.Object({ Id: Type.Optional(Id) }),
    answer: Type.Array(State),
  }),
  /** What its sender needs to know of this server. */
  connect: call({
    ...{ method: 'GET', path: `${networkComponent.path}/Connect`, permission, query: ById },
    /** MqttPort is null with an external broker, which does not tell who sent a message. SN is part of the URL of signed messages. */
    answer: Type.Object({ Host: Text, MqttPort: Type.Union([Type.Integer(), Type.Null()]), Tls: Type.Integer(), SN: Text }),
  }),
  /** Ports that the operator opens for senders that dial in. */
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
  /** Makes devices and points of keys that were seen, all or none; of all that were seen where none is named. */
  adopt: call({
    ...{ method: 'POST', path: `${networkComponent.path}/Adopt`, permission: 'm10104.add' },
    body: Type.Object({ Id, Items: Type.Optional(Type.Array(SeenName, { minItems: 1, maxItems: mostSeen })) }, { 'x-bytes': 1024 * 1024 }),
    answer: Type.Object({ Devices: Type.Integer(), Points: Type.Integer() }),
  }),
  /**
   * Sends messages that were refused through the present parser, into history: neither latest values nor alarms move. `Left`: those that it
   * does not read either, or whose values have no point; `More`: there are others, for the next call.
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
