import { Type } from 'typebox'
import { IdList } from '../../../contract/call.ts'
import { choice, flag, instant, long, number, ref, text } from '../../../contract/field.ts'
import { resource, schemas } from '../../../contract/resource.ts'

export const taskKind = { push: 1, apply: 2 } as const
export const taskStatus = { waiting: 0, running: 1, paused: 2, done: 3, doneWithErrors: 4, cancelled: 5 } as const
export const rowStatus = { waiting: 0, running: 1, done: 3, failed: 4, cancelled: 5 } as const
/** Why the server paused a task: too many rows failed, or the time window ended. */
export const stopReason = { failures: 1, window: 2 } as const

/** Gateways or devices of one task. */
export const mostTargets = 1000
/** Unfinished tasks of a company. */
export const mostUnfinished = 100

/** The state of a task, which the runner writes. */
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

/** Work on many gateways or devices that goes on in the background. */
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
    /** 1 push configurations, 2 apply a model. */
    Kind: choice([1, 2], { required: true, search: true, set: 'create' }),
    ...taskStateFields([0, 1, 2, 3, 4, 5]),
    /** The task pauses after so many failures. */
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

/** The targets of a new task: gateways to push, or devices of a model. */
export const taskDraft = Type.Object({
  ...schemas(projectTask).draft.properties,
  GatewayIds: Type.Optional(IdList(mostTargets)),
  DeviceIds: Type.Optional(IdList(mostTargets)),
})
