import { type Static, Type } from 'typebox'
import { ById, type Call } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'
import { coldAliases, type StorageType, storageTypes, usualBand } from '../rooms/contract.ts'

/** One look is at most this long. */
export const mostDays = 31
/** A month in which summer time ends has one hour more. */
export const mostMs = mostDays * 86_400_000 + 3_600_000
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Num = Type.Number()
const maybe = Type.Union([Num, Type.Null()])
const kind = Type.Unsafe<StorageType>(Type.Union(storageTypes.map((one) => Type.Literal(one))))
const call = <const C extends Call>(c: C) => ({ ...c, aliases: coldAliases.map((alias) => c.path.replace('/ColdStorage', alias)) })
const bounded = (minimum: number, maximum: number) => Type.Number({ minimum, maximum })
const limit = Type.Union([bounded(-100, 100), Type.Null()])

/** What a check of a kind of room asks for. */
export const Standard = Type.Object({
  StorageType: kind,
  StandardName: Type.String({ minLength: 1, maxLength: 60 }),
  ...{ TempLow: limit, TempHigh: limit },
  /** °C; null: not asked for. */
  MaxUniformity: Type.Union([bounded(0, 100), Type.Null()]),
  MaxFluctuation: Type.Union([bounded(0, 100), Type.Null()]),
  MinPoints: Type.Integer({ minimum: 1, maximum: 200 }),
  IntervalMin: bounded(0.1, 60),
  MinHours: bounded(0.1, 744),
  DeltaH: bounded(1, 1000),
})
export type Standard = Static<typeof Standard>
/** After annex 5 of the GSP of China: nine points, 48 hours, readings every five minutes at least; vehicles five hours. */
export const usualStandard = (StorageType: StorageType): Standard => ({
  ...{ StorageType, StandardName: 'GSP', TempLow: usualBand[StorageType][0], TempHigh: usualBand[StorageType][1] },
  ...{ MaxUniformity: null, MaxFluctuation: null, MinPoints: 9, IntervalMin: 5, MinHours: StorageType === 6 ? 5 : 48, DeltaH: 83.144 },
})

const Point = Type.Object({
  SensorBindId: Id,
  SensorName: Type.String(),
  Position: maybe,
  ...{ Min: maybe, MinTime: maybe, Max: maybe, MaxTime: maybe, Avg: maybe, Std: maybe },
  /** Of the time that is known. */
  InBandPercent: maybe,
  /** Of the whole time. */
  KnownPercent: Num,
  ...{ OutsideMinutes: Num, LongestMinutes: Num, DegreeMinutes: Num, Mkt: maybe },
})
const Switched = Type.Object({ Count: Type.Integer(), TotalS: Num, LongestS: Num, Percent: maybe })
const MaybeSwitched = Type.Union([Switched, Type.Null()])
const Room = Type.Object({
  ...{ Hottest: Type.Union([Id, Type.Null()]), Coldest: Type.Union([Id, Type.Null()]) },
  /** °C: the mean over time of the difference between the warmest and the coldest point; half the range of the point that varies most; the mean less the set point. */
  ...{ Avg: maybe, Uniformity: maybe, Fluctuation: maybe, Deviation: maybe },
})
const figures = {
  ...{ ColdStorageId: Id, StorageName: Type.String(), Start: Time, End: Time },
  Points: Type.Array(Point),
  Room,
}
const asked = { ColdStorageId: Id, Start: Time, End: Time }

export const coldFigureCalls = {
  /** What a room was like: temperatures by point and together, and what switched. */
  statistics: call({
    ...{ method: 'GET', path: '/ColdStorage/Statistics', permission: 'm10733' },
    query: Type.Object(asked),
    answer: Type.Object({ ...figures, Door: Switched, Defrost: Switched, Compressor: Switched, PowerCut: Switched }),
  }),
  /** What switched beside an excursion, from half an hour before it to its end; null where nothing of the kind is bound. */
  beside: call({
    ...{ method: 'GET', path: '/ColdStorage/Excursion/Beside', permission: 'm10214', query: ById },
    answer: Type.Object({
      ...{ Start: Time, End: Time },
      ...{ Door: MaybeSwitched, PowerCut: MaybeSwitched, Defrost: MaybeSwitched, Compressor: MaybeSwitched },
    }),
  }),
  standard: call({
    ...{ method: 'GET', path: '/ColdStorage/ReportStandard', permission: 'm10733' },
    query: Type.Object({ StorageType: kind }),
    answer: Standard,
  }),
  setStandard: call({
    ...{ method: 'PUT', path: '/ColdStorage/ReportStandard', permission: 'm10733.edit' },
    body: Standard,
    answer: Standard,
  }),
  /** The numbers of a check without storing anything. */
  check: call({
    ...{ method: 'POST', path: '/ColdStorage/ReportCheck_Calc', permission: 'm10733', reads: true },
    body: Type.Object(asked),
    answer: Type.Object({
      ...figures,
      Standard,
      /** 1 pass, 2 fail, 3 insufficient data. */
      Result: Type.Integer(),
      /** Why not 1. IsShort 1: data are missing; 0: a limit is broken. */
      Reasons: Type.Array(
        Type.Object({
          Code: Type.String(),
          SensorName: Type.Union([Type.String(), Type.Null()]),
          Text: Type.String(),
          IsShort: Type.Integer(),
        }),
      ),
    }),
  }),
}
