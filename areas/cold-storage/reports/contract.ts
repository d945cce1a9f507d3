import { type Static, Type } from 'typebox'
import { ById, type Call, page } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { languages } from '../../../contract/languages.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { ReportDocument } from '../../analysis/reports/blocks.ts'
import { PlanCourse } from '../rooms/calls.ts'
import { coldAliases } from '../rooms/contract.ts'

const below = (suffix: string) => ({ path: `/ColdStorage${suffix}`, aliases: coldAliases.map((alias) => `${alias}${suffix}`) })

/** 1 running, 2 mapping, 3 running over a custom range. */
export const [running, check, phase] = [1, 2, 3] as const
/** 0 draft, 1 checked, 2 approved, 3 withdrawn. */
export const [draft, checked, approved, withdrawn] = [0, 1, 2, 3] as const
/** Of a running report: 1 day, 2 week, 3 month. */
export const periods = [1, 2, 3] as const
/** Before use, periodic, special, after a long stop. */
export const checkKinds = [1, 2, 3, 4] as const
export const loadStates = [0, 1] as const
/** Summer, winter, other. */
export const seasons = [1, 2, 3] as const

const celsius = { min: -100, max: 100, unit: '°C' } as const
const minutes = { min: 0, max: 44_640, unit: 'min' } as const

/** Acceptance criteria of a room. Immutable; saved with author and time. */
export const coldCriteria = resource('coldCriteria', {
  ...below('/ReportCriteria'),
  permission: 'm10734',
  title: 'CriteriaName',
  owner: 'ColdStorageId',
  order: '-SetTime',
  wire: { update: [], remove: [] },
  differs: { unsettable: 'Who saves it, and when, is written down.' },
  rules: [
    {
      name: 'coldBand',
      of: ['TempLow', 'TempHigh'],
      isBroken: ({ TempLow, TempHigh }) => typeof TempLow === 'number' && typeof TempHigh === 'number' && TempLow >= TempHigh,
    },
  ],
  fields: {
    CriteriaName: text({ required: true, max: 60, search: true }),
    ColdStorageId: ref('coldStorage', { required: true, set: 'create', as: 'StorageName', search: true }),
    TempLow: number({ ...celsius }),
    TempHigh: number({ ...celsius }),
    MaxUniformity: number({ min: 0, max: 100, unit: '°C' }),
    MaxFluctuation: number({ min: 0, max: 100, unit: '°C' }),
    MinPoints: number({ required: true, integer: true, default: 9, min: 1, max: 200 }),
    IntervalMin: number({ required: true, default: 5, min: 0.1, max: 60, unit: 'min' }),
    MinHours: number({ required: true, default: 48, min: 0.1, max: 744, unit: 'h' }),
    /** Maximum recovery time after a door opening, and minimum holding time without power. */
    RecoverMaxMin: number({ ...minutes }),
    PowerCutMinMin: number({ ...minutes }),
    DeltaH: number({ required: true, default: 83.144, min: 1, max: 1000, unit: 'kJ/mol' }),
    SetUserId: ref('user', { set: 'never', as: 'SetUserName' }),
    SetTime: instant({ required: true }),
  },
})

export const mostMarks = 20
/** Maximum size of a PDF to verify. */
export const mostPdfBytes = 20 * 1024 * 1024
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** A test with start and end: 1 recovery after a door opening, 2 holding without power. */
export const Mark = Type.Object({
  Kind: Type.Unsafe<1 | 2>(Type.Union([Type.Literal(1), Type.Literal(2)])),
  ...{ From: Time, To: Time },
})
export type Mark = Static<typeof Mark>

const password = text({ required: true, max: 200 })
/** Hash of the record that the signer saw. */
const seen = text({ required: true, max: 64, pattern: '^[0-9a-f]{64}$' })

/** A report of a room: computed in the background, then checked and approved. Immutable once approved. */
export const coldReport = resource('coldReport', {
  ...below('/Report'),
  permission: 'm10734',
  title: 'ReportNo',
  owner: 'ColdStorageId',
  order: '-EndTime',
  sheets: 'out',
  wire: { create: [], update: [] },
  differs: { create: 'It is generated of a room.' },
  acts: {
    recompute: { button: 'add', when: { State: [draft], Result: [1, 2, 3] }, asks: true },
    check: { button: 'check', when: { State: [draft], Result: [1, 2, 3] }, fields: { Pwd: password, RecordSha256: seen } },
    approve: { button: 'approve', when: { State: [checked] }, fields: { Pwd: password, RecordSha256: seen } },
    withdraw: {
      button: 'approve',
      when: { State: [approved] },
      fields: { Pwd: password, Reason: long({ required: true, max: 500 }) },
      danger: true,
    },
  },
  fields: {
    ReportNo: text({ required: true, max: 30, set: 'never', search: true }),
    ColdStorageId: ref('coldStorage', { required: true, set: 'never', as: 'StorageName', search: true }),
    ReportType: choice([running, check, phase], { required: true, set: 'never', search: true }),
    Period: choice(periods, { set: 'never' }),
    CheckKind: choice(checkKinds, { set: 'never', search: true }),
    LoadState: choice(loadStates, { set: 'never' }),
    Season: choice(seasons, { set: 'never' }),
    StartTime: instant({ required: true }),
    EndTime: instant({ required: true }),
    /** 0 until it is computed; 1 pass, 2 fail, 3 insufficient data. */
    Result: choice([0, 1, 2, 3], { required: true, default: 0, set: 'never', search: true }),
    State: choice([draft, checked, approved, withdrawn], { required: true, default: draft, set: 'never', search: true }),
    IsCompose: flag({ required: true, default: 0, set: 'never' }),
    Language: text({ required: true, max: 2, set: 'never' }),
    Purpose: long({ max: 500, set: 'never' }),
    CriteriaId: ref('coldCriteria', { set: 'never', as: 'CriteriaName' }),
    Marks: json({ required: true, default: [], schema: Type.Array(Mark, { maxItems: mostMarks }), set: 'never' }),
    /** 1: it could not be computed. */
    IsFailed: flag({ required: true, default: 0, set: 'never' }),
    /** File with the report's input data, and its SHA-256. */
    RecordPath: text({ max: 200, set: 'never' }),
    RecordSha256: text({ max: 64, set: 'never' }),
    /** The PDF issued on approval, and its SHA-256. */
    FileUrl: text({ max: 200, set: 'never' }),
    FileSha256: text({ max: 64, set: 'never' }),
    UserId: ref('user', { set: 'never', as: 'UserName' }),
    CheckUserId: ref('user', { set: 'never', as: 'CheckUserName' }),
    CheckTime: instant(),
    ApproveUserId: ref('user', { set: 'never', as: 'ApproveUserName' }),
    ApproveTime: instant(),
    WithdrawUserId: ref('user', { set: 'never', as: 'WithdrawUserName' }),
    WithdrawTime: instant(),
    WithdrawReason: long({ max: 500, set: 'never' }),
  },
})

/** How a company checks its reports. */
export const coldReportRules = settings('coldReportRules', {
  per: 'tenant',
  path: '/ColdStorage/ReportRules',
  permission: 'm10734',
  fields: {
    /** 1: authors may check their own reports. The approver is always a third person. */
    AuthorChecks: flag({ required: true, default: 0 }),
  },
})

const call = <const C extends Call>(c: C) => ({ ...c, aliases: coldAliases.map((alias) => c.path.replace('/ColdStorage', alias)) })
const codes = <const T extends readonly number[]>(of: T) => Type.Unsafe<T[number]>(Type.Union(of.map((one) => Type.Literal(one))))
/** The room by its Id, or by its gateway's SN. */
const room = { ColdStorageId: Type.Optional(Id), SN: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })) }
const Language = Type.Unsafe<(typeof languages)[number]>(Type.Union(languages.map((name) => Type.Literal(name))))
const row = schemas(coldReport).row

export const CheckAsk = Type.Object({
  ...{ ...room, Start: Time, End: Time, CheckKind: codes(checkKinds), LoadState: codes(loadStates), Season: codes(seasons) },
  Language: Type.Optional(Language),
  /** Defaults to the company's standard for the storage type, which is then saved as criteria. */
  CriteriaId: Type.Optional(Id),
  Purpose: Type.Optional(Type.String({ maxLength: 500 })),
  Marks: Type.Optional(Type.Array(Mark, { maxItems: mostMarks })),
})
export type CheckAsk = Static<typeof CheckAsk>
/** A day, week or month, given by any of its days, or a custom range. */
export const PhaseAsk = Type.Object({
  ...{ ...room, Language: Type.Optional(Language), Start: Type.Optional(Time), End: Type.Optional(Time) },
  Period: Type.Optional(codes(periods)),
  Day: Type.Optional(Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' })),
})
export type PhaseAsk = Static<typeof PhaseAsk>

const listOf = (path: string) => call({ method: 'POST', path, permission: 'm10734', reads: true, answer: page(row) })

export const coldReportCalls = {
  generateCheck: call({ method: 'POST', path: '/ColdStorage/GenerateReportCheck', permission: 'm10734.add', body: CheckAsk, answer: row }),
  generatePhase: call({ method: 'POST', path: '/ColdStorage/GenerateReportPhase', permission: 'm10734.add', body: PhaseAsk, answer: row }),
  /** For composed rooms, which the calls above refuse. */
  generateCheckCompose: call({
    ...{ method: 'POST', path: '/ColdStorage/GenerateReportCheckCompose', permission: 'm10734.add', body: CheckAsk, answer: row },
  }),
  generatePhaseCompose: call({
    ...{ method: 'POST', path: '/ColdStorage/GenerateReportPhaseCompose', permission: 'm10734.add', body: PhaseAsk, answer: row },
  }),
  checkList: listOf('/ColdStorage/ReportCheckList'),
  runningList: listOf('/ColdStorage/ReportRunningList'),
  /** The issued PDF, or a PDF marked as draft. */
  pdf: call({ method: 'GET', path: '/ColdStorage/Report/Pdf', permission: 'm10734', query: ById }),
  /** Pre-checks of a mapping report. IsOk: 1 yes, 0 no, 2 unknown. */
  preCheck: call({
    ...{ method: 'POST', path: '/ColdStorage/Report/PreCheck', permission: 'm10734', reads: true },
    body: Type.Object({
      ...{ ColdStorageId: Id, Start: Time, End: Time, MinPoints: Type.Integer({ minimum: 1, maximum: 200 }) },
      ...{ MinHours: Type.Number({ minimum: 0, maximum: 744 }), IntervalMin: Type.Number({ minimum: 0.1, maximum: 60 }) },
    }),
    answer: Type.Object({ Items: Type.Array(Type.Object({ Code: Type.String(), IsOk: Type.Integer(), Text: Type.String() })) }),
  }),
  /** The report's content in the caller's language, for display. */
  document: call({ method: 'GET', path: '/ColdStorage/Report/Document', permission: 'm10734', query: ById, answer: ReportDocument }),
  /** The points on the plan at moments of the report. */
  plan: call({ method: 'GET', path: '/ColdStorage/Report/Plan', permission: 'm10734', query: ById, answer: PlanCourse }),
  /** Whether a pdf, the body's only part, is the one that was issued under a number: 1 genuine, 2 altered, 3 unknown. */
  verify: call({
    ...{ method: 'POST', path: '/ColdStorage/Report/Verify', permission: 'm10735', reads: true },
    query: Type.Object({ ReportNo: Type.String({ minLength: 1, maxLength: 30 }) }),
    answer: Type.Object({
      ...{ Verdict: Type.Integer(), ReportNo: Type.String(), Sha256: Type.String() },
      State: Type.Union([Type.Integer(), Type.Null()]),
      ApproveTime: Type.Union([Type.String(), Type.Null()]),
      WithdrawReason: Type.Union([Type.String(), Type.Null()]),
    }),
  }),
}
