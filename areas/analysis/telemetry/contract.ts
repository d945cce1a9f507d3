import { type Static, Type } from 'typebox'
import { Changed, call, IdList, paging } from '../../../contract/call.ts'
import { number } from '../../../contract/field.ts'
import { Id } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { analysed as ofAnalysis, ParaInfo } from '../../../contract/telemetry.ts'

/** What the values of a point are: instantaneous, running counter, amount per reading, state, rate. Words at `point.CalDataType.<code>`. */
export const calDataTypes = [0, 1, 2, 3, 4] as const
/** Points that one question may name. */
export const mostPoints = 100
/** Points whose type one call sets. */
export const mostTyped = 500
export const mostReadingsHeld = 10_000_000
/** Stretches of one page. */
export const mostRuns = 5000

/** `EnoughCoverage`: figures with good readings for a smaller share of the time are marked. Set by who may change points. */
export const analysisSettings = settings('analysisSettings', {
  ...{ per: 'tenant', path: '/DataCenter/AnalysisSettings', permission: 'm10104', readBy: 'm10301' },
  fields: { EnoughCoverage: number({ integer: true, min: 0, max: 100, required: true, default: 95, unit: '%' }) },
})

export const divisions = ['none', 'hour', 'shift', 'day', 'week', 'month', 'quarter', 'year', 'weekday-hour'] as const
export type Division = (typeof divisions)[number]

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Nullable = Type.Union([Type.Number(), Type.Null()])
const Ids = Type.String({ minLength: 1, maxLength: 1600, pattern: '^\\d{1,15}(,\\d{1,15})*$' })
const Flag = Type.Integer({ minimum: 0, maximum: 1 })
const one = <const T extends readonly string[]>(names: T) => Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))))
const Limit = Type.Number({ minimum: 0, maximum: 1e15 })

/** A fall or a steep rise of a counter. `Open` 1: it has no answer yet. */
export const Mark = Type.Object({
  ...{ ParaId: Id, Time, Before: Type.Number(), After: Type.Number(), Open: Flag },
  Kind: one(['event', 'outlier', 'glitch', 'rollover']),
})
export type Mark = Static<typeof Mark>

const ofShift = {
  Shift: Type.Optional(Type.String({ description: 'By shift: its name.' })),
  Day: Type.Optional(Type.String({ description: 'By shift: the day on which it begins, YYYY-MM-DD.' })),
}
export const StatisticsRow = Type.Object(
  {
    Start: Type.Number({ description: 'Epoch ms; by weekday-hour the hour of the week, Monday 0:00 = 0.' }),
    ...ofShift,
    ...{ End: Type.Number(), Partial: Type.Integer({ description: '1: cut by the range that was asked for, or not over yet.' }) },
    ...{ Count: Type.Integer(), Uncertain: Type.Integer(), Bad: Type.Integer() },
    ...{ Min: Nullable, MinTime: Nullable, Max: Nullable, MaxTime: Nullable },
    ...{ First: Nullable, FirstTime: Nullable, Last: Nullable, LastTime: Nullable },
    Avg: Type.Union([Type.Number(), Type.Null()], { description: 'Plain mean of the readings.' }),
    Mean: Type.Union([Type.Number(), Type.Null()], { description: 'Weighted by the time for which each value held.' }),
    StdDev: Type.Union([Type.Number(), Type.Null()], { description: 'Of the readings, as of a whole population.' }),
    Sum: Type.Union([Type.Number(), Type.Null()], {
      description: 'By CalDataType: 1 what was counted, 2 the sum, 3 hours on, 4 the integral in unit x hours; 0 has none.',
    }),
    Spread: Type.Number({ description: 'Of what was counted, the part that lies in gaps of two hours or more.' }),
    Coverage: Type.Union([Type.Number(), Type.Null()], { description: 'Share of the time with good readings, 0 to 1.' }),
    ...{ LowMs: Nullable, HighMs: Nullable, Excursions: Nullable },
    ...{ OnMs: Nullable, OffMs: Nullable, Switchings: Nullable },
  },
  { description: 'Figures that only single readings give are null where the basis is roll-ups.' },
)
export type StatisticsRow = Static<typeof StatisticsRow>

const IoRow = Type.Object({
  ...{ ParaId: Id, Start: Type.Number(), End: Type.Number(), Partial: Type.Integer() },
  ...ofShift,
  ...{ OnMs: Type.Number(), OffMs: Type.Number(), UnknownMs: Type.Number() },
  ...{ Switchings: Type.Integer(), LongestOnMs: Type.Number(), FirstChange: Nullable, LastChange: Nullable },
})
export type IoRow = Static<typeof IoRow>
const IoRun = Type.Object({ ParaId: Id, Start: Type.Number(), End: Type.Number(), Value: Nullable })
export type IoRun = Static<typeof IoRun>

/** Shares of the time at which an answer names the value that was not exceeded. */
export const quantileShares = Array.from({ length: 101 }, (_, i) => i / 100)
/** Points of one question for a distribution: all their readings are looked at. */
export const mostSpread = 20
const DistributionRow = Type.Object({
  ...{ Start: Type.Number(), End: Type.Number(), Partial: Type.Integer() },
  ...ofShift,
  Box: Type.Union([Type.Array(Type.Number()), Type.Null()], { description: 'Minimum, quarter, median, three quarters, maximum; by time.' }),
})
export type DistributionRow = Static<typeof DistributionRow>

const Reading = Type.Object({ ParaId: Id, Time: Type.Number(), Value: Nullable, Quality: Type.Integer() })
export type Reading = Static<typeof Reading>

const PointStatus = Type.Object({
  ...{ ParaId: Id, ParaName: Type.String(), DeviceId: Id, DeviceName: Type.String() },
  ...{ CalDataType: Type.Integer(), LastTime: Nullable, LastValue: Nullable, Quality: Nullable },
  ...{ Coverage: Nullable, Bad: Type.Integer(), Uncertain: Type.Integer() },
  GapCount: Type.Integer(),
  Gaps: Type.Array(Type.Object({ Start: Type.Number(), End: Type.Number() }), { description: 'The longest ones, in order of time.' }),
  FlatSince: Type.Union([Type.Number(), Type.Null()], { description: 'The value has not changed since, for longer than usual.' }),
  OpenEvents: Type.Integer(),
  Late: Type.Integer({ description: 'Readings that came after newer ones, or as back-fill, on days (UTC) of the range.' }),
  Replaced: Type.Integer({ description: 'Readings that took the place of one of the same time, on days (UTC) of the range.' }),
})
export type PointStatus = Static<typeof PointStatus>

const at = (name: string) => `/DataCenter/ReportData/${name}`
const analysed = { ...ofAnalysis, reads: true } as const

export const analysisCalls = {
  statistics: call({
    ...{ method: 'GET', path: at('StaticsData'), ...analysed },
    query: Type.Object({
      ...{ ParaIds: Ids, Start: Time, End: Time, By: Type.Optional(one(divisions)) },
      Brief: Type.Optional(
        Type.Literal(1, {
          description: 'Sooner: of roll-ups wherever these know the mean over time. Moments and time out of limits are null.',
        }),
      ),
    }),
    answer: Type.Object({
      ...{ Start: Time, End: Time, By: one(divisions), TimeZone: Type.String() },
      Points: Type.Array(
        Type.Object({
          ...{ ParaId: Id, CalDataType: Type.Integer(), OpenEvents: Type.Integer() },
          Basis: one(['readings', 'rollups']),
          ...{ Rows: Type.Array(StatisticsRow), Marks: Type.Array(Mark, { description: 'The first 100.' }) },
        }),
      ),
    }),
  }),
  boolPoints: call({
    ...{ method: 'GET', path: at('DevBoolParaInfo'), ...analysed },
    query: Type.Object({ ProjectId: Type.Optional(Id), DeviceId: Type.Optional(Id) }),
    answer: Type.Array(ParaInfo),
  }),
  /** Points by parts of their name, their device's or its model's, of a device, or by Id: choosers ask while people type. */
  findPoints: call({
    ...{ method: 'GET', path: at('PointList'), ...analysed },
    query: Type.Object({
      Search: Type.Optional(Type.String({ maxLength: 100 })),
      DeviceId: Type.Optional(Id),
      ParaIds: Type.Optional(Ids),
      ProjectId: Type.Optional(Id),
      DeviceIds: Type.Optional(Ids),
      Common: Type.Optional(Type.Literal(1, { description: 'Those that charts preselect (IsChartShow 2).' })),
      Reports: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2,
          description: '1: points that reports offer (IsReportShow 1 or 2). 2: those that they preselect (2).',
        }),
      ),
      Computed: Type.Optional(Type.Literal(1, { description: 'Formula points, counters, amounts and rates alone.' })),
      Codes: Type.Optional(
        Type.String({ maxLength: 400, pattern: '^[a-z0-9_.,]+$', description: 'Codes of standard parameters, or how they begin.' }),
      ),
    }),
    answer: Type.Object({ Items: Type.Array(ParaInfo), More: Type.Integer({ description: '1: there are more than these.' }) }),
  }),
  /** Single readings in the order of time, page by page. */
  readings: call({
    ...{ method: 'POST', path: at('RawData'), ...analysed },
    body: Type.Object({
      ...{ ParaIds: IdList(mostPoints), Start: Time, End: Time },
      PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      AfterTime: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Of the last reading of the page before.' }),
      ),
      AfterPoint: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    }),
    answer: Type.Object({ Items: Type.Array(Reading), More: Flag }),
  }),
  io: call({
    ...{ method: 'POST', path: at('IOData'), ...analysed },
    body: Type.Object({
      ...{ ParaIds: IdList(mostPoints), Start: Time, End: Time, By: Type.Optional(one(divisions.slice(0, -1))) },
      ...paging(mostRuns),
    }),
    answer: Type.Object({
      ...{ Start: Time, End: Time, TimeZone: Type.String(), Rows: Type.Array(IoRow) },
      Runs: Type.Object({ TotalCount: Type.Integer(), Items: Type.Array(IoRun) }, { description: 'By point and time, a page of them.' }),
    }),
  }),
  /** For how long points were at which values. */
  distribution: call({
    ...{ method: 'POST', path: at('Distribution'), ...analysed },
    body: Type.Object({
      ...{ ParaIds: IdList(mostSpread), Start: Time, End: Time, By: Type.Optional(one(divisions.slice(0, -1))) },
      Bins: Type.Optional(Type.Integer({ minimum: 5, maximum: 100, description: 'About so many steps of round width. Default: 20.' })),
    }),
    answer: Type.Object({
      ...{ Start: Time, End: Time, TimeZone: Type.String() },
      Points: Type.Array(
        Type.Object({
          ...{ ParaId: Id, HeldMs: Type.Number() },
          ReadingsSince: Type.Union([Type.Number(), Type.Null()], {
            description: 'Readings before this time within the range are no longer kept, and roll-ups do not say how values spread.',
          }),
          Quantiles: Type.Array(Type.Number(), {
            description: 'Values not exceeded for 0, 1, … 100 % of the time; none without readings.',
          }),
          Bins: Type.Object({ Low: Type.Number(), Width: Type.Number(), Ms: Type.Array(Type.Number()) }),
          Rows: Type.Array(DistributionRow),
        }),
      ),
    }),
  }),
  dataStatus: call({
    ...{ method: 'POST', path: at('DataStatus/:ProjectId'), ...analysed },
    body: Type.Object({ Start: Type.Optional(Time), End: Type.Optional(Time), ...paging(mostPoints) }),
    answer: Type.Object({
      ...{ Start: Time, End: Time, TotalCount: Type.Integer(), Items: Type.Array(PointStatus) },
      Rejected: Type.Integer({ description: 'Readings of its gateways that were not stored and are kept.' }),
      CountedSince: Type.Number({
        description: 'Start of the counting period for late and replaced readings, epoch ms. A restart resets it.',
      }),
    }),
  }),
  /** What the values of a point are, and what was said of the falls and steep rises of its counter. */
  meaning: call({
    ...{ method: 'GET', path: at('PointMeaning'), ...analysed },
    query: Type.Object({ ParaId: Id, Start: Time, End: Time }),
    answer: Type.Object({
      ...{ ParaId: Id, CalDataType: Type.Integer(), MaxReading: Nullable, HourlyHigh: Nullable, Tolerance: Nullable },
      Marks: Type.Array(Mark, { description: 'The first 100.' }),
      Answers: Type.Array(
        Type.Object({
          ...{ Time: Type.Number(), Kind: Type.Integer(), OldEnd: Nullable, NewStart: Nullable },
          ...{ UserName: Type.String(), UpdateTime: Type.Number({ description: 'Epoch ms.' }) },
        }),
        { description: 'Of the range, in the order of time; the first 1,000.' },
      ),
    }),
  }),
  setType: call({
    method: 'POST',
    path: at('CalDataType/:ParaIds/:CalDataType'),
    permission: 'm10104.edit',
    query: Type.Object({
      MaxReading: Type.Optional(Limit),
      HourlyHigh: Type.Optional(Limit),
      Tolerance: Type.Optional(Limit),
    }),
    answer: Changed,
  }),
  answerEvent: call({
    method: 'POST',
    path: at('MeterEvent'),
    permission: 'm10104.edit',
    body: Type.Object({
      ...{ ParaId: Id, Time },
      Kind: Type.Integer({ minimum: 1, maximum: 4, description: '1 restarted at 0, 2 meter replaced, 3 wrong readings, 4 a true rise.' }),
      OldEnd: Type.Optional(Limit),
      NewStart: Type.Optional(Limit),
    }),
    answer: Changed,
  }),
}
