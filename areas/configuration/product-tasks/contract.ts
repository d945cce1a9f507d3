import { Type } from 'typebox'
import { ById, call, Removed } from '../../../contract/call.ts'
import { ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { mostTargets, rowStateFields, taskStateFields } from '../tasks/contract.ts'

const run = { button: 'run', touches: ['productTaskRow'] }

/** Creates a project for each serial number of a list: a copy of the template of a series. */
export const productTask = resource('productTask', {
  path: '/V3/Product/ProductTask',
  permission: 'm12007',
  title: 'TaskName',
  order: '-Id',
  wire: { create: [], update: [], remove: ['DELETE '] },
  acts: {
    stopTask: { ...run, when: { Status: [0, 1] } },
    startTask: { ...run, when: { Status: [0, 2] } },
    /** Runs the failed serial numbers again. */
    retry: { ...run, when: { Status: [2, 4], Failing: [1] } },
  },
  fields: {
    TaskName: text({ required: true, search: true, max: 100, set: 'never' }),
    SeriesId: ref('productSeries', { set: 'never' }),
    TemplateProjectId: ref('project', { set: 'never', as: 'TemplateProjectName' }),
    NameRule: text({ required: true, set: 'never', max: 100 }),
    ...taskStateFields([0, 1, 2, 3, 4]),
  },
})

/** A serial number of a task, and the project created for it. */
export const productTaskRow = resource('productTaskRow', {
  path: '/V3/Product/ProductTask/Row',
  permission: productTask.permission,
  title: 'SN',
  order: 'Id',
  fields: {
    TaskId: ref('productTask', { required: true, set: 'never' }),
    SN: text({ required: true, search: true, set: 'never', max: 32 }),
    ProjectName: text({ required: true, search: true, set: 'never' }),
    ProjectId: ref('project', { set: 'never', as: 'MadeProjectName' }),
    ...rowStateFields,
  },
})

const place = /\{(?:(Series)|SN(?::last([1-9]))?|n(?::([1-9]))?)\}/g
/** A rule names projects with `{Series}`, `{SN}`, its end `{SN:last4}`, and the position in the list, `{n}` or `{n:3}` with three digits. */
export const isNameRule = (rule: string) => !/[{}]/.test(rule.replace(place, ''))
/** The name of one project. `n` counts from 1. */
export const nameOf = (rule: string, { series, SN, n }: { series: string; SN: string; n: number }) =>
  rule.replace(place, (match, isSeries, end?: string, digits?: string) => {
    if (isSeries) return series
    if (match.startsWith('{SN')) return end ? SN.slice(-Number(end)) : SN
    return String(n).padStart(Number(digits ?? 1), '0')
  })

/** The placeholders of a rule, for texts that explain it. */
export const rulePlaces = { Series: '{Series}', SN: '{SN}', SN4: '{SN:last4}', n: '{n}', n3: '{n:3}' }

/** Splits pasted serial numbers at line breaks, spaces, commas and semicolons. */
export const numbersIn = (text = '') => text.split(/[\s,;]+/).filter(Boolean)

/** Serial numbers that get no project, with their position from 1 and the reason. */
const Bad = Type.Object({ Line: Type.Integer(), SN: Type.String(), Reason: Type.String() })

export const productTaskCalls = {
  /** Starts a task. Bad serial numbers cause an error unless `SkipBad` omits them. A preview writes nothing. */
  add: call({
    method: 'POST',
    path: `${productTask.path}/ProBatchAddProductTask`,
    permission: `${productTask.permission}.add`,
    body: Type.Object({
      SeriesId: Id,
      TaskName: Type.Optional(Type.String({ maxLength: 100 })),
      NameRule: Type.String({ minLength: 1, maxLength: 100 }),
      SNs: Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: mostTargets }),
      SkipBad: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
      Preview: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
    }),
    answer: Type.Object({
      /** Null in a preview. */
      Id: Type.Union([Id, Type.Null()]),
      Total: Type.Integer(),
      Bad: Type.Array(Bad),
      /** The first names. */
      Names: Type.Array(Type.String()),
      Devices: Type.Integer(),
      Points: Type.Integer(),
    }),
  }),
  /** Removes a project that a task created, if it has no readings. */
  removeProject: call({
    method: 'DELETE',
    path: `${productTask.path}/ProductProject/:id`,
    permission: `${productTask.permission}.remove`,
    answer: Removed,
  }),
  sheet: call({
    method: 'GET',
    path: `${productTask.path}/TaskDetailExcel`,
    permission: productTask.permission,
    query: Type.Object({ ...ById.properties, Format: Type.Optional(Type.String()) }),
  }),
}
