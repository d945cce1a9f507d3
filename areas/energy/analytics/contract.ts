// Relations between values of circuits and points: distributions, explanations of a value, correlations.
import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'

export const toolsMenu = 'm10715'

/** Limits of a question. */
export const [mostFeatures, mostRows, fewestRows] = [20, 50_000, 50]
/** Bins of a histogram. */
export const [fewestBins, mostBins] = [5, 50]
export const deepestTree = 6

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** Ids, separated by commas. */
const Ids = Type.String({ minLength: 1, maxLength: 400, pattern: '^\\d{1,15}(,\\d{1,15})*$' })
const Amount = Type.Number()
const Maybe = Type.Union([Amount, Type.Null()])
const Share = Type.Number({ minimum: 0.01, maximum: 1 })
const Seed = Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 }))

export const steps = ['hour', 'day'] as const
export type Step = (typeof steps)[number]
const range = { Start: Time, End: Time, Step: Type.Optional(Type.Unsafe<Step>(Type.Union(steps.map((name) => Type.Literal(name))))) }
const features = { EnergyInfoIds: Type.Optional(Ids), ParaIds: Type.Optional(Ids) }
/** A circuit or a point. */
const one = { EnergyInfoId: Type.Optional(Id), ParaId: Type.Optional(Id) }
const target = { TargetEnergyInfoId: Type.Optional(Id), TargetParaId: Type.Optional(Id) }
/** `Threshold`: the target is whether its value lies above; of points of type Bool, whether they are on for most of an hour. */
const yesOrNo = { ...target, Threshold: Type.Optional(Type.Number()) }

const Item = Type.Object({ Time: Amount, Value: Maybe })
/** Features and items are identified as `e12` for a circuit and `p34` for a point. */
const Feature = Type.String()
/** Periods that were used, and those that were left out because a value is missing. */
const used = { Rows: Type.Integer(), LeftOut: Type.Integer() }

const leaf = { Samples: Type.Integer(), Value: Amount }
/** `Value`: share of the rows for which the answer is yes. Rows up to the threshold go left. */
const nodeOf = (depth: number): ReturnType<typeof Type.Object> =>
  Type.Object({
    ...leaf,
    Feature: Type.Optional(Feature),
    Threshold: Type.Optional(Amount),
    ...(depth ? { Left: Type.Optional(nodeOf(depth - 1)), Right: Type.Optional(nodeOf(depth - 1)) } : {}),
  })
export type DecisionNode = Static<typeof Leaf> & { Feature?: string; Threshold?: number; Left?: DecisionNode; Right?: DecisionNode }
const Leaf = Type.Object(leaf)

const asks = { method: 'GET', permission: toolsMenu } as const

export const analyticsCalls = {
  specificPeriod: call({
    ...{ ...asks, path: '/electricity/specific-period' },
    query: Type.Object({ ...one, ...range }),
    answer: Type.Array(Item),
  }),
  histogram: call({
    ...{ ...asks, path: '/electricity/histogram' },
    query: Type.Object({ ...one, ...range, Bins: Type.Optional(Type.Integer({ minimum: fewestBins, maximum: mostBins })) }),
    answer: Type.Object({
      ...{ ...used, Edges: Type.Array(Amount), Counts: Type.Array(Type.Integer()) },
      ...{ Mean: Amount, Std: Amount, P5: Amount, P50: Amount, P80: Amount, P95: Amount },
    }),
  }),
  /** `Importance`: share of what all features explain; nine of ten trees of the forest lie between `Low` and `High`. */
  featureImportance: call({
    ...{ ...asks, path: '/electricity/feature-importance' },
    query: Type.Object({ ...target, ...features, ...range, Seed }),
    answer: Type.Array(Type.Object({ Feature, Importance: Amount, Low: Amount, High: Amount })),
  }),
  /** Learns from the earlier part of the range, and is tried on the later one. `Naive`: accuracy of always saying what is more frequent. */
  trainModel: call({
    ...{ ...asks, path: '/matrix/Train_model' },
    query: Type.Object({
      ...{ ...yesOrNo, ...features, ...range, Seed },
      Split: Type.Optional(Type.Number({ minimum: 0.5, maximum: 0.95 })),
    }),
    answer: Type.Object({
      ...{ ...used, Accuracy: Maybe, Precision: Maybe, Recall: Maybe, F1: Maybe, Naive: Maybe },
      /** Confusion matrix: rows are actual, columns are predicted; no, then yes. */
      Matrix: Type.Array(Type.Array(Type.Integer())),
    }),
  }),
  /** `Accuracy`: of the tree on the rows that it was grown from. */
  decisionTree: call({
    ...{ ...asks, path: '/matrix/DecisionTree' },
    query: Type.Object({
      ...{ ...yesOrNo, ...features, ...range },
      MaxDepth: Type.Optional(Type.Integer({ minimum: 1, maximum: deepestTree })),
    }),
    answer: Type.Object({ ...used, Accuracy: Amount, Naive: Amount, Tree: Type.Unsafe<DecisionNode>(nodeOf(deepestTree)) }),
  }),
  /**
   * Association rules: what occurs in the same hours. Items are `p3.on` (a point of type Bool, at any time of the hour), `p3.alarm` (an alarm of the point was
   * active), and `e12.low` and `e12.high` (in the lowest or highest tenth of the range).
   */
  apriori: call({
    ...{ ...asks, path: '/apriori/Apriori' },
    query: Type.Object({
      ...{ ...features, Start: Time, End: Time },
      ...{ MinSupport: Type.Optional(Share), MinConfidence: Type.Optional(Share) },
    }),
    answer: Type.Array(
      Type.Object({ If: Type.Array(Type.String()), Then: Type.Array(Type.String()), Support: Amount, Confidence: Amount, Lift: Amount }),
    ),
  }),
}
