import { Type } from 'typebox'
import { AnyObject, ById, call } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { valuesPattern } from '../../../contract/model-text.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { whole } from '../../../contract/validators.ts'
import { LineSettings } from '../channels/contract.ts'
import { Applied, Flag } from '../models/contract.ts'
import { asTask } from '../tasks/contract.ts'

/** Maximum devices per batch. */
export const mostDevices = 1000

export const device = resource('device', {
  path: '/Project/Device',
  aliases: ['/V3/Project/Device'],
  permission: 'm10103',
  title: 'DeviceName',
  owner: 'GatewayId',
  order: 'DeviceName',
  sheets: 'in-out',
  fields: {
    DeviceName: text({ required: true, unique: 'GatewayId', search: true }),
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    /** 0 network, 1 serial: selects the channel field that applies. */
    CommType: choice([0, 1], { required: true, default: 0 }),
    NetProtocolId: ref('netProtocol'),
    SerialProtocolId: ref('serialProtocol'),
    SlaveNumber: number({ required: true, ...whole('1-255'), default: 1 }),
    /** Protocol settings besides the unit ID, such as the address of a meter. */
    Settings: json({ schema: LineSettings }),
    ModelId: ref('proModel'),
    /** Values for the model's parameters, such as `base=100;db=4`. */
    ModelValues: text({ max: 500, pattern: valuesPattern }),
    /** The applied version of the model, null before the first one. */
    ModelVersion: number({ integer: true, set: 'never' }),
    /** The model has a newer version. Devices without a version are not behind. */
    IsBehind: flag({ required: true, set: 'never', search: true, default: 0 }),
    /** Position of the device itself, WGS 84. Without one, the map shows it at its project. */
    Longitude: number({ min: -180, max: 180, unit: '°' }),
    Latitude: number({ min: -90, max: 90, unit: '°' }),
    Remark: long(),
    /** 0 offline, 1 online, 2 communication error, 3 never seen. */
    Status: choice([0, 1, 2, 3], { required: true, set: 'never', search: true, default: 3 }),
    OkCount: number({ integer: true, set: 'never' }),
    ErrCount: number({ integer: true, set: 'never' }),
    LastDataTime: instant({ age: true }),
  },
})

/** One stage of the path from the field to the screen; `Ok` null = unknown. Words at `why.<Stage>.<Reason>`. */
const Stage = Type.Object({
  Stage: Type.Union([
    Type.Literal('gateway'),
    Type.Literal('config'),
    Type.Literal('transport'),
    Type.Literal('parse'),
    Type.Literal('store'),
    Type.Literal('rule'),
  ]),
  Ok: Type.Union([Type.Boolean(), Type.Null()]),
  Reason: Type.String(),
  Values: AnyObject,
})

/** Expands a name rule such as `Pump {1..20}` or `Pump {01..20}` to at most `most` names; without a range, returns the rule itself. */
export const namesIn = (rule: string, most = mostDevices): string[] => {
  const [range, first = '', last = ''] = /\{(\d{1,6})\.\.(\d{1,6})\}/.exec(rule) ?? []
  if (!range) return [rule]
  const count = Math.min(Number(last) - Number(first) + 1, most)
  return Array.from({ length: Math.max(count, 0) }, (_, i) =>
    rule.replaceAll(range, String(Number(first) + i).padStart(first.startsWith('0') ? first.length : 1, '0')),
  )
}

const { DeviceName: _, SlaveNumber: __, ...shared } = schemas(device as never).draft.properties

export const deviceCalls = {
  /** Adds a device for each name, with the points of a model: all or none, or one by one as a task. A preview writes nothing. */
  batchAdd: call({
    method: 'POST',
    path: '/Project/Device/BatchAdd',
    permission: 'm10103.add',
    body: Type.Object({
      ...(shared as Record<never, never>),
      GatewayId: Id,
      ModelId: Type.Optional(Type.Union([Id, Type.Null()])),
      NameRule: Type.String({ minLength: 1, maxLength: 50 }),
      /** Unit ID of the first device. It increases by `Step` per device. */
      SlaveNumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 255 })),
      Step: Type.Optional(Type.Integer({ minimum: 0, maximum: 254 })),
      /** Settings of each device, in the order of names. Takes precedence over the shared `Settings`. */
      SettingsOfEach: Type.Optional(Type.Array(LineSettings, { maxItems: mostDevices })),
      Preview: Flag,
      ...asTask,
    }),
    /** For a task: its Id, and no changes yet. */
    answer: Type.Object({ ...Applied.properties, TaskId: Type.Optional(Id) }),
  }),
  whyNoData: call({
    method: 'GET',
    path: '/Project/Device/WhyNoData',
    permission: 'm10107',
    query: ById,
    answer: Type.Array(Stage),
  }),
}
