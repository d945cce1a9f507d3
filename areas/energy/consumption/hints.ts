// Hints: what of a project's energy deserves a look today, by five rules.
import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { flag, number } from '../../../contract/field.ts'
import { Id } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { Maybe, Money, overview } from './contract.ts'

/** The night above its median; water that never stands still; children above their parent; a counter that stands; a new demand peak. */
export const hintRules = ['night', 'water', 'children', 'standing', 'demand'] as const
export type HintRule = (typeof hintRules)[number]
/** Hints of a project at a time. */
export const mostHints = 5
export const mutesHints = 'm10702.edit'

const percent = { integer: true, required: true, min: 1, max: 1000, unit: '%' } as const
export const energyHints = settings('energyHints', {
  per: 'tenant',
  path: '/Energy/Hint/Settings',
  permission: 'm10702',
  readBy: overview,
  fields: {
    IsOn: flag({ required: true, default: 1 }),
    NightPercent: number({ ...percent, default: 20 }),
    WaterDays: number({ integer: true, required: true, min: 1, max: 14, default: 3, unit: 'd' }),
    ChildrenPercent: number({ ...percent, default: 3 }),
    StandHours: number({ integer: true, required: true, min: 1, max: 72, default: 3, unit: 'h' }),
    StandPower: number({ required: true, min: 0.01, max: 1e6, default: 1, unit: 'kW' }),
    DemandPercent: number({ ...percent, default: 100 }),
  },
})

const Rule = Type.Unsafe<HintRule>(Type.Union(hintRules.map((name) => Type.Literal(name))))
/** `Value` against `Base`, in the unit of the circuit or of its power. `Amount`: what it comes to, a day; of a new demand peak, kW more. */
export const Hint = Type.Object({
  ...{ EnergyInfoId: Id, EnergyName: Type.String(), Rule, Unit: Type.String() },
  ...{ Value: Type.Number(), Base: Maybe, Amount: Type.Number() },
  Cost: Type.Optional(Maybe),
})
export type Hint = Static<typeof Hint>

export const hintCalls = {
  /** The largest, by money. */
  list: call({
    ...{ method: 'GET', path: '/Energy/Hint/List', permission: overview },
    query: Type.Object({ ProjectId: Id }),
    answer: Type.Object({ Currency: Money, Items: Type.Array(Hint) }),
  }),
  /** Mutes a rule for a circuit, or unmutes it. */
  mute: call({
    ...{ method: 'POST', path: '/Energy/Hint/NotUseful', permission: mutesHints },
    body: Type.Object({ EnergyInfoId: Id, Rule, Muted: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])) }),
    answer: Type.Object({ Muted: Type.Integer() }),
  }),
  muted: call({
    ...{ method: 'GET', path: '/Energy/Hint/Muted', permission: overview },
    query: Type.Object({ ProjectId: Id }),
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({ EnergyInfoId: Id, EnergyName: Type.String(), Rule, MutedBy: Type.Union([Type.String(), Type.Null()]) }),
      ),
    }),
  }),
}
