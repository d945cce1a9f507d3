// What gateways and server say to each other: JSON over MQTT, QoS 1. docs/gateway-protocol.md is its manual.
// Unknown fields are refused by name (ruling 9).
import { type Static, type TSchema, Type } from 'typebox'
import { Frame, Requests } from './described/description.ts'

const strict = { additionalProperties: false }
const Text = Type.String({ maxLength: 200 })
const Optional = { text: Type.Optional(Text), number: Type.Optional(Type.Number()), integer: Type.Optional(Type.Integer()) }
const Ts = Type.Integer({ minimum: 0 })

/** Size of a message at most, bytes; the broker cuts connections that send more (findings 19). */
export const maxMessageBytes = 256 * 1024
/** Parts of a config push are cut at this size of their JSON. */
export const maxConfigPartBytes = 200 * 1024

/** `iot/v1/{SN}/up/{kind}` and `iot/v1/{SN}/down/{kind}`. */
export const topic = (sn: string, direction: 'up' | 'down', kind: string) => `iot/v1/${sn}/${direction}/${kind}`

/** Around every message; a reply repeats the MsgId. */
const message = <D extends TSchema>(data: D) =>
  Type.Object({ MsgId: Type.String({ minLength: 1, maxLength: 64 }), Ts, Ver: Type.Optional(Type.Integer()), Data: data }, strict)

/** Most frames kept per traced channel, and the longest trace in seconds. */
export const traceFrames = 200
export const traceSeconds = 600
/** Capabilities in a gateway's birth message other than its protocols. */
export const [browseCapability, traceCapability, trustCapability, channelsCapability] = ['browse', 'trace', 'trust', 'channels'] as const
/** Objects that one answer to `browse` has, at most. */
export const browseNodes = 500
/** Channels, and unknown callers, that one answer to `channels` has, at most. */
export const [statedChannels, statedCallers] = [500, 100]
const channelOf = { CommType: Type.Union([Type.Literal(0), Type.Literal(1)]), ChannelId: Type.Integer() }

/** SHA-1 of a certificate, in upper-case hex. */
export const Thumbprint = Type.String({ pattern: '^[0-9A-F]{40}$' })
/** How a channel does. Counts are of the last minute, of what it asked or what came by itself. */
export const ChannelState = Type.Object(
  {
    ...channelOf,
    /** 0 not yet tried, 1 connected, 2 without a connection. */
    State: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
    Since: Ts,
    /** The last failure. */
    Why: Optional.text,
    /** The certificate of its server, which nobody has trusted yet. */
    Thumbprint: Type.Optional(Thumbprint),
    Asked: Type.Integer({ minimum: 0 }),
    Failed: Type.Integer({ minimum: 0 }),
    PerSecond: Type.Number({ minimum: 0 }),
    SlowestDevice: Optional.integer,
    SlowestMs: Optional.integer,
  },
  strict,
)
/** A device that dialled and is unknown: from where, to which port, and what it said first. */
export const UnknownCaller = Type.Object(
  {
    Port: Type.Integer({ minimum: 1, maximum: 65535 }),
    Transport: Type.Union([Type.Literal('tcp'), Type.Literal('udp')]),
    From: Type.String({ maxLength: 64 }),
    Said: Type.String({ maxLength: 64, pattern: '^([0-9a-f]{2})*$' }),
    Count: Type.Integer({ minimum: 1 }),
  },
  strict,
)

/** Settings of a gateway by name (contract/gateway-settings.ts). */
const Settings = Type.Record(Type.String({ maxLength: 50 }), Type.Union([Type.Number(), Text]), { maxProperties: 50 })

/** Readings: V holds the values by point id, Q the quality where it is not 0. A null value needs a bad quality. */
const Item = Type.Object(
  {
    D: Type.Integer(),
    T: Ts,
    V: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()])),
    Q: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  },
  strict,
)

export const DeviceHealth = Type.Object(
  { DeviceId: Type.Integer(), Status: Type.Integer(), OkCount: Type.Integer(), ErrCount: Type.Integer() },
  strict,
)

/** Of `up/event`: a reader has read a card. */
export const cardEvent = 20
export const up = {
  /** Birth (Online 1) and will (Online 0); retained. */
  state: message(
    Type.Object(
      {
        Online: Type.Union([Type.Literal(0), Type.Literal(1)]),
        FirmwareVer: Optional.text,
        HardwareVer: Optional.text,
        ConfigVersion: Optional.integer,
        Ip: Optional.text,
        CCID: Optional.text,
        Imei: Optional.text,
        BootTime: Optional.integer,
        Capabilities: Type.Optional(Type.Array(Text)),
        /** What it runs, by name; of a gateway with the capability `settings`. */
        Settings: Type.Optional(Settings),
      },
      strict,
    ),
  ),
  heartbeat: message(
    Type.Object(
      {
        Rssi: Optional.number,
        Cpu: Optional.number,
        Mem: Optional.number,
        Disk: Optional.number,
        UpTime: Optional.number,
        CacheCount: Optional.integer,
        Dropped: Optional.integer,
        RemoteLock: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
        Devices: Type.Optional(Type.Array(DeviceHealth)),
      },
      strict,
    ),
  ),
  data: message(Type.Object({ Items: Type.Array(Item) }, strict)),
  /** Back-fill: history and roll-ups, never latest values or alarms. */
  history: message(
    Type.Object({ Items: Type.Array(Item), Backfill: Type.Literal(1), Batch: Optional.integer, Last: Optional.integer }, strict),
  ),
  /**
   * 1 online, 2 offline, 3 power cut, 4 channel error, 5 device timeout, 6 config applied, 7 reboot, 8 storage full, 9 SIM change,
   * 10 door or tamper, 13 stored readings damaged, 20 a reader has read a card. Told by the server: 11 slowed down for sending more than its share, 12 its clock is off.
   */
  event: message(
    Type.Object(
      {
        Type: Type.Integer({ minimum: 1, maximum: 20 }),
        Level: Type.Integer({ minimum: 0, maximum: 3 }),
        Text: Type.String({ maxLength: 500 }),
        /** Of type 20: the number as the reader gives it, which reader, and when. */
        CardNo: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
        Reader: Type.Optional(Type.String({ maxLength: 60 })),
        ReadTime: Type.Optional(Ts),
      },
      strict,
    ),
  ),
  timesync: message(Type.Object({ T1: Ts }, strict)),
  /** Frames of a channel that is traced, and how many more there were. */
  trace: message(
    Type.Object(
      {
        ...channelOf,
        Frames: Type.Array(
          Type.Object(
            {
              T: Ts,
              /** 1: the gateway has sent it. */
              Sent: Type.Union([Type.Literal(0), Type.Literal(1)]),
              Hex: Type.String({ maxLength: 1024, pattern: '^([0-9a-f]{2})*$' }),
              Meaning: Text,
            },
            strict,
          ),
          { maxItems: traceFrames },
        ),
        Missed: Optional.integer,
      },
      strict,
    ),
  ),
  /** Answer to a message that came down, by its MsgId. */
  reply: Type.Object(
    {
      MsgId: Type.String({ minLength: 1, maxLength: 64 }),
      Ts,
      Ver: Type.Optional(Type.Integer()),
      Code: Type.Integer(),
      Msg: Type.String({ maxLength: 500 }),
      Data: Type.Optional(Type.Object({}, { additionalProperties: true })),
    },
    strict,
  ),
}

/** Settings of a channel or a device by name. A gateway without the protocol's capability never receives any. */
const LineSettings = Type.Record(Type.String({ maxLength: 50 }), Type.Union([Type.Number(), Type.String({ maxLength: 4000 })]), {
  maxProperties: 50,
})

export const ConfigChannel = Type.Object(
  {
    Id: Type.Integer(),
    CommType: Type.Union([Type.Literal(0), Type.Literal(1)]),
    ProtocolType: Type.Integer(),
    Ip: Type.Optional(Type.String()),
    Port: Optional.integer,
    SerialPort: Type.Optional(Type.String()),
    BaudRate: Optional.integer,
    DataBits: Optional.integer,
    StopBits: Optional.integer,
    Parity: Optional.integer,
    InterFrameMs: Type.Integer(),
    RetryCount: Type.Integer(),
    /** 1: the device dials, and the gateway waits for it. */
    Mode: Optional.integer,
    /** What the protocol asks beside, secrets too (contract/protocols). */
    Settings: Type.Optional(LineSettings),
    /** Of a described protocol: its frames and requests (contract/described). */
    Description: Type.Optional(Type.Object({ Frame, Requests }, strict)),
  },
  strict,
)
/** ChannelId is unique together with CommType. */
export const ConfigDevice = Type.Object(
  {
    ...{ Id: Type.Integer(), DeviceName: Type.String(), CommType: Type.Integer(), ChannelId: Type.Integer(), SlaveNumber: Type.Integer() },
    /** Where the protocol's devices have more than a unit ID. */
    Settings: Type.Optional(LineSettings),
  },
  strict,
)
const nullable = Type.Union([Type.Number(), Type.Null()])
/** Row is the point's place in the whole table, from 1: errors name it. */
export const ConfigPoint = Type.Object(
  {
    Row: Type.Integer(),
    Id: Type.Integer(),
    DeviceId: Type.Integer(),
    ParaName: Type.String(),
    ReadWriteType: Type.Integer(),
    RegisterType: Type.Integer(),
    ParaDataType: Type.Integer(),
    Address: Type.String(),
    SlaveNumber: Type.Integer(),
    SampleLow: nullable,
    SampleHigh: nullable,
    ProjectLow: nullable,
    ProjectHigh: nullable,
    DecimalDigits: Type.Integer(),
    UploadMode: Type.Integer(),
    CollectPeriod: Type.Integer(),
    IntervalTime: Type.Integer(),
    Timeout: Type.Integer(),
    UploadPeriod: Type.Integer(),
    CollectType: Type.Integer(),
    IsCache: Type.Integer(),
  },
  strict,
)

export const down = {
  /** The readings of this MsgId are stored; only now may the gateway forget them (findings 9). */
  ack: Type.Object({ MsgId: Type.String() }, strict),
  /** All-or-nothing: parts in order, each answered; the last answer is the verdict. Hash is the SHA-256 of the canonical JSON of {Channels, Devices, Points}, and of Settings where there are any. */
  config: message(
    Type.Object(
      {
        ConfigVersion: Type.Integer(),
        Hash: Type.String(),
        Part: Type.Integer(),
        Parts: Type.Integer(),
        HeartbeatPeriod: Type.Integer(),
        Channels: Type.Array(ConfigChannel),
        Devices: Type.Array(ConfigDevice),
        Points: Type.Array(ConfigPoint),
        /** In part 1, for gateways with the capability `settings`; what is left out has its default. */
        Settings: Type.Optional(Settings),
      },
      strict,
    ),
  ),
  write: message(Type.Object({ D: Type.Integer(), ParaId: Type.Integer(), Value: Type.Number(), CheckBack: Type.Integer() }, strict)),
  read: message(Type.Object({ D: Type.Integer(), ParaIds: Type.Array(Type.Integer()) }, strict)),
  /** Either the answer to T1 (T2 received, T3 sent) or the command to set the clock to Ts. */
  timesync: message(Type.Object({ T1: Optional.integer, T2: Optional.integer, T3: Optional.integer, Ts: Optional.integer }, strict)),
  /** What lies below an object of a channel's device; without one, the beginning. */
  browse: message(Type.Object({ ...channelOf, Below: Type.Optional(Type.String({ maxLength: 500 })) }, strict)),
  /** Frames of a channel come up for so many seconds; 0 ends it. */
  trace: message(Type.Object({ ...channelOf, Seconds: Type.Integer({ minimum: 0, maximum: traceSeconds }) }, strict)),
  /** Trusts a certificate that the server of a channel has shown. */
  trust: message(Type.Object({ ...channelOf, Thumbprint }, strict)),
  /** How the channels do, and who dialled and is unknown. It changes nothing, and is not remembered. */
  channels: message(Type.Object({}, strict)),
  nettest: message(Type.Object({ Ip: Type.Optional(Type.String()), Port: Optional.integer, Serial: Type.Optional(Type.String()) }, strict)),
}

export type Up = { [K in keyof typeof up]: Static<(typeof up)[K]> }
export type Down = { [K in keyof typeof down]: Static<(typeof down)[K]> }
/** One error of a refused config: which row, which field, why. */
export type RowError = { Row: number; ParaName: string; Field: string; Reason: string }
