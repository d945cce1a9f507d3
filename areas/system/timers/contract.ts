import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { cronDefault } from '../../../contract/cron.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/**
 * Methods of timers, with words at `timer.Method.<name>`. `keep`: meaning of the Keep number, and its default.
 * `least`: minimum seconds between two runs.
 */
export const timerMethods = {
  backupDb: { keep: { counts: 'backups', standard: 7 }, least: 3600 },
  backupResource: { keep: { counts: 'backups', standard: 7 }, least: 3600 },
  cleanLogs: { keep: { counts: 'days', standard: 365 }, least: 60 },
  verifyLogs: { least: 60 },
  cleanSessions: { keep: { counts: 'days', standard: 30 }, least: 1 },
  cleanNotices: { keep: { counts: 'days', standard: 90 }, least: 1 },
  cleanFiles: { least: 60 },
  settleTelemetry: { least: 60 },
  reports: { least: 60 },
} as const satisfies Record<string, { keep?: { counts: 'backups' | 'days'; standard: number }; least: number }>
export type TimerMethod = keyof typeof timerMethods
export const timerMethodNames = Object.keys(timerMethods) as TimerMethod[]

/**
 * Initial tasks of an installation; users may change or remove all of them. While a name is unchanged, users
 * see it in their own language, `timer.standard.<method>`.
 */
export const standardTimers = {
  backupDb: { TimerName: 'Backup of the database', Cron: '0 30 2 * * ?' },
  backupResource: { TimerName: 'Backup of the files', Cron: '0 45 2 * * ?' },
  cleanSessions: { TimerName: 'Clean-up of sessions', Cron: '0 10 3 * * ?' },
  verifyLogs: { TimerName: 'Check of the logs', Cron: '0 0 4 ? * 1' },
  reports: { TimerName: 'Scheduled reports', Cron: '0 * * * * ?' },
} as const satisfies Partial<Record<TimerMethod, { TimerName: string; Cron: string }>>

/** Result of a run: running, done, failed, or missed because the server was down or the previous run had not ended. */
export const timerResults = [0, 1, 2, 3] as const

/** A scheduled task of the platform in its tenant's time zone (ruling 34a); runs in one server process at a time. */
export const timer = resource('timer', {
  path: '/System/Timer',
  permission: 'm10451',
  title: 'TimerName',
  order: 'TimerName',
  differs: { unsettable: 'The server works out when it runs next.' },
  acts: {
    /** Runs the task now, in addition to the schedule; refused while it runs. */
    run: { button: 'run', touches: ['timerLog'] },
    enable: { button: 'enable', set: { Status: 1 } },
    disable: { button: 'enable', set: { Status: 0 } },
  },
  fields: {
    TimerName: text({ required: true, unique: true, search: true }),
    Method: choice(timerMethodNames, { required: true, search: true }),
    Keep: number({ integer: true, min: 1, max: 3650 }),
    Cron: text({ required: true, max: 200, validator: 'cron', default: cronDefault }),
    /** Handling of times missed while no server ran: 0 only log, 1 run once. */
    MissPolicy: choice([0, 1], { required: true, default: 0 }),
    /** 0 disabled, 1 enabled; changed by separate calls. */
    Status: choice([1, 0], { required: true, default: 1, set: 'create', search: true }),
    NextTime: instant(),
    LastTime: instant({ age: true }),
    LastResult: choice(timerResults, { set: 'never' }),
    Remark: long(),
  },
})

/** One run, or a number of missed ones. Its result is `timer.said.<Wording>` with the values. */
export const timerLog = resource('timerLog', {
  path: '/System/TimerLog',
  permission: 'm10451',
  title: 'StartTime',
  owner: 'TimerId',
  order: '-Id',
  fields: {
    TimerId: ref('timer', { required: true, as: 'TimerName', set: 'never' }),
    StartTime: instant({ required: true }),
    DurationMs: number({ integer: true, unit: 'ms', set: 'never' }),
    Result: choice(timerResults, { required: true, set: 'never' }),
    /** 1: started by a user. */
    ByHand: flag({ required: true, set: 'never' }),
    /** Number of scheduled runs in this entry. */
    Fires: number({ integer: true, required: true, set: 'never' }),
    Wording: text({ required: true, set: 'never' }),
    WordValues: json({ schema: {}, set: 'never' }),
    /** The server process that ran it. */
    Process: text({ max: 100, set: 'never' }),
  },
})

export const timerCalls = {
  methods: call({
    method: 'GET',
    path: '/System/Timer/MethodList',
    permission: 'm10451',
    answer: Type.Array(
      Type.Object({
        Method: Type.String(),
        MethodName: Type.String(),
        /** Unit of Keep, `backups` or `days`, and its default. */
        KeepCounts: Type.Union([Type.String(), Type.Null()]),
        KeepStandard: Type.Union([Type.Integer(), Type.Null()]),
        LeastSeconds: Type.Integer(),
      }),
    ),
  }),
}
