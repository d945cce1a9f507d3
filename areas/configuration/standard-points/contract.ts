import { batchAddOf } from '../../../contract/batch.ts'
import { choice, number, text } from '../../../contract/field.ts'
import { nameFields } from '../../../contract/languages.ts'
import { resource } from '../../../contract/resource.ts'

/** The meaning of a value, independent of the maker's name for it. Every tenant sees the platform's records. */
export const standardPara = resource('standardPara', {
  path: '/Project/StandardPara',
  permission: 'm10120',
  title: 'Code',
  names: nameFields,
  alsoNamed: 'Aliases',
  order: 'Code',
  shared: true,
  sheets: 'in-out',
  fields: {
    /** Words from general to specific, such as `voltage.l1`. */
    Code: text({ required: true, unique: true, search: true, max: 60, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$' }),
    NameEn: text({ required: true, search: true, max: 80 }),
    NameZh: text({ search: true, max: 80 }),
    NameEs: text({ search: true, max: 80 }),
    NameJa: text({ search: true, max: 80 }),
    /** 1 electrical, 2 thermal, 3 hydraulic, 4 state, 5 ambient, 6 mechanical. */
    Category: choice([1, 2, 3, 4, 5, 6], { required: true, default: 1, search: true }),
    /** 1 number, 2 state: a Bool. */
    ValueType: choice([1, 2], { required: true, default: 1 }),
    ParaUnitName: text({ max: 20 }),
    /** The plausible range. */
    RangeLow: number(),
    RangeHigh: number(),
    DecimalDigits: number({ integer: true, min: 0, max: 6, required: true, default: 2 }),
    /** Aggregation over a period: 1 average, 2 sum, 3 last value, 4 difference of a counter. */
    Aggregation: choice([1, 2, 3, 4], { required: true, default: 1 }),
    /** Other names that sheets and makers use, separated by `|`. */
    Aliases: text({ max: 500, search: true }),
  },
})

export const standardCalls = { batchAdd: batchAddOf(standardPara) }
