import { type TSchema, Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, flag, instant, json, number, ref, text } from '../../../contract/field.ts'
import { languages } from '../../../contract/languages.ts'
import { Id, resource } from '../../../contract/resource.ts'
import type { Rule } from '../../../contract/rules.ts'
import { settings } from '../../../contract/settings.ts'
import { abouts, deviceFields } from '../reports/about.ts'
import { reportFormats, wholePeriods } from '../reports/contract.ts'

/** People of one schedule. */
export const mostReceivers = 100
/** Maximum size of an attachment, bytes. E-mails about larger files contain a link. */
export const mostAttached = 10 * 1024 * 1024
/** Roles of one schedule. */
export const mostRoles = 20
/** Seconds between two times of a schedule at least. */
export const leastApart = 3600
/** Days in which late data marks a report. */
export const lateDays = 31
/** E-mail addresses outside the company, of one schedule. */
export const mostOutside = 20
/** How long a link works without a sign-in, days. */
export const linkDays = 7

const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const domain = `${label}(\\.${label})+`
const addressPattern = `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${domain}$`

/** External domains that reports may be sent to; none by default. */
export const reportDelivery = settings('reportDelivery', {
  per: 'tenant',
  path: '/System/ReportDelivery',
  permission: 'm10432',
  readBy: 'm10316',
  fields: {
    /** Domains of e-mail addresses, each as it is written behind the @. */
    Domains: text({ max: 1000, pattern: `^(${domain}([,;\\s]+|$))*$` }),
    /** Whether reports may be opened by a link without a sign-in. */
    OpenLinks: flag({ required: true, default: 0 }),
  },
})
export const domainsOf = (text: string | null) =>
  (text ?? '')
    .toLowerCase()
    .split(/[,;\s]+/)
    .filter(Boolean)
export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const scheduleRules: readonly Rule[] = [
  {
    name: 'taken',
    of: ['Outside'],
    isBroken: ({ Outside }) => new Set(listOf(Outside).map((a) => a.toLowerCase())).size < listOf(Outside).length,
  },
]

/** The period of its template, or the last whole one of a unit; a shift is one of its project. */
export const schedulePeriods = ['template', ...wholePeriods, 'shift'] as const
const Period = choice(schedulePeriods, { required: true, default: 'template' })

/** A report that is made by the clock of the company's zone, about the last whole period. */
export const reportSchedule = resource('reportSchedule', {
  path: '/DataCenter/ReportSchedule',
  permission: 'm10316',
  title: 'ScheduleName',
  order: 'ScheduleName',
  rules: scheduleRules,
  differs: { unsettable: 'The server notes whose it is, and works out when it is due.' },
  acts: {
    /** Makes a report of the last whole period now, without sending it: of another unit than the schedule's, too. */
    run: { button: 'run', touches: ['reportRun'], fields: { Period } },
    /** The same, sent by e-mail to the caller alone. */
    test: { button: 'run', touches: ['reportRun'] },
    enable: { button: 'enable', set: { Status: 1 } },
    disable: { button: 'enable', set: { Status: 0 } },
  },
  fields: {
    ScheduleName: text({ required: true, unique: true, search: true, max: 60 }),
    ReportTemplateId: ref('reportTemplate', { required: true, search: true, as: 'TemplateName' }),
    /** By the clock, or at the end of each shift of a project, about that shift. */
    Trigger: choice(['clock', 'shift'], { required: true, default: 'clock' }),
    Cron: text({ required: true, max: 200, validator: 'cron', default: '0 0 6 * * ?' }),
    /** At the end of each shift, that shift. */
    Period,
    /** What its template is about, or something else. */
    About: choice(['template', ...abouts], { required: true, default: 'template', search: true }),
    GroupId: ref('reportGroup', { as: 'GroupName' }),
    /** Whose points it is about, and whose shifts it goes by. */
    ProjectId: ref('project'),
    ...deviceFields,
    /** Minutes for data that come late. */
    WaitMinutes: number({ integer: true, min: 0, max: 1440, required: true, default: 0, unit: 'min' }),
    Format: choice(reportFormats, { required: true, default: 'pdf' }),
    /** Of those who have none of their own. */
    Language: choice(languages, { required: true, default: 'en' }),
    /** Users who get it by e-mail, each in their own language. */
    Receivers: json({ required: true, default: [], schema: Type.Array(Id, { maxItems: mostReceivers }) }),
    /** Roles whose members at the time of sending also receive it. */
    ReceiverRoles: json({ required: true, default: [], schema: Type.Array(Id, { maxItems: mostRoles }) }),
    /** Addresses outside, of domains that the company lists. */
    Outside: json({
      required: true,
      default: [],
      schema: Type.Array(Type.String({ maxLength: 200, pattern: addressPattern }), { maxItems: mostOutside }),
    }),
    /** Outside addresses that may receive reports with cost. */
    MoneyOutside: json({
      required: true,
      default: [],
      schema: Type.Array(Type.String({ maxLength: 200, pattern: addressPattern }), { maxItems: mostOutside }),
    }),
    /** The file itself, a link that needs a sign-in, or one that needs none. */
    SendAs: choice(['file', 'link', 'openLink'], { required: true, default: 'file' }),
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
export const outcomes = ['attached', 'linked', 'openLinked', 'notAllowed', 'noAddress', 'notListed', 'noLink', 'noMoney'] as const
export type Delivered = { UserId: number | null; UserName: string; Outcome: (typeof outcomes)[number]; Language?: string }
/** A figure of a point over the whole period: in the file, and with the readings that came later. */
export type LateFigure = { Name: string; Unit: string; Digits: number; Before: number | null; After: number | null }
/** The file of a report in a language. */
export type ReportFile = { Language: string; FileName: string; FileBytes: number; Sha256: string }

/** A report that was made. Later versions of a period stand beside the first. */
export const reportRun = resource('reportRun', {
  path: '/DataCenter/ReportRun',
  permission: 'm10317',
  title: 'FileName',
  order: '-Id',
  sheets: 'out',
  acts: {
    /** Lets people read it who do not see all its points: one by name, those of a role or of an organisation. */
    release: { button: 'release', when: { Status: [2] }, fields: { PersonId: ref('user'), RoleId: ref('role'), OrganId: ref('organ') } },
    withdraw: { button: 'release', danger: true },
    /** Ends its links that open without a sign-in. */
    endLinks: { button: 'release', danger: true, when: { OpenLinks: [1] } },
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
    /** When its making began and ended, the last time that it was tried. */
    StartTime: instant(),
    EndTime: instant(),
    /** Seconds. */
    Duration: number({ set: 'never' }),
    Format: choice(reportFormats, { required: true, set: 'never' }),
    FileBytes: number({ integer: true, set: 'never' }),
    Sha256: text({ max: 64, set: 'never' }),
    Coverage: number({ set: 'never' }),
    /** Points of which readings of its period came, or were replaced, after it was made. */
    LatePoints: number({ integer: true, required: true, set: 'never', default: 0 }),
    /** How far these move its figures. */
    Late: json({ set: 'never' }),
    ByHand: flag({ required: true, set: 'never', default: 0 }),
    Deliveries: json({ set: 'never' }),
    /** Files in the languages of those who got it; the first is the schedule's. */
    Files: json({ set: 'never' }),
    /** Whether it was sent with links that open without a sign-in. */
    OpenLinks: flag({ required: true, set: 'never', default: 0 }),
    ReleasedUsers: json({ required: true, set: 'never', default: [], schema: Type.Array(Id, { maxItems: 100 }) }),
    ReleasedRoles: json({ required: true, set: 'never', default: [], schema: Type.Array(Id, { maxItems: 100 }) }),
    ReleasedOrgans: json({ required: true, set: 'never', default: [], schema: Type.Array(Id, { maxItems: 100 }) }),
    UserId: ref('user', { set: 'never' }),
  },
})

const Text = Type.String()
const Count = Type.Integer()
const orNull = <T extends TSchema>(of: T) => Type.Union([of, Type.Null()])
const Token = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })

export const reportRunCalls = {
  /** In a language of its files, or in the schedule's. */
  file: call({
    ...{ method: 'GET', path: `${reportRun.path}/File`, permission: reportRun.permission },
    query: Type.Object({ Id, Language: Type.Optional(Type.String({ maxLength: 5 })) }),
  }),
  /** Recipients, replies of the mail server, and how often links were opened. */
  sent: call({
    ...{ method: 'GET', path: `${reportRun.path}/Sent`, permission: reportRun.permission, query: ById },
    answer: Type.Array(
      Type.Object({
        ...{ UserName: Text, Outcome: Type.Unsafe<Delivered['Outcome']>(Text), Language: orNull(Text) },
        ...{ SendStatus: orNull(Count), ErrorText: orNull(Text) },
        ...{ Opens: orNull(Count), OpenTime: orNull(Count), ValidTo: orNull(Count) },
      }),
    ),
  }),
  /** Users who can get reports by e-mail. */
  receivers: call({
    ...{ method: 'GET', path: `${reportSchedule.path}/Receivers`, permission: reportSchedule.permission },
    answer: Type.Array(Type.Object({ Id: Type.Integer(), UserName: Type.String(), HasEmail: Type.Integer() })),
  }),
}

/** Public: link holders have no account. The token goes in the body, because URLs are logged. */
export const reportLinkCalls = {
  open: call({
    ...{ method: 'POST', path: '/Share/Report', permission: 'public', reads: true, body: Type.Object({ Token }) },
    answer: Type.Object({ FileName: Text, FileBytes: Count, CompanyName: Text, ValidTo: Count }),
  }),
  /** Each download counts. */
  file: call({ method: 'POST', path: '/Share/ReportFile', permission: 'public', reads: true, body: Type.Object({ Token }) }),
}
