import { Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, flag, instant, json, number, ref, text } from '../../../contract/field.ts'
import { languages } from '../../../contract/languages.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { reportFormats } from '../reports/contract.ts'

/** People of one schedule. */
export const mostReceivers = 100
/** Bytes that go along with an e-mail; of a larger file it says where that lies. */
export const mostAttached = 10 * 1024 * 1024
/** Seconds between two times of a schedule at least. */
export const leastApart = 3600
/** Days in which late data marks a report. */
export const lateDays = 31

/** A report that is made by the clock of the company's zone, about the last whole period of its template. */
export const reportSchedule = resource('reportSchedule', {
  path: '/DataCenter/ReportSchedule',
  permission: 'm10316',
  title: 'ScheduleName',
  order: 'ScheduleName',
  differs: { unsettable: 'The server notes whose it is, and works out when it is due.' },
  acts: {
    /** Makes a report of the last whole period now; it is sent to nobody. */
    run: { button: 'run', touches: ['reportRun'] },
    /** The same, sent by e-mail to the caller alone. */
    test: { button: 'run', touches: ['reportRun'] },
    enable: { button: 'enable', set: { Status: 1 } },
    disable: { button: 'enable', set: { Status: 0 } },
  },
  fields: {
    ScheduleName: text({ required: true, unique: true, search: true, max: 60 }),
    ReportTemplateId: ref('reportTemplate', { required: true, search: true, as: 'TemplateName' }),
    Cron: text({ required: true, max: 200, validator: 'cron', default: '0 0 6 * * ?' }),
    /** Minutes for data that come late. */
    WaitMinutes: number({ integer: true, min: 0, max: 1440, required: true, default: 0, unit: 'min' }),
    Format: choice(reportFormats, { required: true, default: 'pdf' }),
    Language: choice(languages, { required: true, default: 'en' }),
    /** Users who get it by e-mail. */
    Receivers: json({ required: true, default: [], schema: Type.Array(Id, { maxItems: mostReceivers }) }),
    /** Reports that are kept; older ones are removed. */
    Keep: number({ integer: true, min: 1, max: 400, required: true, default: 31 }),
    Status: choice([1, 0], { required: true, default: 1, set: 'create', search: true }),
    NextTime: instant(),
    /** Why it was stopped by the server: a key of a fault. */
    Reason: text({ max: 60, set: 'never' }),
    /** Whose sight its reports have. */
    UserId: ref('user', { set: 'never' }),
  },
})

/** Words at `reportRun.Status.<code>`. */
export const runStatus = { waiting: 0, running: 1, done: 2, failed: 3 } as const
/** What became of a report for a person. Words at `reportRun.outcome.<name>`. */
export type Delivered = { UserId: number; UserName: string; Outcome: 'attached' | 'linked' | 'notAllowed' | 'noAddress' }

/** A report that was made. Later versions of a period stand beside the first. */
export const reportRun = resource('reportRun', {
  path: '/DataCenter/ReportRun',
  permission: 'm10317',
  title: 'FileName',
  order: '-Id',
  acts: {
    /** Lets people read it who do not see all its points: those of a role or an organisation. */
    release: { button: 'release', when: { Status: [2] }, fields: { RoleId: ref('role'), OrganId: ref('organ') } },
    withdraw: { button: 'release', danger: true },
    /** Makes it again of the same period, as the next version. */
    remake: { button: 'remake', asks: true, when: { Status: [2, 3] } },
  },
  fields: {
    FileName: text({ max: 200, set: 'never', search: true }),
    ScheduleId: ref('reportSchedule', { set: 'never', search: true, as: 'ScheduleName' }),
    PeriodStart: instant(),
    PeriodEnd: instant(),
    Version: number({ integer: true, set: 'never' }),
    Status: choice([0, 1, 2, 3], { required: true, set: 'never', default: 0, search: true }),
    /** Why it failed: a key of a fault. */
    Reason: text({ max: 60, set: 'never' }),
    /** When it is tried again by itself. */
    RetryTime: instant(),
    Format: choice(reportFormats, { required: true, set: 'never' }),
    FileBytes: number({ integer: true, set: 'never' }),
    Sha256: text({ max: 64, set: 'never' }),
    Coverage: number({ set: 'never' }),
    /** Points of which readings of its period came after it was made. */
    LatePoints: number({ integer: true, required: true, set: 'never', default: 0 }),
    ByHand: flag({ required: true, set: 'never', default: 0 }),
    Deliveries: json({ set: 'never' }),
    ReleasedRoles: json({ required: true, set: 'never', default: [], schema: Type.Array(Id, { maxItems: 100 }) }),
    ReleasedOrgans: json({ required: true, set: 'never', default: [], schema: Type.Array(Id, { maxItems: 100 }) }),
    UserId: ref('user', { set: 'never' }),
  },
})

export const reportRunCalls = {
  file: call({ method: 'GET', path: `${reportRun.path}/File`, permission: reportRun.permission, query: ById }),
  /** Users who can get reports by e-mail. */
  receivers: call({
    ...{ method: 'GET', path: `${reportSchedule.path}/Receivers`, permission: reportSchedule.permission },
    answer: Type.Array(Type.Object({ Id: Type.Integer(), UserName: Type.String(), HasEmail: Type.Integer() })),
  }),
}
