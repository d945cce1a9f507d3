import { type Static, Type } from 'typebox'
import { call, IdList } from './call.ts'
import { Id } from './resource.ts'

/** The level of alarms of a point's limits, and of values beyond them: medium. */
export const limitLevel = 2

/** Whether a device of this Status has values that are those of now: offline and not answering, it has not. */
export const isGone = (deviceStatus: number) => deviceStatus === 0 || deviceStatus === 2

/** A live value is stale when it is older than two readings that were to be expected, with a second's grace for the way. */
export const isStale = (time: number, expectedMs: number, now: number): boolean => now - time > 2 * expectedMs + 1000

/** Quality of a reading: 0 good, 1 uncertain, 2 timeout, 3 exception, 4 not configured. 2 to 4 carry no value. */
export const Quality = { good: 0, uncertain: 1, timeout: 2, exception: 3, notConfigured: 4 } as const

const qualityWords = ['good', 'uncertain', 'timeout', 'exception', 'notConfigured'] as const
/** What is to be said of a reading. Words at `reading.<word>`. */
export type ReadingWord = (typeof qualityWords)[number] | 'none' | 'stale' | 'low' | 'high'
/** Stale comes first: of an old value, or one of a device that is gone, nobody knows whether it still passes a limit. */
export const readingWord = (
  p: { ExpectedMs: number; AlarmLow: number | null; AlarmHigh: number | null; DeviceStatus: number },
  latest: { Time: number; Value: number | null; Quality: number } | undefined,
  now: number,
): ReadingWord => {
  if (!latest) return 'none'
  if (isGone(p.DeviceStatus) || isStale(latest.Time, p.ExpectedMs, now)) return 'stale'
  if (latest.Quality >= Quality.timeout || latest.Value === null) return qualityWords[latest.Quality] ?? 'exception'
  if (p.AlarmHigh !== null && latest.Value > p.AlarmHigh) return 'high'
  if (p.AlarmLow !== null && latest.Value < p.AlarmLow) return 'low'
  return latest.Quality === Quality.uncertain ? 'uncertain' : 'good'
}

/** Why a reading was not stored. Words at `rejection.<reason>`. */
export const rejections = [
  'malformed',
  'unknownPoint',
  'foreignPoint',
  'notANumber',
  'tooOld',
  'tooFarAhead',
  'tooLarge',
  'unknownField',
  'tenantClosed',
  'formerGateway',
  'notParsed',
  'unknownKey',
] as const
export type Rejection = (typeof rejections)[number]

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Nullable = Type.Union([Type.Number(), Type.Null()])

/** What a series can hold beside its times. The last three only come when asked for. */
export const seriesColumns = ['Min', 'Max', 'Avg', 'First', 'Last', 'Count', 'Mean', 'Coverage', 'Sum'] as const
export type SeriesColumn = (typeof seriesColumns)[number]
export const mostCompared = 8

/** `Start` and `End` are epoch ms, End excluded. */
const Range = {
  ...{ ParaIds: IdList(100), Start: Time, End: Time },
  Columns: Type.Optional(
    Type.Array(Type.Unsafe<SeriesColumn>(Type.Union(seriesColumns.map((name) => Type.Literal(name)))), {
      maxItems: seriesColumns.length,
      description: 'The columns that are wanted; the others are empty. Without it, all but Mean, Coverage and Sum.',
    }),
  ),
  Compare: Type.Optional(
    Type.Array(Time, { maxItems: mostCompared, description: 'Starts of other ranges of the same length, answered at Compared.' }),
  ),
  Shape: Type.Optional(Type.Literal('deltas', { description: 'Answers Deltas instead of Series: a tenth of the bytes.' })),
}

/** Columns of equal length, one entry a bucket that holds at least one reading. Time is the bucket's start. */
export const Series = Type.Object({
  ParaId: Id,
  /** True when each entry is one stored reading (it fitted into the asked number). */
  Raw: Type.Boolean(),
  Time: Type.Array(Type.Number()),
  Min: Type.Array(Nullable),
  Max: Type.Array(Nullable),
  Avg: Type.Array(Nullable),
  First: Type.Array(Nullable),
  Last: Type.Array(Nullable),
  Count: Type.Array(Type.Number()),
  Mean: Type.Optional(Type.Array(Nullable, { description: 'Weighted by the time for which each value held.' })),
  Coverage: Type.Optional(Type.Array(Nullable, { description: 'Share of the time with good readings, 0 to 1.' })),
  Sum: Type.Optional(Type.Array(Nullable, { description: 'By CalDataType, as in StaticsData.' })),
})
export type Series = Static<typeof Series>

const Differences = Type.Array(Type.Union([Type.Integer(), Type.Null()]))
/** The same series for `Shape: 'deltas'`, in small whole numbers. */
export const DeltaSeries = Type.Object(
  {
    ParaId: Id,
    Raw: Type.Boolean(),
    Digits: Type.Integer({
      description: 'A value is its sum divided by 10 to the power of Digits, which may be negative. Time and Count are whole.',
    }),
    Time: Type.Array(Type.Integer(), { description: 'The first is epoch ms, each further one the ms since the one before.' }),
    Value: Type.Optional(Differences),
    Avg: Type.Optional(Differences),
    Below: Type.Optional(Differences),
    Above: Type.Optional(Differences),
    Count: Type.Optional(Type.Array(Type.Integer())),
  },
  {
    description:
      'Time, Value, Avg and Count hold the difference of each entry from the one before: add a column up, passing over nulls. Min is Avg less ' +
      'Below, Max is Avg and Above. Values are rounded to the digits that the point shows, or to a 2,000th of their range where that is ' +
      'finer. A raw series has Value only; any other has Avg, Below, Above and Count.',
  },
)
export type DeltaSeries = Static<typeof DeltaSeries>

const answered = {
  Start: Time,
  End: Time,
  /** ms, 0 when units are calendar units */ Step: Type.Number(),
  TimeZone: Type.String(),
  Series: Type.Array(Series),
  Deltas: Type.Optional(Type.Array(DeltaSeries, { description: 'Instead of Series, where Shape asks for it; Series is empty then.' })),
}
export const SeriesAnswer = Type.Object({
  ...answered,
  Compared: Type.Optional(Type.Array(Type.Object(answered), { description: 'The ranges of Compare, in their order.' })),
})
export type SeriesAnswer = Static<typeof SeriesAnswer>

export const ParaInfo = Type.Object({
  ParaId: Id,
  ParaName: Type.String(),
  ParaUnitName: Type.String(),
  ParaDataTypeName: Type.String(),
  AxisMin: Nullable,
  AxisMax: Nullable,
  IsChartShow: Type.Integer(),
  DecimalDigits: Type.Integer(),
  AlarmLow: Nullable,
  AlarmHigh: Nullable,
  ReadWriteType: Type.Integer(),
  /** As of point; empty where it has none. */
  ZeroText: Type.Optional(Type.String()),
  OneText: Type.Optional(Type.String()),
  DeviceId: Type.Integer({ minimum: 0, description: '0: a formula point, which belongs to a project.' }),
  DeviceName: Type.String(),
  /** As of device. */
  DeviceStatus: Type.Integer(),
  /** What its values are: 0 instantaneous, 1 running counter, 2 amount, 3 state, 4 rate. */
  CalDataType: Type.Integer(),
  /** ms between two readings that are to be expected; older values are shown as stale. */
  ExpectedMs: Type.Integer(),
})
export type ParaInfo = Static<typeof ParaInfo>

/** A point where more than one device is in sight. */
export const fullName = ({ DeviceName, ParaName }: Pick<ParaInfo, 'DeviceName' | 'ParaName'>) => `${DeviceName} · ${ParaName}`

/** Codes of the screens that show readings. One is enough to reach the calls for charts; points are checked by sight. */
const analysisScreens = [
  ...['m10303', 'm10304', 'm10305', 'm10306', 'm10307', 'm10308', 'm10309', 'm10313', 'm10315', 'm10318', 'm10319', 'm10320', 'm10321'],
  ...['m10322', 'm10323', 'm10324', 'm10325', 'm10326', 'm10327', 'm10328'],
]
export const analysed = { permission: 'm10301', alsoBy: analysisScreens } as const

const { Shape: _, ...Computed } = Range
const units = <R extends typeof Computed>(unit: string, range: R) =>
  call({
    method: 'POST',
    path: `/DataCenter/ReportData/${unit}`,
    ...analysed,
    reads: true,
    body: Type.Object(range),
    answer: SeriesAnswer,
  })
const sized = {
  Buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  Width: Type.Optional(
    Type.Integer({ minimum: 1000, maximum: 366 * 86_400_000, description: 'ms; every bucket is as wide, and no point comes raw.' }),
  ),
  Brief: Type.Optional(
    Type.Literal(1, {
      description: 'Sooner: Mean, Coverage and Sum of roll-ups wherever these know them. They differ in the last digits at most.',
    }),
  ),
}

export const telemetryCalls = {
  data: call({
    method: 'POST',
    path: '/DataCenter/ReportData/Data',
    ...analysed,
    reads: true,
    body: Type.Object({ ...Range, ...sized }),
    answer: SeriesAnswer,
  }),
  minutes: units('MinData', Range),
  hours: units('HourData', Range),
  days: units('DayData', Range),
  /** The same for what is computed by the type of each point: Sum, Mean and Coverage, unless Columns says otherwise. */
  computed: call({
    ...{ method: 'POST', path: '/DataCenter/ReportData/CalculateData', ...analysed, reads: true },
    body: Type.Object({ ...Computed, ...sized }),
    answer: SeriesAnswer,
  }),
  computedMinutes: units('CalculateMinData', Computed),
  computedHours: units('CalculateHourData', Computed),
  computedDays: units('CalculateDayData', Computed),
  paraInfo: call({
    method: 'GET',
    path: '/DataCenter/ReportData/DevParaInfo',
    ...analysed,
    query: Type.Object({ DeviceIds: Type.String({ minLength: 1, maxLength: 20_000, pattern: '^\\d+(,\\d+)*$' }) }),
    answer: Type.Array(ParaInfo),
  }),
  allParaInfo: call({
    method: 'GET',
    path: '/DataCenter/ReportData/AllDevParaInfo',
    ...analysed,
    query: Type.Object(
      { ProjectId: Type.Optional(Id), ParaIds: Type.Optional(Type.String({ maxLength: 2000, pattern: '^\\d+(,\\d+)*$' })) },
      {
        description:
          'At most 10,000 points. Where there are more, the header X-Total-Count says how many: narrow it by ProjectId or ParaIds, or search by PointList.',
      },
    ),
    answer: Type.Array(ParaInfo),
  }),
  last: call({
    method: 'POST',
    path: '/DataCenter/ReportData/LastDataFromCache_APP_Common',
    permission: 'm10108',
    reads: true,
    body: Type.Object({ ParaIds: IdList() }),
    answer: Type.Array(Type.Object({ ParaId: Id, Time: Time, Value: Nullable, Quality: Type.Integer() })),
  }),
}
