import { type Static, Type } from 'typebox'
import { AnyObject, Changed, call } from '../../../contract/call.ts'
import { Imported } from '../../../contract/exports.ts'
import { choice, instant, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { byHand, daily, fromSheet, hourly, monthly, mostCells } from '../../energy/manual-readings/contract.ts'

/** Entered amounts of a chemical and of water by hour, day or month. Periods are those of the company's zone. */
export const drugInfoData = resource('drugInfoData', {
  path: '/Drug/InfoData',
  permission: 'm10724',
  title: 'DrugInfoId',
  owner: 'DrugInfoId',
  order: '-DataTime',
  sheets: 'own',
  differs: {
    answers: 'An entry begins with its period.',
    lists: 'It has no name of its own to search for.',
    changes: 'It has no name of its own to change.',
    unsettable: 'An entry begins with its period.',
  },
  fields: {
    DrugInfoId: ref('drugInfo', { required: true, set: 'create', search: true, as: 'DrugName' }),
    /** When the period begins. */
    DataTime: instant({ required: true, set: 'always', unique: 'DrugInfoId' }),
    CycleType: choice([hourly, daily, monthly], { required: true, default: daily, search: true }),
    Value: number({ required: true, min: 0, max: 1e9 }),
    WaterValue: number({ min: 0, max: 1e12, unit: 'm³' }),
    /** Who dosed. */
    Operator: text({ max: 40 }),
    Batch: text({ max: 40 }),
    Remark: text({ max: 200 }),
    Source: choice([byHand, fromSheet], { required: true, set: 'never', default: byHand }),
  },
})

const Switch = Type.Integer({ minimum: 0, maximum: 1 })
const Format = Type.Optional(Type.Union([Type.Literal('xlsx'), Type.Literal('csv')]))
const Text = Type.String()
const Amount = Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1e12 }), Type.Null()]))
/** `Value` null takes the entry back. What is not given stays. */
const Cell = Type.Object({
  DrugInfoId: Id,
  /** The beginning of a period in the company's zone: `2026-01-31 05:00`, `2026-01-31` or `2026-01`. */
  Time: Type.String({ maxLength: 16, pattern: '^\\d{4}-\\d{2}(-\\d{2}( \\d{2}:00)?)?$' }),
  Value: Amount,
  WaterValue: Amount,
})
export type Cell = Static<typeof Cell>

const path = '/Drug/InfoData'
export const drugEntryCalls = {
  template: call({ method: 'GET', path: `${path}/Template`, permission: 'm10724', query: Type.Object({ Format }) }),
  /** Dates, codes, amounts, water and remarks; all or none. `Preview=1` writes nothing. */
  import: call({
    ...{ method: 'POST', path: `${path}/Import`, permission: 'm10724.import' },
    query: Type.Object({ Preview: Type.Optional(Switch) }),
    answer: Imported,
  }),
  output: call({ method: 'GET', path: `${path}/Output`, permission: 'm10724', query: AnyObject }),
  /** What is wrong with an entry, or unusual about it: a dose outside its limits. Sentences in the caller's language. */
  check: call({
    ...{ method: 'POST', path: `${path}/CheckData`, permission: 'm10724', reads: true },
    body: Type.Object({
      DrugInfoId: Id,
      DataTime: Type.String({ maxLength: 19 }),
      CycleType: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      Value: Type.Number(),
      WaterValue: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    }),
    answer: Type.Object({ Valid: Type.Boolean(), Errors: Type.Array(Text), Warnings: Type.Array(Text) }),
  }),
  /** The ledger of a project: chemicals whose amounts people enter, and their entries of a day, month or year by hour, day or month. */
  ledger: call({
    ...{ method: 'GET', path: `${path}/Ledger`, permission: 'm10724' },
    query: Type.Object({ ProjectId: Id, Of: Type.String({ maxLength: 10, pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$' }) }),
    answer: Type.Object({
      CycleType: Type.Integer(),
      Chemicals: Type.Array(Type.Object({ Id, DrugName: Text, DrugCode: Text, Unit: Text })),
      More: Type.Boolean(),
      Cells: Type.Array(
        Type.Object({ DrugInfoId: Id, Time: Text, Value: Type.Number(), WaterValue: Type.Union([Type.Number(), Type.Null()]) }),
      ),
    }),
  }),
  /** Saves cells of a ledger, all or none; answers what is unusual about them. */
  save: call({
    ...{ method: 'POST', path: `${path}/Ledger`, permission: 'm10724' },
    body: Type.Object({ Cells: Type.Array(Cell, { minItems: 1, maxItems: mostCells }) }),
    answer: Type.Object({
      ...Changed.properties,
      Warnings: Type.Array(Type.Object({ DrugInfoId: Id, Time: Text, Message: Text })),
    }),
  }),
}
