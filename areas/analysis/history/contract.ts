import { type Static, Type } from 'typebox'
import { call, IdList } from '../../../contract/call.ts'
import { ExportTask } from '../../../contract/exports.ts'

/** How readings leave: single ones, or figures of whole units of the company's calendar, or of the shifts of their project. */
export const historyUnits = ['raw', 'minute', 'hour', 'shift', 'day'] as const
export type HistoryUnit = (typeof historyUnits)[number]
/** A column for each point, a row for each device, or a row for each reading or figure. */
export const historyShapes = ['time', 'device', 'rows'] as const
/** What of a bucket leaves; Value is what the screen shows. Words at `history.figure.<name>`. */
export const historyFigures = ['Value', 'Min', 'Max', 'Avg', 'Mean', 'First', 'Last', 'Count', 'Sum'] as const
export type HistoryFigure = (typeof historyFigures)[number]
export const historyFormats = ['xlsx', 'csv', 'parquet'] as const
export const separators = [',', ';', '\t'] as const
export const decimalSigns = ['.', ','] as const
/** Rows of one file. */
export const mostHistoryRows = 10_000_000

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const one = <const T extends readonly string[]>(names: T) => Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))))
const Switch = Type.Optional(Type.Integer({ minimum: 0, maximum: 1 }))

export const HistoryAsk = Type.Object({
  ...{ ParaIds: IdList(100), Start: Time, End: Time },
  ...{ Unit: one(historyUnits), Shape: one(historyShapes), Format: one(historyFormats) },
  Figures: Type.Optional(Type.Array(one(historyFigures), { minItems: 1, maxItems: historyFigures.length, uniqueItems: true })),
  Computed: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1, description: '1: Value is of rates what they come to over time, not their mean.' }),
  ),
  Coverage: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1, description: '1: beside figures, the share of the time with good readings.' }),
  ),
  Quality: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '1: beside single readings, what is wrong with them.' })),
  Header: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '0: no lines above the titles of the columns.' })),
  Separator: Type.Optional(one(separators)),
  Decimal: Type.Optional(one(decimalSigns)),
  Waits: Switch,
})
export type HistoryAsk = Static<typeof HistoryAsk>

export const historyCalls = {
  /** Readings or figures of points as a file, made in the background; it is followed as the other tasks are. */
  start: call({
    ...{ method: 'POST', path: '/Project/ImportExportTask/History', permission: 'm10303.export' },
    body: HistoryAsk,
    answer: ExportTask,
  }),
}
