import { Type } from 'typebox'
import { dataTypes } from './data-types.ts'
import { choice, flag, json, number, ref, text } from './field.ts'
import { nameFields } from './languages.ts'
import { whole } from './validators.ts'

/**
 * The 27 columns of a point, in the specification's order (area 3): of sheets, of what gateways check, and of models. What else a point
 * has goes into `pointFields`, never here: people have files with these columns.
 */
export const columnFields = {
  ParaName: text({ required: true, unique: 'DeviceId', search: true, section: 'identity' }),
  /** 0 read only, 1 read and write, 2 write only. */
  ReadWriteType: choice([0, 1, 2], { required: true, default: 0, section: 'address' }),
  /** 0 coil, 1 discrete input, 3 input register, 4 holding register: the classic prefix. */
  RegisterType: choice([0, 1, 3, 4], { required: true, default: 4, section: 'address' }),
  ParaDataType: choice(dataTypes, { required: true, default: 7, section: 'address' }),
  /** As the protocol of its channel writes it (contract/protocols). */
  Address: text({ required: true, max: 250, pattern: '^[^\\u0000-\\u001f\\u007f]+$', section: 'address' }),
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
}

/** Their names, in order. */
export const pointColumns = Object.keys(columnFields)

/** What a value means. It is no column: neither the point table nor the gateway has it. */
export const standardRef = ref('standardPara', {
  as: 'StandardCode',
  section: 'identity',
  fills: {
    ParaName: nameFields,
    ParaUnitName: 'ParaUnitName',
    DecimalDigits: 'DecimalDigits',
    AxisMin: 'RangeLow',
    AxisMax: 'RangeHigh',
  },
})

/** The columns that a model gives its points. */
export const modelColumns = [...pointColumns, 'StandardParaId']

/** A point as the server knows it. Gateways do not receive the texts of its states. */
export const pointFields = {
  DeviceId: ref('device', { required: true, set: 'create' }),
  ...columnFields,
  StandardParaId: { ...standardRef, template: false as const },
  /** What a Bool is called at 0 and at 1, such as Closed and Open; empty: Off and On in the reader's language. */
  ZeroText: text({ max: 20, section: 'display', template: false }),
  OneText: text({ max: 20, section: 'display', template: false }),
  /** The point of the model that it is linked to. */
  ModelParaId: number({ integer: true, set: 'never' }),
  /** Columns that this device overrides. Applying the model does not change them. */
  Overrides: json({ set: 'never', schema: Type.Array(Type.String()) }),
}
