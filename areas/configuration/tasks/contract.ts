import { type TNull, type TString, type TUnion, Type } from 'typebox'
import { ById, call, IdList } from '../../../contract/call.ts'
import { choice, flag, instant, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas, valueSchema } from '../../../contract/resource.ts'

export const taskKind = { push: 1, apply: 2, check: 3, copy: 4, addDevices: 5, importPoints: 6, importDevices: 7, train: 8 } as const
export type TaskKind = (typeof taskKind)[keyof typeof taskKind]
/** Permission for the work of a task, by kind. */
export const taskRight = {
  [taskKind.push]: 'm10102.push',
  [taskKind.apply]: 'm10110.apply',
  [taskKind.check]: 'm10104',
  [taskKind.copy]: 'm10101.add',
  [taskKind.addDevices]: 'm10103.add',
  [taskKind.importPoints]: 'm10104.import',
  [taskKind.importDevices]: 'm10103.edit',
  [taskKind.train]: 'm10716.train',
} as const satisfies Record<TaskKind, string>
export const taskStatus = { waiting: 0, running: 1, paused: 2, done: 3, doneWithErrors: 4, cancelled: 5 } as const
export const rowStatus = { waiting: 0, running: 1, done: 3, failed: 4, cancelled: 5 } as const
/** Why the server paused a task: too many rows failed, or the time window ended. */
export const stopReason = { failures: 1, window: 2 } as const

/** Maximum gateways or devices of one task. */
export const mostTargets = 1000
/** Limit of unfinished imports per company, and of failed ones whose sheets are retained for a retry. */
export const mostImports = 10
/** Maximum unfinished tasks of a company. */
export const mostUnfinished = 100

/** The state of a task. Only the runner writes it. */
export const taskStateFields = <const S extends readonly number[]>(statuses: S) => ({
  Status: choice(statuses, { required: true, search: true, set: 'never', default: 0 }),
  StopReason: choice([1, 2], { set: 'never' }),
  Total: number({ integer: true, set: 'never', required: true, default: 0 }),
  Done: number({ integer: true, set: 'never', required: true, default: 0 }),
  Failed: number({ integer: true, set: 'never', required: true, default: 0 }),
  /** 1 while rows have failed. */
  Failing: flag({ set: 'never', required: true, default: 0 }),
  StartTime: instant(),
  EndTime: instant(),
  UserId: ref('user', { set: 'never' }),
})
/** The state of a row of a task. */
export const rowStateFields = {
  Status: choice([0, 1, 3, 4, 5], { required: true, search: true, set: 'never', default: 0 }),
  Reason: text({ set: 'never', max: 500 }),
  StartTime: instant(),
  EndTime: instant(),
  UserId: ref('user', { set: 'never' }),
} as const

/** Background job on many gateways or devices. */
export const projectTask = resource('projectTask', {
  path: '/Project/ProjectTask',
  permission: 'm10124',
  title: 'TaskName',
  order: '-Id',
  differs: { create: 'It names the gateways or devices that get a row each.' },
  acts: {
    pause: { button: 'run', when: { Status: [0, 1] } },
    resume: { button: 'run', when: { Status: [2] } },
    /** Runs the failed rows again. */
    retry: { button: 'run', when: { Status: [2, 4], Failing: [1] }, touches: ['projectTaskRow'] },
    cancel: { button: 'run', danger: true, when: { Status: [0, 1, 2] }, touches: ['projectTaskRow'] },
  },
  fields: {
    TaskName: text({ required: true, search: true, max: 100 }),
    /** 1 push configurations, 2 apply a model, 3 check points, 4 copy a project, 5 add devices, 6 import points, 7 import devices, 8 train a model. */
    Kind: choice([1, 2, 3, 4, 5, 6, 7, 8], { required: true, search: true, set: 'create' }),
    ...taskStateFields([0, 1, 2, 3, 4, 5]),
    /** Number of failures that pauses the task. */
    StopAfter: number({ integer: true, required: true, min: 1, max: mostTargets, default: 1 }),
    /** No row starts before the first moment or after the second. */
    PlannedTime: instant({ set: 'always' }),
    UntilTime: instant({ set: 'always' }),
    ModelId: ref('proModel', { set: 'create' }),
    RemoveGone: flag({ required: true, set: 'create', default: 0 }),
    Remark: long(),
  },
})

/** One gateway or device of a task. */
export const projectTaskRow = resource('projectTaskRow', {
  path: '/Project/ProjectTask/Row',
  permission: projectTask.permission,
  title: 'Target',
  order: 'Id',
  fields: {
    TaskId: ref('projectTask', { required: true, set: 'never' }),
    Target: text({ required: true, search: true, set: 'never', max: 100 }),
    GatewayId: ref('gateway', { set: 'never' }),
    DeviceId: ref('device', { set: 'never' }),
    ...rowStateFields,
  },
})

/** Result of a check of a point. Checks run in this order and stop at the first match. */
export const finding = { none: 0, notPushed: 1, noAnswer: 2, refused: 3, uncertain: 4, outOfRange: 5, unchanged: 6 } as const

/** The result of a point's check: a row of the commissioning report. */
export const pointCheck = resource('pointCheck', {
  path: '/Project/ProjectTask/Check',
  permission: projectTask.permission,
  readBy: taskRight[taskKind.check],
  title: 'ParaName',
  order: '-Finding',
  fields: {
    TaskId: ref('projectTask', { required: true, set: 'never' }),
    DeviceId: ref('device', { set: 'never' }),
    Target: text({ required: true, search: true, set: 'never', max: 100 }),
    ParaName: text({ required: true, search: true, set: 'never' }),
    Address: text({ set: 'never' }),
    Value: number({ set: 'never' }),
    ParaUnitName: text({ set: 'never' }),
    Finding: choice(Object.values(finding), { required: true, search: true, set: 'never', default: finding.none }),
    /** The range that the value exceeds. */
    RangeLow: number({ set: 'never' }),
    RangeHigh: number({ set: 'never' }),
    /** Null if no value was read. */
    ReadTime: instant(),
    UserId: ref('user', { set: 'never' }),
  },
})
/** Reports of checks retained per company. */
export const keptChecks = 50

export const projectTaskCalls = {
  /** The report of a check, as a sheet. */
  report: call({
    method: 'GET',
    path: `${projectTask.path}/Report`,
    permission: taskRight[taskKind.check],
    query: Type.Object({ ...ById.properties, Format: Type.Optional(Type.String()) }),
  }),
}

/** The targets of a new task: gateways to push, or devices. */
export const taskDraft = Type.Object({
  ...schemas(projectTask).draft.properties,
  /** Other kinds have their own calls, which take `AsTask`. */
  Kind: Type.Union([Type.Literal(taskKind.push), Type.Literal(taskKind.apply), Type.Literal(taskKind.check)]),
  GatewayIds: Type.Optional(IdList(mostTargets)),
  DeviceIds: Type.Optional(IdList(mostTargets)),
  /** Replaces DeviceIds: all devices of this project. */
  ProjectId: Type.Optional(Id),
})

/** For a call that can run as a task: each step in its own transaction, none before the planned time. */
export const asTask = {
  AsTask: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  PlannedTime: Type.Optional(valueSchema(instant()) as TUnion<[TString, TNull]>),
}
