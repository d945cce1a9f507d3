import { type Static, type TSchema, Type } from 'typebox'
import { AnyObject, ById, call, page, Removed } from './call.ts'
import { instant } from './field.ts'
import { Id, type Resource, valueSchema } from './resource.ts'

type WithSheets = Pick<Resource, 'sheets'>
/** Whether its list may be taken along as `<path>/Output`. */
export const isExported = ({ sheets }: WithSheets) => sheets === 'out' || sheets === 'in-out'
/** Whether it may leave in the background. Points leave as the sheet of 27 columns that import takes. */
export const isTasked = (r: WithSheets) => isExported(r) || r.sheets === 'in'
/** Whether a sheet may add to it and change it. */
export const isImported = ({ sheets }: WithSheets) => sheets === 'in' || sheets === 'in-out'

/** Read permission includes export; points and the log have a permission of their own for it. */
export const exportPermission = (r: Pick<Resource, 'name' | 'permission'>) =>
  ['point', 'log'].includes(r.name) ? `${r.permission}.export` : r.permission
/** A sheet adds and changes. */
export const importPermissions = (r: Pick<Resource, 'name' | 'permission'>): readonly string[] =>
  r.name === 'point' ? [`${r.permission}.import`] : [`${r.permission}.add`, `${r.permission}.edit`]

/** Whether a sheet may also be imported by a task, in parts. Long sheets are of points and devices. */
export const isImportTask = ({ name }: Pick<Resource, 'name'>) => name === 'point' || name === 'device'
/** Adds tasks of a project. */
export const taskPermission = 'm10124.add'
/** The console offers a task from so many new and changed rows. */
export const importTaskRows = 1000

const Format = Type.Union([Type.Literal('xlsx'), Type.Literal('csv')])
/** The formats of all kinds of tasks. */
export const taskFormats = ['xlsx', 'csv', 'parquet', 'pdf'] as const
/** Content of an export: a list, or readings of points. */
export const taskKind = { list: 0, history: 1, report: 2 } as const
export const taskStatus = { waiting: 0, running: 1, done: 2, failed: 3, cancelled: 4 } as const

/** A list, or readings, on their way into a file. Only its person sees it. */
export const ExportTask = Type.Object({
  Id,
  Kind: Type.Integer({ description: '0 a list, 1 readings of points, 2 a report.' }),
  /** Name of the resource. */
  Resource: Type.String(),
  Format: Type.Unsafe<(typeof taskFormats)[number]>(Type.Union(taskFormats.map((format) => Type.Literal(format)))),
  /** 0 waiting, 1 running, 2 done, 3 failed, 4 cancelled. */
  Status: Type.Integer(),
  FileName: Type.String(),
  DoneRows: Type.Integer(),
  /** Null until they are counted. */
  TotalRows: Type.Union([Type.Integer(), Type.Null()]),
  /** How much is done, percent, where the number of rows is not known before. */
  Progress: Type.Union([Type.Integer(), Type.Null()]),
  FileBytes: Type.Union([Type.Integer(), Type.Null()]),
  /** Why it failed, in the caller's language. */
  Reason: Type.Union([Type.String(), Type.Null()]),
  CreateTime: Type.String(),
  /** The file is removed then. */
  ExpireTime: Type.String(),
})
export type ExportTask = Static<typeof ExportTask>

const path = '/Project/ImportExportTask'
const permission = 'session'

export const exportCalls = {
  /** The caller's own, newest first. */
  tasks: call({ method: 'GET', path: `${path}/List`, permission, query: AnyObject, answer: page(ExportTask) }),
  /** Query is the list's own; what it filters leaves in its order, with the named fields as columns. */
  start: call({
    method: 'POST',
    path,
    permission,
    body: Type.Object({
      Resource: Type.String({ minLength: 1, maxLength: 60 }),
      Format,
      Fields: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 })),
      Query: Type.Optional(AnyObject),
      /** 1: the caller waits and saves the file (`sheetWait`), so no notice is sent. */
      Waits: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
    }),
    answer: ExportTask,
  }),
  /** Ends those that run or wait, and removes the files of those that are done. */
  remove: call({ method: 'DELETE', path, permission, query: AnyObject, answer: Removed }),
  file: call({ method: 'GET', path: `${path}/File`, permission, query: ById }),
}

/** What an import did, or would do: the first changes by row of the sheet. */
export const Imported = Type.Object({
  /** Rows of another program's file that were not translated, the first 500. */
  LeftOut: Type.Optional(
    Type.Array(Type.Object({ Row: Type.Integer(), Column: Type.String(), Value: Type.String(), Message: Type.String() })),
  ),
  LeftOutCount: Type.Optional(Type.Integer()),
  /** The task that imports the sheet; then nothing is counted yet. */
  TaskId: Type.Optional(Id),
  Added: Type.Integer(),
  Changed: Type.Integer(),
  Unchanged: Type.Integer(),
  Preview: Type.Array(
    Type.Object({
      Row: Type.Integer(),
      Verb: Type.Union([Type.Literal('create'), Type.Literal('update')]),
      Title: Type.String(),
      Fields: Type.Array(Type.Object({ Field: Type.String(), Before: Type.Unknown(), After: Type.Unknown() })),
    }),
  ),
})
export type Imported = Static<typeof Imported>

/** Layouts of a file of points: 0 our columns, 1 any sheet, 2 Kepware, 3 the ThingsBoard gateway. */
export const layouts = { own: 0, sheet: 1, kepware: 2, thingsBoard: 3 } as const
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const

/** Information that files of other programs lack. */
const layoutQuery = {
  Layout: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
  /** The fields of the columns in order, separated by commas; an empty one is not imported. */
  Columns: Type.Optional(Type.String({ maxLength: 4000, pattern: '^[A-Za-z,]*$' })),
  WordOrder: Type.Optional(Type.Union(wordOrders.map((order) => Type.Literal(order)))),
  /** 0 from 0, 1 from 1, 2 with the register in front, as in 40001. */
  AddressStyle: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
  SlaveNumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 255 })),
  /** The device in a file of several. */
  Source: Type.Optional(Type.String({ maxLength: 100 })),
}

/** The owner applies to all rows, EnterpriseId to imports of the platform. `Preview=1` writes nothing. With AsTask, parts of the sheet are
 * imported one after another. OffsetOne: addresses start at one. */
export const importCalls = (r: Pick<Resource, 'name' | 'path' | 'aliases' | 'permission' | 'owner' | 'fields'>) => {
  const at = (suffix: string) => ({ path: `${r.path}${suffix}`, aliases: r.aliases.map((a) => `${a}${suffix}`) })
  const owner: Record<string, TSchema> = r.fields[r.owner]?.kind === 'ref' ? { [r.owner]: Type.Optional(Id) } : {}
  const Switch = Type.Optional(Type.Integer({ minimum: 0, maximum: 1 }))
  const task: Record<string, TSchema> = isImportTask(r) ? { AsTask: Switch, PlannedTime: Type.Optional(valueSchema(instant())) } : {}
  const shift: Record<string, TSchema> = r.name === 'point' ? { OffsetOne: Switch, ...layoutQuery } : {}
  return {
    import: call({
      ...at('/Import'),
      method: 'POST',
      permission: importPermissions(r)[0]!,
      query: Type.Object({ Preview: Switch, EnterpriseId: Type.Optional(Id), ...owner, ...shift, ...task }),
      answer: Imported,
    }),
    template: call({
      ...at('/Template'),
      method: 'GET',
      permission: r.permission,
      query: Type.Object({ Format: Type.Optional(Format) }),
    }),
  }
}
