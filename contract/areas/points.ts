import { Type } from 'typebox'
import { call, paging } from '../base/call.ts'
import { choice, flag, number, ref, text } from '../base/field.ts'
import { Id, resource } from '../base/resource.ts'
import { whole } from '../validators.ts'

/** Ruling 29: Bool; Int16, UInt16 AB; Int32 ABCD CDAB BADC DCBA; Float the same; Int16, UInt16 BA; UInt32 the same. */
export const dataTypes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 31, 32, 33, 34, 35, 36] as const

/** The point table: 27 columns in the specification's order (area 3, "27 columns"). */
export const point = resource('point', {
  path: '/Project/DevPara',
  aliases: ['/V3/Project/DevPara'],
  permission: 'm10104',
  title: 'ParaName',
  owner: 'DeviceId',
  order: 'Id',
  fields: {
    DeviceId: ref('device', { required: true, set: 'create' }),
    ParaName: text({ required: true, unique: 'DeviceId', search: true, section: 'identity' }),
    /** 0 read only, 1 read and write, 2 write only. */
    ReadWriteType: choice([0, 1, 2], { required: true, default: 0, section: 'address' }),
    /** 0 coil, 1 discrete input, 3 input register, 4 holding register: the classic prefix. */
    RegisterType: choice([0, 1, 3, 4], { required: true, default: 4, section: 'address' }),
    ParaDataType: choice(dataTypes, { required: true, default: 7, section: 'address' }),
    /** Protocol address from 0; `100.3` is bit 3 of register 100. */
    Address: text({
      required: true,
      max: 8,
      pattern: '^(\\d{1,4}|[0-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])(\\.(\\d|1[0-5]))?$',
      section: 'address',
    }),
    SlaveNumber: number({ ...whole('1-255'), required: true, default: 1, section: 'address' }),
    SampleLow: number({ section: 'scaling' }),
    SampleHigh: number({ section: 'scaling' }),
    ProjectLow: number({ section: 'scaling' }),
    ProjectHigh: number({ section: 'scaling' }),
    AxisMin: number({ section: 'display' }),
    AxisMax: number({ section: 'display' }),
    ParaUnitName: text({ max: 20, section: 'identity' }),
    /** 0 hidden, 1 shown, 2 preselected (at most 7 in a chart). */
    IsChartShow: choice([0, 1, 2], { required: true, default: 1, section: 'display' }),
    IsReportShow: choice([0, 1, 2], { required: true, default: 1, section: 'display' }),
    DecimalDigits: number({ integer: true, min: 0, max: 6, required: true, default: 2, section: 'display' }),
    AlarmLow: number({ section: 'limits' }),
    AlarmHigh: number({ section: 'limits' }),
    /** 0 periodic, 1 loop (every scan), 3 change. */
    UploadMode: choice([0, 1, 3], { required: true, default: 1, section: 'collection' }),
    CollectPeriod: number({ integer: true, min: 100, max: 86_400_000, unit: 'ms', required: true, default: 1000, section: 'collection' }),
    IntervalTime: number({ integer: true, min: 0, max: 60_000, unit: 'ms', required: true, default: 0, section: 'collection' }),
    Timeout: number({ integer: true, min: 50, max: 60_000, unit: 'ms', required: true, default: 1000, section: 'collection' }),
    UploadPeriod: number({ ...whole('int-31536000'), unit: 's', required: true, default: 60, section: 'collection' }),
    /** 0 periodic, 1 loop, 2 change. */
    CollectType: choice([0, 1, 2], { required: true, default: 0, section: 'collection' }),
    IsCache: flag({ inverted: true, required: true, default: 0, section: 'collection' }),
    IsStore: flag({ inverted: true, required: true, default: 0, section: 'collection' }),
    IsReport: flag({ inverted: true, required: true, default: 0, section: 'collection' }),
  },
})

/** The columns of the sheet, in order: all fields but the device. */
export const pointColumns = Object.keys(point.fields).filter((name) => name !== 'DeviceId')

const Ids = Type.Array(Id, { minItems: 1, maxItems: 1000 })
const Reply = Type.Object({
  Code: Type.Integer(),
  Msg: Type.String(),
  Data: Type.Optional(Type.Object({}, { additionalProperties: true })),
})
const Value = Type.Union([Type.Number(), Type.Null()])

export const pointCalls = {
  v2List: call({
    method: 'GET',
    path: '/V2/Project/DevPara/List',
    permission: 'm10104',
    query: Type.Object({
      DeviceIds: Type.Optional(Type.String({ maxLength: 20_000 })),
      ...paging(),
    }),
    answer: Type.Object({}, { additionalProperties: true }),
  }),
  output: call({ method: 'GET', path: '/Project/DevPara/Output', permission: 'm10104.export', query: Type.Object({ DeviceId: Id }) }),
  batchAdd: call({
    method: 'POST',
    path: '/Project/DevPara/BatchAdd',
    permission: 'm10104.add',
    body: Type.Object({
      DeviceId: Id,
      Items: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 1000 }),
    }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
  slaveNumbers: call({
    method: 'POST',
    path: '/Project/DevPara/SlaveNumberBatchUpdate',
    permission: 'm10104.edit',
    body: Type.Object({ Ids, SlaveNumber: Type.Integer({ minimum: 1, maximum: 255 }) }),
    answer: Type.Object({ Changed: Type.Integer() }),
  }),
  check: call({
    method: 'POST',
    path: '/Project/DevPara/CheckDevPara',
    permission: 'm10104',
    reads: true,
    body: Type.Object({ DeviceId: Id, ParaName: Type.String({ maxLength: 50 }), Id: Type.Optional(Id) }),
    answer: Type.Object({ Valid: Type.Boolean() }),
  }),
  write: call({
    method: 'POST',
    path: '/Project/DevPara/Write',
    permission: 'm10104.write',
    body: Type.Object({ ParaId: Id, Value: Type.Number() }),
    answer: Reply,
  }),
  read: call({
    method: 'POST',
    path: '/Project/DevPara/Read',
    permission: 'm10104',
    body: Type.Object({ ParaIds: Ids }),
    answer: Type.Object({
      Code: Type.Integer(),
      Msg: Type.String(),
      Values: Type.Array(Type.Object({ ParaId: Id, Value, Quality: Type.Integer() })),
    }),
  }),
}
