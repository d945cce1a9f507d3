// Consumption and costs of circuits: figures, comparisons and reports over ranges of days.
import { type Static, Type } from 'typebox'
import { call, IdList, page, paging } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'

/** Menus: overview, report, periods beside each other, circuits beside each other, by price level, prices. */
export const [overview, report, periods, comparison, byLevels, prices] = [
  'm10701',
  'm10703',
  'm10705',
  'm10706',
  'm10708',
  'm10709',
] as const
/** Sees money. Without it, its fields are absent. */
export const seesEnergyCost = 'm10701.cost'

export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Whole = Type.Integer()
const Amount = Type.Number()
export const Maybe = Type.Union([Amount, Type.Null()])
export const MaybeId = Type.Union([Id, Type.Null()])
const Kind = Type.Integer({ minimum: 1, maximum: 9 })

/** Maximum range, d, and parts of an answer. */
export const [mostDays, mostParts] = [400, 10_000]
/** Circuits that are compared, and that one table shows. */
export const [mostCompared, mostCustom] = [6, 100]

export const divisions = ['quarter', 'hour', 'day', 'month', 'weekday-hour'] as const
export type Division = (typeof divisions)[number]
const By = Type.Unsafe<Division>(Type.Union(divisions.map((name) => Type.Literal(name))))

/** Percent of an amount by how it is known; null where there is none. */
export const Shares = Type.Object({ Measured: Amount, Interpolated: Amount, Entered: Amount, Corrected: Amount, Missing: Amount })
export type Shares = Static<typeof Shares>

/**
 * `Known`: percent of the time until now of which anything is known. `Cost`: of energy at its prices, without demand, charges and taxes;
 * `Unpriced`: energy without a price, which costs nothing here. Both are absent without the right to see money.
 */
export const figure = {
  Energy: Maybe,
  Known: Amount,
  Shares: Type.Union([Shares, Type.Null()]),
  OpenEvents: Whole,
  Cost: Type.Optional(Maybe),
  Unpriced: Type.Optional(Maybe),
  /** Closed months: difference between today's readings and the frozen statement. */
  Late: Type.Optional(Amount),
}
export const Figure = Type.Object(figure)
export type Figure = Static<typeof Figure>

/** 0 unassigned, 1 sharp, 2 peak, 3 flat, 4 valley, 5 deep valley. */
export const LevelFigure = Type.Object({ Level: Whole, Energy: Amount, Share: Maybe, Cost: Type.Optional(Maybe) })
export type LevelFigure = Static<typeof LevelFigure>

export const circuit = {
  EnergyInfoId: Id,
  EnergyName: Type.String(),
  EnergyCode: Type.String(),
  EnergyType: Kind,
  Unit: Type.String(),
  ParentId: MaybeId,
}
const range = { DateFrom: Day, DateTo: Day, ProjectId: Type.Optional(Id), EnergyType: Type.Optional(Kind) }
/** The same time of the year before and of the period before, and by how many percent this is more; null without a base. */
const compared = { LastYear: Maybe, LastPeriod: Maybe, YoY: Maybe, MoM: Maybe }

export const FlowRow = Type.Object({
  ...circuit,
  ...figure,
  ...compared,
  ProjectName: Type.String(),
  /** What the circuits below it, or those that its formula adds up, do not account for. `Others`: of this, circuits that the reader does not see. */
  Rest: Maybe,
  Others: Maybe,
  Kgce: Maybe,
  Kgco2e: Maybe,
  PerArea: Maybe,
  PerProduct: Maybe,
  CostPerProduct: Type.Optional(Maybe),
  ProductUnit: Type.Union([Type.String(), Type.Null()]),
})
export type FlowRow = Static<typeof FlowRow>

/** From `Start` to `End`, epoch ms; of hours of the week, their numbers from Monday 0:00 on. */
export const Part = Type.Object({ ...figure, Start: Amount, End: Amount, Levels: Type.Array(LevelFigure) })
export type Part = Static<typeof Part>
/** `Peak`: the highest mean of a quarter-hour, in units an hour, and when. */
const Series = Type.Object({
  ...circuit,
  ...figure,
  DateFrom: Day,
  DateTo: Day,
  Peak: Maybe,
  PeakAt: Maybe,
  Levels: Type.Array(LevelFigure),
  Parts: Type.Array(Part),
})
export type Series = Static<typeof Series>

const MatrixColumn = Type.Object({ Key: Type.String(), Start: Maybe })
const MatrixRow = Type.Object({
  Key: Type.String(),
  Name: Type.String(),
  EnergyCode: Type.Union([Type.String(), Type.Null()]),
  EnergyType: Kind,
  Unit: Type.String(),
  Total: Figure,
  Cells: Type.Array(Figure),
})
/** `Sums`: by kind and unit, of the circuits that totals count. Columns of time begin at `Start`; columns of price levels are named by their level. */
export const Matrix = Type.Object({
  Currency: Type.Union([Type.String(), Type.Null()]),
  Columns: Type.Array(MatrixColumn),
  Rows: Type.Array(MatrixRow),
  Sums: Type.Array(MatrixRow),
})
export type Matrix = Static<typeof Matrix>
export const reportColumns = ['day', 'month', 'level'] as const
const matrixQuery = {
  ...range,
  Columns: Type.Optional(Type.Unsafe<(typeof reportColumns)[number]>(Type.Union(reportColumns.map((name) => Type.Literal(name))))),
}
export const Money = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const File = Type.String({ format: 'binary' })
const Format = Type.Optional(Type.Unsafe<'xlsx' | 'pdf'>(Type.Union([Type.Literal('xlsx'), Type.Literal('pdf')])))

export const KindMonth = Type.Object({
  EnergyType: Kind,
  Unit: Type.String(),
  Today: Figure,
  Month: Figure,
  /** Of the whole month, from the days that are over; null before the first of them is. */
  Forecast: Maybe,
  ForecastCost: Type.Optional(Maybe),
  /** The same days of the month before and of the year before, and what they cost. */
  ...compared,
  LastYearCost: Type.Optional(Maybe),
  Kgce: Maybe,
  Kgco2e: Maybe,
})
export type KindMonth = Static<typeof KindMonth>

export const rankings = ['circuit', 'region', 'project', 'costCentre'] as const
export type RankBy = (typeof rankings)[number]

export const energyCalls = {
  monthStatistics: call({
    ...{ method: 'GET', path: '/Energy/DataCenter/MonthStatistics', permission: overview },
    query: Type.Object({ Month: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })), ProjectId: Type.Optional(Id) }),
    answer: Type.Object({ Month: Type.String(), Zone: Type.String(), Currency: Money, Kinds: Type.Array(KindMonth) }),
  }),
  /** Circuits, regions, projects or cost centres by what they used, the largest first. */
  ranking: call({
    ...{ method: 'GET', path: '/Energy/DataCenter/Ranking', permission: overview },
    query: Type.Object({
      ...range,
      RankBy: Type.Optional(Type.Unsafe<RankBy>(Type.Union(rankings.map((name) => Type.Literal(name))))),
    }),
    answer: Type.Object({
      Currency: Money,
      Items: Type.Array(
        Type.Object({
          ...figure,
          EnergyType: Kind,
          Unit: Type.String(),
          RankId: MaybeId,
          Name: Type.String(),
          Share: Maybe,
          PerArea: Maybe,
        }),
      ),
    }),
  }),
  /** Circuits that the reader may choose. */
  infoList: call({
    ...{ method: 'GET', path: '/Energy/DataCenter/InfoList', permission: overview },
    query: Type.Object({ ProjectId: Type.Optional(Id) }),
    answer: Type.Array(Type.Object({ ...circuit, ProjectId: Id, ProjectName: Type.String(), Source: Whole })),
  }),
  /** One circuit, part by part, with its price levels. */
  chart: call({
    ...{ method: 'GET', path: '/Energy/DataCenter/Chart', permission: overview },
    query: Type.Object({ EnergyInfoId: Id, DateFrom: Day, DateTo: Day, Division: Type.Optional(By) }),
    answer: Type.Object({ Currency: Money, Zone: Type.String(), Series }),
  }),
  /** The flow of a range: every circuit with what it used and what those below it do not account for. */
  list: call({
    ...{ method: 'GET', path: '/Energy/DataCenter/List', permission: overview },
    query: Type.Object({ ...range, ...paging() }),
    answer: Type.Intersect([page(FlowRow), Type.Object({ Currency: Money })]),
  }),
  /** Two to six circuits beside each other, or one circuit in two to six ranges of as many days, aligned by date or by weekday. */
  compare: call({
    ...{ method: 'POST', path: '/Energy/DataCenter/Compare', permission: overview, reads: true },
    body: Type.Object({
      EnergyInfoIds: IdList(mostCompared),
      Ranges: Type.Array(Type.Object({ DateFrom: Day, DateTo: Day }), { minItems: 1, maxItems: mostCompared }),
      Align: Type.Optional(Type.Union([Type.Literal('date'), Type.Literal('weekday')])),
      Division: Type.Optional(By),
    }),
    answer: Type.Object({ Currency: Money, Zone: Type.String(), Items: Type.Array(Series) }),
  }),
  /** A table of some circuits over the parts of a range. */
  custom: call({
    ...{ method: 'POST', path: '/Energy/DataCenter/Custom', permission: overview, reads: true },
    body: Type.Object({ EnergyInfoIds: IdList(mostCustom), DateFrom: Day, DateTo: Day, Division: Type.Optional(By) }),
    answer: Type.Object({ Currency: Money, Zone: Type.String(), Items: Type.Array(Series) }),
  }),
  reportData: call({
    ...{ method: 'GET', path: '/Energy/Report/Data', permission: report },
    query: Type.Object(matrixQuery),
    answer: Matrix,
  }),
  reportRegion: call({
    ...{ method: 'GET', path: '/Energy/Report/Region', permission: report },
    query: Type.Object(range),
    answer: Matrix,
  }),
  dataOutput: call({
    ...{ method: 'GET', path: '/Energy/Report/DataOutput', permission: `${report}.export` },
    query: Type.Object({ ...matrixQuery, Format }),
    answer: File,
  }),
  regionOutput: call({
    ...{ method: 'GET', path: '/Energy/Report/RegionOutput', permission: `${report}.export` },
    query: Type.Object({ ...range, Format }),
    answer: File,
  }),
  /** By price level and hour of the day. */
  levelData: call({
    ...{ method: 'GET', path: '/Energy/ElectricityLevel/Data', permission: byLevels },
    query: Type.Object({ EnergyInfoId: Id, DateFrom: Day, DateTo: Day }),
    answer: Type.Object({
      Currency: Money,
      Levels: Type.Array(LevelFigure),
      Hours: Type.Array(Type.Object({ Hour: Whole, Levels: Type.Array(LevelFigure) })),
    }),
  }),
  /** Price levels of circuits over a range, with the mean price of a unit. */
  levelStatistics: call({
    ...{ method: 'GET', path: '/Energy/ElectricityLevel/Statistics', permission: byLevels },
    query: Type.Object(range),
    answer: Type.Object({
      Currency: Money,
      Items: Type.Array(Type.Object({ ...circuit, ...figure, MeanPrice: Type.Optional(Maybe), Levels: Type.Array(LevelFigure) })),
    }),
  }),
  /** The same range, the one before it and that of last year. */
  levelComparison: call({
    ...{ method: 'GET', path: '/Energy/ElectricityLevel/ComparativeStatistics', permission: byLevels },
    query: Type.Object({ EnergyInfoId: Id, DateFrom: Day, DateTo: Day }),
    answer: Type.Object({
      Currency: Money,
      Items: Type.Array(Type.Object({ ...figure, DateFrom: Day, DateTo: Day, Levels: Type.Array(LevelFigure) })),
    }),
  }),
  /** For the home page: electricity of today and of the month, and meter events that wait for an answer. */
  staticEnergy: call({
    ...{ method: 'GET', path: '/Home/StaticEnergy', permission: overview },
    query: Type.Object({}),
    answer: Type.Object({
      Unit: Type.String(),
      TodayEnergy: Maybe,
      MonthEnergy: Maybe,
      MonthCost: Type.Optional(Maybe),
      Currency: Money,
      OpenEvents: Whole,
    }),
  }),
}
