// Dosed amounts, treated water, costs, and days of stock.
import { type Static, type TSchema, Type } from 'typebox'
import { call, page, paging } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'
import { Chemical } from '../chemicals/contract.ts'

/** Menus: days of stock, report. */
export const [overview, report] = ['m10721', 'm10723'] as const

export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Maybe = <T extends TSchema>(of: T) => Type.Union([of, Type.Null()])
const Amount = Type.Number()
const Text = Type.String()
/** Present only for people who may see money. */
const Money = Type.Optional(Maybe(Amount))
const Currency = Type.Optional(Maybe(Text))

/** Maximum range, d. */
export const mostDays = 400
export const divisions = ['hour', 'day', 'month'] as const
export type Division = (typeof divisions)[number]
const By = Type.Unsafe<Division>(Type.Union(divisions.map((name) => Type.Literal(name))))

/** Percent of an amount by how it is known; null where there is none. */
const Shares = Type.Object({ Measured: Amount, Entered: Amount, Missing: Amount })
/**
 * `Qty` in the chemical's unit, `Dry` the active substance in kg, `Water` in m³, `Dose` in mg/L, `UnitUse` in kg of 1000 m³. Without water
 * there is no dose, and no cost of a m³. `Known`: percent of the time until now of which anything is known.
 */
const figure = {
  Qty: Maybe(Amount),
  Kg: Maybe(Amount),
  Dry: Maybe(Amount),
  Water: Maybe(Amount),
  Dose: Maybe(Amount),
  UnitUse: Maybe(Amount),
  Known: Amount,
  Shares: Maybe(Shares),
  Cost: Money,
  CostPerM3: Money,
  /** Of the quantity, how much has no price. */
  Unpriced: Money,
}
export const Figure = Type.Object(figure)
export type Figure = Static<typeof Figure>

const limits = { TargetDose: Maybe(Amount), DoseLow: Maybe(Amount), DoseHigh: Maybe(Amount) }

/**
 * Days from now until the stock is used up: `DaysLeft` at the use of the last seven days, `DaysLow` and `DaysHigh` at that of the busiest
 * and the quietest of the last four weeks. A delivery is due before the reserve is reached: to be ordered by `OrderBy`, and `OrderQty` then
 * fits into the tank. `State`: 0 unknown, 1 enough, 2 order within a week, 3 order now.
 */
const forecast = {
  DaysLeft: Maybe(Amount),
  DaysLow: Maybe(Amount),
  DaysHigh: Maybe(Amount),
  RunOut: Maybe(Day),
  RunOutLow: Maybe(Day),
  RunOutHigh: Maybe(Day),
  OrderBy: Maybe(Day),
  OrderQty: Maybe(Amount),
  State: Type.Integer(),
  /** Use of a day, mean of the last seven. */
  DailyUse: Maybe(Amount),
}
export const ChemicalStock = Type.Object({
  ...Chemical.properties,
  ...limits,
  ...forecast,
  ProjectId: Id,
  Today: Figure,
  /** Stock by the ledger, and consumption since its last entry. */
  StockQty: Amount,
  UsedSince: Maybe(Amount),
  /** Stock by the tank's level, and its difference to the ledger. */
  TankQty: Maybe(Amount),
  Difference: Maybe(Amount),
  TankSize: Maybe(Amount),
  LeadDays: Maybe(Type.Integer()),
  MinStock: Maybe(Amount),
  /** Deliveries that wait to be confirmed. */
  Proposed: Type.Integer(),
})
export type ChemicalStock = Static<typeof ChemicalStock>

const range = {
  DateFrom: Day,
  DateTo: Day,
  ProjectId: Type.Optional(Id),
  DrugType: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 })),
}
const Row = Type.Object({
  ...Chemical.properties,
  ...limits,
  ...figure,
  /** The same days of the year before and as many days before, and by how many percent this is more; null without a base. */
  ...{ LastYear: Maybe(Amount), LastPeriod: Maybe(Amount), YoY: Maybe(Amount), MoM: Maybe(Amount) },
  ProjectName: Text,
})
export const Part = Type.Object({
  ...figure,
  /** From `Start` to `End`, epoch ms. */
  Start: Amount,
  End: Amount,
  Flow: Maybe(Amount),
  Turbidity: Maybe(Amount),
  Residual: Maybe(Amount),
})
export type Part = Static<typeof Part>
const MatrixRow = Type.Object({
  ...Chemical.properties,
  Name: Text,
  RegionName: Maybe(Text),
  Total: Figure,
  Cells: Type.Array(Figure),
})
export const Matrix = Type.Object({ Currency, Columns: Type.Array(Text), Rows: Type.Array(MatrixRow) })
export type Matrix = Static<typeof Matrix>
const File = Type.String({ format: 'binary' })

export const dosingCalls = {
  /** Each chemical now: days of stock with their band, today's dose and cost. Those that run out first come first. */
  statistics: call({
    ...{ method: 'GET', path: '/Drug/DataCenter/Statistics', permission: overview },
    query: Type.Object({ ProjectId: Type.Optional(Id) }),
    answer: Type.Object({ Day, Zone: Text, Currency, Items: Type.Array(ChemicalStock) }),
  }),
  /** Chemicals that the reader may choose. */
  infoList: call({
    ...{ method: 'GET', path: '/Drug/DataCenter/InfoList', permission: overview },
    query: Type.Object({ ProjectId: Type.Optional(Id) }),
    answer: Type.Array(Type.Object({ ...Chemical.properties, ProjectId: Id, ProjectName: Text, Source: Type.Integer() })),
  }),
  /** One chemical, part by part, beside flow, raw turbidity and residual. */
  chart: call({
    ...{ method: 'GET', path: '/Drug/DataCenter/Chart', permission: overview },
    query: Type.Object({ DrugInfoId: Id, DateFrom: Day, DateTo: Day, Division: Type.Optional(By) }),
    answer: Type.Object({
      ...{ ...Chemical.properties, ...limits },
      ...{ Currency, Zone: Text, Division: By, Total: Figure, Parts: Type.Array(Part) },
      /** Units of what is beside; null where nothing is. */
      ...{ FlowUnit: Maybe(Text), TurbidityUnit: Maybe(Text), ResidualUnit: Maybe(Text) },
    }),
  }),
  /** Chemicals over a range, against the year and the period before. */
  list: call({
    ...{ method: 'GET', path: '/Drug/DataCenter/List', permission: overview },
    query: Type.Object({ ...range, ...paging() }),
    answer: Type.Intersect([page(Row), Type.Object({ Currency })]),
  }),
  reportData: call({
    ...{ method: 'GET', path: '/Drug/Report/Data', permission: report },
    query: Type.Object({ ...range, Columns: Type.Optional(Type.Union([Type.Literal('day'), Type.Literal('month')])) }),
    answer: Matrix,
  }),
  /** Chemicals of regions, by months. */
  reportRegion: call({
    ...{ method: 'GET', path: '/Drug/Report/Region', permission: report },
    query: Type.Object(range),
    answer: Matrix,
  }),
  dataOutput: call({
    ...{ method: 'GET', path: '/Drug/Report/DataOutput', permission: `${report}.export` },
    query: Type.Object({ ...range, Columns: Type.Optional(Type.Union([Type.Literal('day'), Type.Literal('month')])) }),
    answer: File,
  }),
  regionOutput: call({
    ...{ method: 'GET', path: '/Drug/Report/RegionOutput', permission: `${report}.export` },
    query: Type.Object(range),
    answer: File,
  }),
  /** For the home page: the first chemicals of the same list, and how many are to be ordered. */
  staticDrug: call({
    ...{ method: 'GET', path: '/Home/StaticDrug', permission: overview },
    query: Type.Object({}),
    answer: Type.Object({
      Count: Type.Integer(),
      OrderNow: Type.Integer(),
      Proposed: Type.Integer(),
      Items: Type.Array(Type.Object({ ...Chemical.properties, ...forecast, StockQty: Amount, TankQty: Maybe(Amount), ProjectId: Id })),
    }),
  }),
}
