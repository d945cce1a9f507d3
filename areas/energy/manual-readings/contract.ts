import { type Static, Type } from 'typebox'
import { AnyObject, Changed, call } from '../../../contract/call.ts'
import { Imported } from '../../../contract/exports.ts'
import { choice, flag, instant, number, ref } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** What an entry covers. */
export const [hourly, daily, monthly] = [1, 2, 3] as const
export type Cycle = 1 | 2 | 3
/** Where an entry comes from. */
export const [byHand, fromSheet] = [1, 2] as const

/** An amount of an hour, day or month, or a reading of a meter, that people enter. Periods are those of the company's zone. */
export const energyInfoData = resource('energyInfoData', {
  path: '/Energy/InfoData',
  permission: 'm10704',
  title: 'EnergyInfoId',
  owner: 'EnergyInfoId',
  order: '-DataTime',
  sheets: 'own',
  differs: { create: 'Its circuit must be one whose amounts people enter.' },
  fields: {
    EnergyInfoId: ref('energyInfo', { required: true, set: 'create', search: true, as: 'EnergyName' }),
    /** When the period begins; of a reading, when the meter was read. */
    DataTime: instant({ required: true, set: 'always', unique: 'EnergyInfoId' }),
    CycleType: choice([hourly, daily, monthly], { required: true, default: daily, search: true }),
    Value: number({ required: true, min: 0, max: 1e12 }),
    /** 1: a meter reading; 0: an amount. */
    IsReading: flag({ required: true, default: 0 }),
    Source: choice([byHand, fromSheet], { required: true, set: 'never', default: byHand }),
  },
})

/** Cells that one call saves. */
export const mostCells = 1000
/** Circuits that a ledger shows. */
export const mostColumns = 50

const cycle = Type.Integer({ minimum: 1, maximum: 3 })
const Switch = Type.Integer({ minimum: 0, maximum: 1 })
const Format = Type.Optional(Type.Union([Type.Literal('xlsx'), Type.Literal('csv')]))
const Text = Type.String()
/** The beginning of a period in the company's zone: `2026-01-31 05:00`, `2026-01-31` or `2026-01`. */
const Period = Type.String({ maxLength: 16, pattern: '^\\d{4}-\\d{2}(-\\d{2}( \\d{2}:00)?)?$' })

const Cell = Type.Object({
  EnergyInfoId: Id,
  Time: Period,
  /** Null takes the entry back. */
  Value: Type.Union([Type.Number({ minimum: 0, maximum: 1e12 }), Type.Null()]),
})
export type Cell = Static<typeof Cell>

const path = '/Energy/InfoData'
export const entryCalls = {
  template: call({ method: 'GET', path: `${path}/Template`, permission: 'm10704', query: Type.Object({ Format }) }),
  /** Codes, periods and values; all or none. `Preview=1` writes nothing. */
  import: call({
    method: 'POST',
    path: `${path}/Import`,
    permission: 'm10704.import',
    query: Type.Object({ Preview: Type.Optional(Switch) }),
    answer: Imported,
  }),
  output: call({ method: 'GET', path: `${path}/Output`, permission: 'm10704', query: AnyObject }),
  /** What is wrong with an entry, or unusual about it: more than 50 % off the mean of the three before it. Sentences in the caller's language. */
  check: call({
    method: 'POST',
    path: `${path}/CheckData`,
    permission: 'm10704',
    reads: true,
    body: Type.Object({
      EnergyInfoId: Id,
      DataTime: Type.String({ maxLength: 19 }),
      CycleType: Type.Optional(cycle),
      Value: Type.Number(),
      IsReading: Type.Optional(Switch),
    }),
    answer: Type.Object({ Valid: Type.Boolean(), Errors: Type.Array(Text), Warnings: Type.Array(Text) }),
  }),
  /** The ledger of a project: circuits whose amounts people enter, and their entries of a day, month or year by hour, day or month. */
  ledger: call({
    method: 'GET',
    path: `${path}/Ledger`,
    permission: 'm10704',
    query: Type.Object({
      ProjectId: Id,
      Of: Type.String({ maxLength: 10, pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$' }),
      IsReading: Type.Optional(Switch),
    }),
    answer: Type.Object({
      CycleType: Type.Integer(),
      Circuits: Type.Array(Type.Object({ Id, EnergyName: Text, EnergyCode: Text, Unit: Text })),
      More: Type.Boolean(),
      Cells: Type.Array(Type.Object({ EnergyInfoId: Id, Time: Text, Value: Type.Number() })),
    }),
  }),
  /** Saves cells of a ledger, all or none; answers what is unusual about them. */
  save: call({
    method: 'POST',
    path: `${path}/Ledger`,
    permission: 'm10704',
    body: Type.Object({ IsReading: Type.Optional(Switch), Cells: Type.Array(Cell, { minItems: 1, maxItems: mostCells }) }),
    answer: Type.Object({
      ...Changed.properties,
      Warnings: Type.Array(Type.Object({ EnergyInfoId: Id, Time: Text, Message: Text })),
    }),
  }),
}
