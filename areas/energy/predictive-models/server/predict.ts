// Predictions of a model: forecast hours ahead, or health of past hours.
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Reader } from '../../analytics/server/service.ts'
import { isForecast, type Predicted } from '../contract.ts'
import { hourMs, hoursOf, seriesOf } from './hours.ts'
import { type Band, dayAhead, dayHours, filled, forecastOf, lookBack } from './learn/forecast.ts'
import { healthOf } from './learn/health.ts'
import { findModel, type Learnt, limitsOf, type ModelRow, rolesOf } from './models.ts'

type Asked = { ModelId: number; Horizon: number; Past?: number }
type ForecastLearnt = Extract<Learnt, { linear: unknown }>
type HealthLearnt = Extract<Learnt, { normals: unknown }>
const number = (value: number) => (Number.isFinite(value) ? value : null)
const hourBefore = (at: number) => Math.floor(at / hourMs) * hourMs

const within = (Time: number, value: number, { low, high }: Band) =>
  Number.isFinite(value) ? { Time, Value: value, Low: value + low, High: value + high } : { Time, Value: null, Low: null, High: null }

const forecast = async (reader: Reader, model: ModelRow, { Horizon, Past = 0 }: Asked): Promise<Predicted[]> => {
  const { linear, bands } = model.Learnt as ForecastLearnt
  const now = hourBefore(reader.clock())
  const hours = await hoursOf(reader, model, now - (lookBack + Past + 1) * hourMs, now + hourMs)
  const series = await seriesOf(reader, model, hours, Horizon)
  const whole = filled(series)
  const { values } = series
  if (values.length < lookBack || whole.values.subarray(values.length - lookBack).some(Number.isNaN))
    throw new FieldFaults([{ field: 'ModelId', rule: 'models.noRecent' }])
  const at = (i: number) => hours.first + i * hourMs
  const past = Array.from({ length: Math.min(Past, values.length - lookBack) }, (_, k) => {
    const i = values.length - Math.min(Past, values.length - lookBack) + k
    return { ...within(at(i), dayAhead(linear, whole, i), bands[0]!), Actual: number(values[i]!) }
  })
  const ahead = Array.from(forecastOf(linear, whole, Horizon), (value, h) =>
    within(at(values.length + h), value, bands[Math.floor(h / dayHours)]!),
  )
  return [...past, ...ahead]
}

const health = async (reader: Reader, model: ModelRow, { Horizon }: Asked): Promise<Predicted[]> => {
  const { normals } = model.Learnt as HealthLearnt
  const now = hourBefore(reader.clock())
  const { first, columns } = await hoursOf(reader, model, now - Horizon * hourMs, now + hourMs)
  const [of, limits] = [rolesOf(model), limitsOf(model.Params)]
  return Array.from(columns[0]?.values ?? [], (_, i) => {
    const row = columns.map(({ values }) => values[i]!)
    const found = healthOf(of, normals, limits, row)
    return {
      ...{ Time: first + i * hourMs, Value: found?.score ?? null, Low: null, High: null },
      Fired: (found?.fired ?? []).map(({ rule, feature, measured, limit, isAlarm }) => ({
        ...{ Rule: rule, ParaId: feature === undefined ? null : model.PointIds[feature]!, Measured: measured, Limit: limit },
        IsAlarm: Number(isAlarm),
      })),
    }
  })
}

/** @throws 404, or FieldFaults where the model is not trained or the last hours are not known */
export const predict = async (reader: Reader, asked: Asked): Promise<Predicted[]> => {
  const model = await findModel(reader.db, reader.actor, asked.ModelId)
  if (!model.Learnt) throw new FieldFaults([{ field: 'ModelId', rule: 'models.untrained' }])
  return isForecast(model.Type) ? forecast(reader, model, asked) : health(reader, model, asked)
}
