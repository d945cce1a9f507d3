import { type TNull, type TString, type TUnion, Type } from 'typebox'
import { AnyObject, ById, call, IdList, paging } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { settingNames } from '../../../contract/gateway-settings.ts'
import { Id, type Row, resource, schemas, valueSchema } from '../../../contract/resource.ts'

/** Models of the specification: YC-5300, YC-5300N (two), YC-7100, YC-7300; 1 is our soft gateway. */
export const gatewayTypes = [1, 53, 54, 55, 71, 73] as const

/** Type of gateways that use a foreign protocol. Their sub-type is the protocol; only a network component creates them. */
export const foreignGateway = 2
/** 1 ThingsBoard, 2 JSON by a parser, 3 InfluxDB line protocol, 4 Sparkplug B, 5 HJ 212, 6 a described protocol. Words at `networkComponent.Language.<number>`. */
export const foreignLanguages = [1, 2, 3, 4, 5, 6] as const
/** Sub-types of foreign gateways start above those of boxes. */
export const subTypeOf = (language: number) => 20 + language
export const gatewaySubTypes: Record<number, readonly number[]> = {
  ...{ 1: [1], 53: [1, 2], 54: [1, 2], 55: [1, 2], 71: [1, 2], 73: [1, 2] },
  [foreignGateway]: foreignLanguages.map(subTypeOf),
}

export const gateway = resource('gateway', {
  path: '/Project/Gateway',
  aliases: ['/V3/Project/Gateway'],
  permission: 'm10102',
  title: 'GatewayName',
  owner: 'ProjectId',
  order: 'GatewayName',
  sheets: 'in-out',
  fields: {
    GatewayName: text({ required: true, search: true }),
    /** Null of a released gateway, which has devices, points and history but no box. */
    SN: text({ required: 'create', unique: 'everywhere', search: true, set: 'create', max: 32, pattern: '^[0-9A-Z]{8,32}$' }),
    /** The previous box, or the last one of a released gateway. */
    FormerSN: text({ set: 'never', max: 32 }),
    /** When the gateway got this box, or lost its box; null while it has its first. */
    BoundTime: instant(),
    ProjectId: ref('project', { required: true }),
    GatewayTypeId: choice(gatewayTypes, { required: true, default: 1, more: [foreignGateway] }),
    GatewaySubTypeId: choice([1, 2], { default: 1, more: foreignLanguages.map(subTypeOf) }),
    HeartbeatPeriod: number({ integer: true, min: 5, max: 3600, unit: 's', required: true, default: 60 }),
    Remark: long(),
    /** 0 offline, 1 online, 2 never connected. */
    OnlineStatus: choice([0, 1, 2], { set: 'never', search: true, required: true, default: 2 }),
    /** 0 in sync, 1 changed and not pushed, 2 pushing, 3 failed. */
    ConfigStatus: choice([0, 1, 2, 3], { set: 'never', search: true, required: true, default: 1 }),
    ConfigVersion: number({ integer: true, set: 'never' }),
    TargetConfigVersion: number({ integer: true, set: 'never', required: true, default: 0 }),
    LastHeartbeatTime: instant({ age: true }),
    LastOnlineTime: instant({ age: true }),
    LastOfflineTime: instant({ age: true }),
    Ip: text({ set: 'never' }),
    FirmwareVer: text({ set: 'never' }),
    HardwareVer: text({ set: 'never' }),
    CCID: text({ set: 'never' }),
    Rssi: number({ set: 'never', unit: 'dBm' }),
    CpuRate: number({ set: 'never', unit: '%' }),
    MemRate: number({ set: 'never', unit: '%' }),
    DiskRate: number({ set: 'never', unit: '%' }),
    UpTime: number({ set: 'never', unit: 's' }),
    TimeOffsetMs: number({ set: 'never', unit: 'ms' }),
    CacheCount: number({ integer: true, set: 'never' }),
    /** Whether the gateway reports that it is locked; null if it does not report a lock. */
    RemoteLock: flag({ set: 'never' }),
    RemoteLockTime: instant(),
    /** Capabilities announced in its birth message. */
    Capabilities: json({ set: 'never', schema: Type.Array(Type.String()) }),
    /** Settings that the gateway runs, by name. */
    ReportedSettings: json({ set: 'never', schema: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])) }),
  },
})

/** The wanted value of a gateway's setting. */
export const gatewayPara = resource('gatewayPara', {
  path: '/Project/GatewayPara',
  permission: 'm10102',
  title: 'ParaCode',
  owner: 'GatewayId',
  order: 'ParaCode',
  differs: { create: 'Its value depends on its setting.' },
  fields: {
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    ParaCode: choice(settingNames, { required: true, unique: 'GatewayId', search: true, set: 'create' }),
    ParaValue: text({ required: true, max: 253 }),
  },
})

/** A command that was sent to a gateway, with its author and answer. */
export type Gateway = Row<typeof gateway>

/** Serial numbers of the present and the former box: readings of both may have been rejected. */
export const serialsOf = ({ SN, FormerSN }: Pick<Gateway, 'SN' | 'FormerSN'>) => [SN, FormerSN].filter((sn) => sn !== null)

export const command = resource('command', {
  path: '/Project/Gateway/Command',
  permission: 'm10102',
  title: 'CmdType',
  owner: 'GatewayId',
  order: '-Id',
  fields: {
    GatewayId: ref('gateway', { required: true, set: 'never' }),
    CmdType: choice(['config', 'write', 'read', 'nettest', 'timesync', 'browse', 'trace', 'trust'], {
      required: true,
      set: 'never',
      search: true,
    }),
    MsgId: text({ required: true, set: 'never' }),
    Payload: json({ set: 'never' }),
    SendTime: instant({ required: true }),
    AckTime: instant(),
    /** Result code of the specification; null while the gateway has not answered. */
    Code: number({ integer: true, set: 'never', search: true }),
    Msg: text({ max: 200, set: 'never' }),
    Detail: json({ set: 'never' }),
    UserId: ref('user', { set: 'never' }),
  },
})

/** Result codes of the specification (section 8), ruling 31. Words at `result.<code>`. */
export const resultCodes = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15, 201, 301, 999] as const

const Reply = Type.Object({
  Code: Type.Integer(),
  Msg: Type.String(),
  Detail: Type.Optional(Type.Array(AnyObject)),
  Data: Type.Optional(AnyObject),
})
const Lock = Type.Union([Type.Literal(0), Type.Literal(1), Type.Null()])
const WallTime = valueSchema(instant()) as TUnion<[TString, TNull]>
const Moment = Type.Union([Type.String(), Type.Null()])
/** As on the label; lower case is accepted. */
const Label = {
  SN: Type.String({ pattern: '^\\s*[0-9A-Za-z]{8,32}\\s*$', maxLength: 60 }),
  Code: Type.String({ minLength: 1, maxLength: 20 }),
}
const Binding = Type.Object({ ...Label, ProjectId: Id, GatewayName: Type.Optional(Type.String({ maxLength: 50 })) })
const { row } = schemas(gateway)

/** Names each gateway of a batch. Replaces `{SN}` and `{n}`, the position in the list. */
export const nameByRule = (rule: string, SN: string, n: number) => rule.replaceAll('{SN}', SN).replaceAll('{n}', String(n))

export const gatewayCalls = {
  /** Adds a gateway for each serial number, all or none. */
  batchAdd: call({
    method: 'POST',
    path: '/Project/Gateway/BatchAdd',
    permission: 'm10102.add',
    body: Type.Object({
      ProjectId: Id,
      SNs: Type.Array(valueSchema(gateway.fields.SN) as TString, { minItems: 1, maxItems: 1000 }),
      NameRule: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
      GatewayTypeId: Type.Optional(Type.Integer()),
      GatewaySubTypeId: Type.Optional(Type.Integer()),
    }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
  /** Moves a gateway from the stock into a project. ResetKey creates its key. */
  bind: call({ method: 'POST', path: '/Project/Gateway/Bind', permission: 'm10102.bind', body: Binding, answer: row }),
  /** The same, from a phone that scanned the QR code of the label. */
  bindByPhone: call({ method: 'POST', path: '/Project/Gateway/Bind_APP', permission: 'm10102.bind', body: Binding, answer: row }),
  /** Returns the box to its stock. Devices, points and history stay with the gateway. */
  unbind: call({ method: 'POST', path: '/Project/Gateway/UnBind', permission: 'm10102.unbind', body: ById, answer: row }),
  /** Another box takes over devices, points and history. */
  replace: call({
    method: 'POST',
    path: '/Project/Gateway/Replace',
    permission: 'm10102.replace',
    body: Type.Object({ Id, SN: Label.SN, Code: Type.Optional(Label.Code) }),
    answer: row,
  }),
  subTypes: call({
    method: 'GET',
    path: '/V2/Project/GatewayType/GatewaySubTypeList',
    permission: 'session',
    query: Type.Object({ GatewayTypeId: Type.Optional(Type.Integer()) }),
    answer: Type.Array(Type.Object({ Id: Type.Integer(), Name: Type.String() })),
  }),
  /** Only this answer contains the key. */
  resetKey: call({
    method: 'POST',
    path: '/Project/Gateway/ResetKey',
    permission: 'm10102.resetKey',
    body: ById,
    answer: Type.Object({ SN: Type.String(), Key: Type.String(), Host: Type.String(), Port: Type.Integer() }),
  }),
  netTest: call({
    method: 'POST',
    path: '/Project/Gateway/NetTest',
    permission: 'm10102.command',
    /** An address and port, or a serial port. */
    body: Type.Object({
      Id,
      Ip: Type.Optional(Type.String({ maxLength: 64 })),
      Port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
      Serial: Type.Optional(Type.String({ minLength: 1, maxLength: 190 })),
    }),
    answer: Reply,
  }),
  timeSync: call({ method: 'POST', path: '/Project/Gateway/TimeSync', permission: 'm10102.command', body: ById, answer: Reply }),
  push: call({
    method: 'POST',
    path: '/Project/Protocol/OptionPush',
    permission: 'm10102.push',
    /** Pushes one gateway and waits for its answer, or pushes many as a task. */
    body: Type.Object({
      GatewayId: Type.Optional(Id),
      GatewayIds: Type.Optional(IdList()),
      Note: Type.Optional(Type.String({ maxLength: 200 })),
      /** For many: no push starts before the first moment or after the second. */
      PlannedTime: Type.Optional(WallTime),
      UntilTime: Type.Optional(WallTime),
      /** Number of failures that pauses the task; 1 by default. */
      StopAfter: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    answer: Reply,
  }),
  isLink: call({
    method: 'GET',
    path: '/Project/Protocol/GatewayIsLink',
    permission: 'm10102',
    query: Type.Object({ GatewayId: Id }),
    answer: Type.Object({ OnlineStatus: Type.Integer(), ConfigStatus: Type.Integer() }),
  }),
  remoteLockState: call({
    method: 'GET',
    path: '/Project/Gateway/RemoteLockState',
    permission: 'm10102',
    query: ById,
    answer: Type.Object({ RemoteLock: Lock }),
  }),
  /** The reported lock, its age, and the time of the last message: they show how reliable it is. */
  remoteLockInfo: call({
    method: 'GET',
    path: '/Project/Gateway/RemoteLockInfo',
    permission: 'm10102',
    query: ById,
    answer: Type.Object({
      ...{ Id, SN: Type.Union([Type.String(), Type.Null()]), GatewayName: Type.String(), OnlineStatus: Type.Integer(), RemoteLock: Lock },
      ...{ RemoteLockTime: Moment, LastHeartbeatTime: Moment },
    }),
  }),
  /** Rejected readings, newest first; the newest 20,000 are listed. */
  rejected: call({
    method: 'GET',
    path: '/Project/Gateway/RejectedList',
    permission: 'm10102',
    query: Type.Object({
      GatewayId: Id,
      ...paging(),
    }),
    answer: AnyObject,
  }),
}
