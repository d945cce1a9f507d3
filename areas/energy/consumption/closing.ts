// Closing a month freezes a project's consumption and costs, with names, tree, factors and prices.
import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'
import { circuit, figure, LevelFigure, Maybe, MaybeId, Money, report } from './contract.ts'

export const closesMonths = `${report}.close`
const Month = Type.String({ pattern: '^\\d{4}-\\d{2}$' })
const Text = Type.String()
const MaybeText = Type.Union([Text, Type.Null()])

/** A meter event without an answer. */
export const OpenEvent = Type.Object({ EnergyInfoId: Id, EnergyName: Text, EnergyCode: Text, Time: Type.Number() })
/** Difference between a closed month by today's readings and its frozen statement. In the statement of a later month: the amount that it settles. */
export const LateLine = Type.Object({
  ...{ Month, EnergyInfoId: Id, EnergyName: Text, EnergyCode: Text, Unit: Text, Energy: Type.Number() },
  Cost: Type.Optional(Type.Number()),
})
export type LateLine = Static<typeof LateLine>

/** `Kind`: 1 energy, 2 demand, 3 power factor, 4 charge, 5 tax. Costs are rounded so that they add up to the total. */
export const StatementLine = Type.Object({
  ...{ Kind: Type.Integer(), Name: Text, Level: Type.Integer(), Tier: Type.Integer(), DateFrom: Text, DateTo: Text },
  ...{ Quantity: Maybe, Price: Maybe, Percent: Maybe, Cost: Type.Number() },
})
export const StatementCircuit = Type.Object({
  ...circuit,
  ...figure,
  ...{ Source: Type.Integer(), CountInTotal: Type.Integer(), RegionName: MaybeText, AreaM2: Maybe },
  Levels: Type.Array(LevelFigure),
  ...{ Kgce: Maybe, Kgco2e: Maybe },
  /** The highest mean power of a block, and when it began. */
  ...{ Demand: Maybe, DemandAt: Maybe },
  CostCentres: Type.Array(Type.Object({ CostCentre: Text, Percent: Type.Number(), Energy: Maybe, Cost: Type.Optional(Maybe) })),
  /** With demand, charges and taxes; absent without the right to see money. */
  Lines: Type.Optional(Type.Array(StatementLine)),
  TotalCost: Type.Optional(Maybe),
})
export type StatementCircuit = Static<typeof StatementCircuit>

const closed = { ClosedTime: Type.Union([Type.Number(), Type.Null()]), ClosedBy: MaybeText, Sha256: MaybeText }
export const monthCalls = {
  /** The months of a project, the newest first: closed ones, and those since that wait. */
  list: call({
    ...{ method: 'GET', path: '/Energy/Month/List', permission: report },
    query: Type.Object({ ProjectId: Id }),
    answer: Type.Object({ Items: Type.Array(Type.Object({ Month, IsClosed: Type.Integer(), IsOver: Type.Integer(), ...closed })) }),
  }),
  /** The statement of a month: frozen if it is closed, current if it is open. `Late`: amounts of closed months that an open one settles, or late amounts of a closed one. */
  statement: call({
    ...{ method: 'GET', path: '/Energy/Month/Statement', permission: report },
    query: Type.Object({ ProjectId: Id, Month }),
    answer: Type.Object({
      ...{ ProjectId: MaybeId, ProjectName: Text, Month, Zone: Text, Currency: Money, IsClosed: Type.Integer(), ...closed },
      Circuits: Type.Array(StatementCircuit),
      Late: Type.Array(LateLine),
      Events: Type.Array(OpenEvent),
    }),
  }),
  /** `Confirmed`: how many meter events without an answer the person has seen. */
  close: call({
    ...{ method: 'POST', path: '/Energy/Month/Close', permission: closesMonths },
    body: Type.Object({ ProjectId: Id, Month, Confirmed: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
    answer: Type.Object({ Month, Sha256: Text, ClosedTime: Type.Number() }),
  }),
}
