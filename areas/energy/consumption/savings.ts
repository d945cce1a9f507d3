// Savings against the same days of last year, or against a baseline after ISO 50006 that somebody accepted.
import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'
import { Day, Maybe, Money } from './contract.ts'

export const savingsMenu = 'm10710'
export const acceptsBaselines = `${savingsMenu}.accept`
/** Degree-days of heating below, or of cooling above, a temperature. */
export const [heating, cooling] = [1, 2] as const

/** What a baseline depends on: degree-days of an outdoor point, what was produced, the day of the week. */
const model = {
  ParaId: Type.Optional(Id),
  Kind: Type.Optional(Type.Union([Type.Literal(heating), Type.Literal(cooling)])),
  Base: Type.Optional(Type.Number({ minimum: -50, maximum: 60 })),
  ProductInfoId: Type.Optional(Id),
  Weekday: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
}
const Amount = Type.Number()
/** `Name`: degree, production, or weekday.2 (Tuesday) to weekday.7, which are against Monday. */
const Variable = Type.Object({ Name: Type.String(), Coefficient: Amount, Min: Amount, Max: Amount })
const fitted = {
  ...{ DateFrom: Day, DateTo: Day, Days: Type.Integer() },
  ...{ Constant: Amount, Variables: Type.Array(Variable), R2: Amount, Cv: Maybe },
}
const baseline = { ...fitted, Version: Type.Integer(), AcceptedBy: Type.Union([Type.String(), Type.Null()]), AcceptedTime: Amount }
export const Baseline = Type.Object(baseline)
export type Baseline = Static<typeof Baseline>
export const Fitted = Type.Object(fitted)
export type Fitted = Static<typeof Fitted>
const Asked = Type.Object({ EnergyInfoId: Id, DateFrom: Day, DateTo: Day, ...model })
export type AskedBaseline = Static<typeof Asked>

/** A day against what was expected of it; `Low` and `High` bound 95 %. `Cusum`: savings until then. */
const SavedDay = Type.Object({
  ...{ Day, Actual: Amount, Expected: Amount, Low: Maybe, High: Maybe, Cusum: Amount },
  /** 0: a variable lies outside of what the baseline has seen. */
  IsInRange: Type.Integer(),
})

export const savingsCalls = {
  report: call({
    ...{ method: 'GET', path: '/Energy/ElectricityLevel/SaveEnergiesRpt', permission: savingsMenu },
    query: Type.Object({
      ...{ EnergyInfoId: Id, DateFrom: Day, DateTo: Day },
      Method: Type.Optional(Type.Union([Type.Literal('lastYear'), Type.Literal('baseline')])),
    }),
    answer: Type.Object({
      ...{ Currency: Money, Unit: Type.String(), Method: Type.String(), Baseline: Type.Union([Baseline, Type.Null()]) },
      /** Of the days that can be compared; the others are left out. */
      ...{ Actual: Maybe, Expected: Maybe, Saving: Maybe, LeftOut: Type.Integer() },
      /** Half the width of the 95 % confidence band; null when compared with last year. */
      Uncertainty: Maybe,
      /** 1: larger than its uncertainty, 0: not proven, null: unknown. */
      IsProven: Type.Union([Type.Integer(), Type.Null()]),
      Cost: Type.Optional(Maybe),
      ...{ Kgce: Maybe, Kgco2e: Maybe },
      Days: Type.Array(SavedDay),
    }),
  }),
  /** The baselines of a circuit, the newest first. */
  list: call({
    ...{ method: 'GET', path: '/Energy/Baseline/List', permission: savingsMenu },
    query: Type.Object({ EnergyInfoId: Id }),
    answer: Type.Object({ Items: Type.Array(Baseline) }),
  }),
  /** How well a baseline would fit. */
  preview: call({
    ...{ method: 'POST', path: '/Energy/Baseline/Preview', permission: acceptsBaselines, reads: true },
    body: Asked,
    answer: Fitted,
  }),
  /** Accepts a baseline: it becomes the newest version, and those before stay. */
  accept: call({ method: 'POST', path: '/Energy/Baseline', permission: acceptsBaselines, body: Asked, answer: Baseline }),
}
