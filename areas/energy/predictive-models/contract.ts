// Predictive models trained on circuits and points: power forecasts and machine health.
import { type Static, Type } from 'typebox'
import { Changed, call, Removed } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'

export const modelsMenu = 'm10716'
export const [trainsModels, publishesModels, removesModels] = ['train', 'publish', 'remove'].map((button) => `${modelsMenu}.${button}`) as [
  string,
  string,
  string,
]

/** 1 power forecast of a circuit, 2 bearing, 3 motor, 4 forecast of a point. */
export const modelTypes = [1, 2, 3, 4] as const
export type ModelType = (typeof modelTypes)[number]
export const [powerForecast, bearingHealth, motorHealth, pointForecast] = modelTypes
export const isForecast = (type: number) => type === powerForecast || type === pointForecast

/** 0 training, 1 trained, 2 published, 3 failed or stopped. */
export const modelStatus = { training: 0, trained: 1, published: 2, failed: 3 } as const

/** What a machine's point measures. Phase currents are checked for unbalance; `other` only for deviation from normal. */
export const roles = ['velocity', 'temperature', 'kurtosis', 'crest', 'currentA', 'currentB', 'currentC', 'load', 'other'] as const
export type Role = (typeof roles)[number]
export const healthRules = ['velocity', 'temperature', 'kurtosis', 'crest', 'unbalance', 'load', 'deviation'] as const
export type HealthRule = (typeof healthRules)[number]
/** Machine groups of ISO 10816-3 on a rigid or flexible support. */
export const vibrationGroups = ['rigid1', 'flexible1', 'rigid2', 'flexible2'] as const
export type VibrationGroup = (typeof vibrationGroups)[number]
/** Insulation classes of windings, IEC 60085. */
export const insulationClasses = ['B', 'F', 'H'] as const
export type InsulationClass = (typeof insulationClasses)[number]

/** Limits of a company and of a model. */
export const [mostModels, mostPoints] = [200, 20]
export const [mostHorizon, mostPast] = [168, 336]
/** Of one waveform. */
export const mostWaveformBytes = 20 * 1024 * 1024

const of = <const T extends readonly string[]>(names: T) => Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))))
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Amount = Type.Number()
const Maybe = Type.Union([Amount, Type.Null()])
const strict = { additionalProperties: false }

const Limit = Type.Object({ Watch: Type.Number({ minimum: 0, maximum: 1e9 }), Alarm: Type.Number({ minimum: 0, maximum: 1e9 }) }, strict)
export type HealthLimits = Record<HealthRule, Static<typeof Limit>>
const Params = Type.Object(
  {
    Seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
    /** One point for type 4; the machine's points for types 2 and 3. */
    Points: Type.Optional(Type.Array(Type.Object({ ParaId: Id, Role: of(roles) }, strict), { maxItems: mostPoints })),
    Group: Type.Optional(of(vibrationGroups)),
    Insulation: Type.Optional(of(insulationClasses)),
    /** Override the default limits. */
    Limits: Type.Optional(Type.Object(Object.fromEntries(healthRules.map((rule) => [rule, Type.Optional(Limit)])), strict)),
  },
  strict,
)
export type ModelParams = Omit<Static<typeof Params>, 'Limits'> & { Limits?: Partial<HealthLimits> }

/** Mean absolute errors a day ahead on the last tenth of the data, beside those of both naive forecasts. `Mape` in percent. */
const ForecastMetrics = Type.Object({
  ...{ Mae: Amount, NaiveDay: Amount, NaiveWeek: Amount, Mape: Maybe },
  ...{ Hours: Type.Integer(), TestHours: Type.Integer() },
})
/** Share of test hours in which a rule fired. */
const HealthMetrics = Type.Object({ Watch: Amount, Alarm: Amount, Hours: Type.Integer(), TestHours: Type.Integer() })
export type ForecastMetrics = Static<typeof ForecastMetrics>
export type HealthMetrics = Static<typeof HealthMetrics>

const Text = Type.Union([Type.String(), Type.Null()])
const Model = Type.Object({
  ...{ ModelId: Id, Name: Type.String(), Type: Type.Integer(), Status: Type.Integer() },
  /** Reason of a failed training, in the task's language. */
  Reason: Text,
  EnergyInfoId: Type.Union([Id, Type.Null()]),
  Points: Type.Array(Type.Object({ ParaId: Id, Role: Type.String(), ParaName: Type.String(), Unit: Type.String() })),
  Unit: Type.String(),
  Metrics: Type.Union([ForecastMetrics, HealthMetrics, Type.Null()]),
  /** Limits that its rules use. */
  Limits: Type.Union([Type.Unsafe<HealthLimits>(Type.Object(Object.fromEntries(healthRules.map((rule) => [rule, Limit])))), Type.Null()]),
  ...{ Start: Amount, End: Amount, Seed: Type.Integer() },
  ...{ TrainTime: Maybe, TrainedBy: Text, TaskId: Type.Union([Id, Type.Null()]) },
})
export type Model = Static<typeof Model>

/**
 * An hour. Of forecasts: `Low` and `High` bound nine of ten hours, `Actual` is what was measured of the past. Of health: the score from
 * 100 to 0, and the rule that fired with what was measured, the limit and its point.
 */
const Predicted = Type.Object({
  ...{ Time: Amount, Value: Maybe, Low: Maybe, High: Maybe },
  Actual: Type.Optional(Maybe),
  Fired: Type.Optional(
    Type.Array(
      Type.Object({
        Rule: of(healthRules),
        ParaId: Type.Union([Id, Type.Null()]),
        Measured: Amount,
        Limit: Amount,
        IsAlarm: Type.Integer(),
      }),
    ),
  ),
})
export type Predicted = Static<typeof Predicted>

const Spectrum = Type.Object({ Step: Amount, Values: Type.Array(Amount) })
export const faultNames = ['bpfo', 'bpfi', 'bsf', 'ftf'] as const
const Waveform = Type.Object({
  ...{ SampleRate: Amount, Samples: Type.Integer(), Rms: Amount, Peak: Amount, Crest: Amount, Kurtosis: Amount },
  ...{ Spectrum, Envelope: Spectrum },
  /** Lines of the envelope at multiples of each fault frequency, as multiples of its median. */
  Faults: Type.Array(
    Type.Object({
      ...{ Name: of(faultNames), Frequency: Amount, IsFound: Type.Integer() },
      Lines: Type.Array(Type.Object({ Frequency: Amount, Ratio: Amount })),
    }),
  ),
})
export type WaveformAnswer = Static<typeof Waveform>

const millimetres = Type.Optional(Type.Number({ minimum: 0.1, maximum: 10_000 }))
export const modelCalls = {
  /** Models whose circuits and points are all visible to the caller, newest first. */
  models: call({
    ...{ method: 'GET', path: '/endpoints/models', permission: modelsMenu },
    query: Type.Object({ Type: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })), EnergyInfoId: Type.Optional(Id) }),
    answer: Type.Array(Model),
  }),
  /** Starts a training task. A company can run one at a time. */
  train: call({
    ...{ method: 'POST', path: '/endpoints/train', permission: trainsModels },
    body: Type.Object(
      {
        Type: Type.Integer({ minimum: 1, maximum: 4 }),
        Name: Type.String({ minLength: 1, maxLength: 60 }),
        EnergyInfoId: Type.Optional(Id),
        Range: Type.Object({ Start: Time, End: Time }, strict),
        Params: Type.Optional(Params),
      },
      strict,
    ),
    answer: Type.Object({ ModelId: Id, TaskId: Id }),
  }),
  stop: call({
    ...{ method: 'POST', path: '/endpoints/stop', permission: trainsModels },
    body: Type.Object({ ModelId: Id }, strict),
    answer: Changed,
  }),
  /** Forecasts: the next `Horizon` hours, after the last `Past` ones as they were forecast a day before. Health: the last `Horizon` hours. */
  predict: call({
    ...{ method: 'POST', path: '/endpoints/predict', permission: modelsMenu, reads: true },
    body: Type.Object(
      {
        ModelId: Id,
        Horizon: Type.Integer({ minimum: 1, maximum: mostHorizon }),
        Past: Type.Optional(Type.Integer({ minimum: 0, maximum: mostPast })),
      },
      strict,
    ),
    answer: Type.Array(Predicted),
  }),
  /** Forecasts only where they beat both naive ones. The published forecast of the same circuit or point is withdrawn. */
  publish: call({
    ...{ method: 'POST', path: '/endpoints/publish', permission: publishesModels },
    body: Type.Object({ ModelId: Id }, strict),
    answer: Changed,
  }),
  remove: call({
    ...{ method: 'DELETE', path: '/endpoints/models', permission: removesModels },
    body: Type.Object({ ModelId: Id }, strict),
    answer: Removed,
  }),
  /** Analyses a waveform (wav, csv or json) and stores nothing. `SampleRate`: for files that do not contain it, Hz. */
  waveform: call({
    ...{ method: 'POST', path: '/endpoints/waveform', permission: modelsMenu, reads: true },
    query: Type.Object({
      SampleRate: Type.Optional(Type.Number({ minimum: 10, maximum: 1_000_000 })),
      Rpm: Type.Optional(Type.Number({ minimum: 1, maximum: 1_000_000 })),
      Balls: Type.Optional(Type.Integer({ minimum: 2, maximum: 200 })),
      ...{ BallDiameter: millimetres, PitchDiameter: millimetres },
      ContactAngle: Type.Optional(Type.Number({ minimum: 0, maximum: 89 })),
    }),
    answer: Waveform,
  }),
}
