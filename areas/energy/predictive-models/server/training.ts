// Trains models as a task: one per company at a time, at most five minutes, stoppable.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { askWorker, TooMuchWork } from '../../../../server/jobs/askWorker.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { reckonInTurn, visiblePoints } from '../../../analysis/telemetry/server/service.ts'
import { taskKind } from '../../../configuration/tasks/contract.ts'
import {
  createTask,
  nameOf,
  Refused,
  type Runs,
  type Task,
  type TaskRow,
  unfinishedTask,
} from '../../../configuration/tasks/server/service.ts'
import { mostRows } from '../../analytics/contract.ts'
import type { Reader } from '../../analytics/server/service.ts'
import { energyInfo } from '../../circuits/contract.ts'
import {
  bearingHealth,
  type ForecastMetrics,
  type HealthMetrics,
  isForecast,
  type ModelParams,
  type modelCalls,
  mostModels,
  motorHealth,
  pointForecast,
  powerForecast,
  trainsModels,
} from '../contract.ts'
import { hourMs, hoursOf, seriesOf } from './hours.ts'
import { fewestHours } from './learn/forecast.ts'
import { fewestHealthHours } from './learn/health.ts'
import { findModel, type Learnt, limitsOf, type ModelRow, rolesOf } from './models.ts'
import type { Trained, TrainJob } from './train-worker.ts'

const limits = { mostMs: 300_000, heapMb: 512 }
const stoppedEveryMs = 500
const refuse = (field: string, rule: string, values = {}) => new FieldFaults([{ field, rule, values }])

export const askTraining = <K extends TrainJob['kind']>(
  job: Extract<TrainJob, { kind: K }>,
  of: Partial<typeof limits> & { signal?: AbortSignal } = {},
): Promise<Trained[K]> => askWorker<Trained[K]>(new URL('./train-worker.ts', import.meta.url), job, { ...limits, ...of })

type Asked = Body<typeof modelCalls.train>
const paramsOf = ({ Params = {} }: Asked) => Params as ModelParams

/** Validates the inputs for the model type. */
const assertFits = (asked: Asked) => {
  const points = paramsOf(asked).Points ?? []
  const isMachine = asked.Type === bearingHealth || asked.Type === motorHealth
  if (!asked.Name.trim()) throw refuse('Name', 'required')
  if (asked.Range.End <= asked.Range.Start) throw refuse('Range.End', 'afterStart')
  if ((asked.Range.End - asked.Range.Start) / hourMs > mostRows) throw refuse('Range.End', 'analytics.manyRows', { max: mostRows })
  if (asked.Type === powerForecast && asked.EnergyInfoId === undefined) throw refuse('EnergyInfoId', 'required')
  if (asked.Type !== powerForecast && asked.EnergyInfoId !== undefined) throw refuse('EnergyInfoId', 'models.noCircuit')
  if (asked.Type === powerForecast && points.length) throw refuse('Params.Points', 'models.noPoints')
  if (asked.Type === pointForecast && points.length !== 1) throw refuse('Params.Points', 'models.onePoint')
  if (isMachine && !points.length) throw refuse('Params.Points', 'required')
  if (new Set(points.map(({ ParaId }) => ParaId)).size < points.length) throw refuse('Params.Points', 'models.twice')
  const single = points.map(({ Role }) => Role).filter((role) => role.startsWith('current'))
  if (new Set(single).size < single.length) throw refuse('Params.Points', 'models.phaseTwice')
  for (const [rule, limit] of Object.entries(paramsOf(asked).Limits ?? {}))
    if (limit.Alarm < limit.Watch) throw refuse(`Params.Limits.${rule}`, 'models.limitOrder')
}

/** The company that owns the inputs. @throws 404 if the caller cannot see all of them */
const companyOf = async (db: Db, actor: Actor, asked: Asked) => {
  const points = (paramsOf(asked).Points ?? []).map(({ ParaId }) => ParaId)
  if (asked.EnergyInfoId !== undefined) {
    const [circuit] = await db.rows<{ EnterpriseId: number }>(
      sql`select t."EnterpriseId" from energy_info t where t."Id" = ${asked.EnergyInfoId} and ${visible(energyInfo, actor)}`,
    )
    if (!circuit) throw notFound()
    return { company: circuit.EnterpriseId, points }
  }
  if ((await visiblePoints(db, actor, points)).length !== points.length) throw notFound()
  const companies = await db.rows<{ EnterpriseId: number }>(
    sql`select distinct "EnterpriseId" from point where "Id" = any(${points}::bigint[])`,
  )
  if (companies.length !== 1) throw notFound()
  return { company: companies[0]!.EnterpriseId, points }
}

/** Adds a model and the task that trains it. @throws Fault `trainingBusy` */
export const addModel = async (db: Db, actor: Actor, asked: Asked) => {
  assertFits(asked)
  const { company, points } = await companyOf(db, actor, asked)
  return db.tx(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`training ${company}`}, 0))`)
    if (await unfinishedTask(db, company, taskKind.train)) throw new Fault('trainingBusy')
    const [{ count }] = (await db.rows<{ count: number }>(
      sql`select count(*)::integer as count from predictive_model where "EnterpriseId" = ${company}`,
    )) as [{ count: number }]
    if (count >= mostModels) throw refuse('Name', 'models.tooMany', { max: mostModels })
    const { Name, Range, Type, EnergyInfoId = null } = asked
    const [model] = await db.rows<{ Id: number }>(sql`
      insert into predictive_model ("EnterpriseId", "Name", "Type", "EnergyInfoId", "PointIds", "Params", "Start", "End", "UserId")
      values (${company}, ${Name}, ${Type}, ${EnergyInfoId}, ${points}::bigint[], ${JSON.stringify(paramsOf(asked))}::jsonb,
        to_timestamp(${Range.Start / 1000}), to_timestamp(${Range.End / 1000}), ${actor.UserId || null}) returning "Id"`)
    const fields = { TaskName: nameOf(actor, taskKind.train, Name), Kind: taskKind.train }
    const task = await createTask(db, actor, { fields, EnterpriseId: company, rows: [{ Target: Name, Given: { ModelId: model!.Id } }] })
    await db.rows(sql`update predictive_model set "TaskId" = ${task.Id} where "Id" = ${model!.Id}`)
    return { ModelId: model!.Id, TaskId: task.Id }
  })
}

type Result = { learnt: Learnt; metrics: ForecastMetrics | HealthMetrics }
const tooFew = (min: number) => refuse('Range.Start', 'models.fewHours', { min })

/** @throws FieldFaults where there is too little to learn from, or nothing changes */
const fitted = async (reader: Reader, model: ModelRow, signal: AbortSignal): Promise<Result> => {
  // Shares the queue of interactive queries: one per company at a time.
  const hours = await reckonInTurn(reader.actor, () => hoursOf(reader, model, model.Start, model.End))
  if (!hours.columns.length) throw tooFew(isForecast(model.Type) ? fewestHours : fewestHealthHours)
  if (!isForecast(model.Type)) {
    const columns = hours.columns.map(({ values }) => values)
    const learnt = await askTraining<'health'>(
      { kind: 'health', columns, roles: rolesOf(model), limits: limitsOf(model.Params) },
      { signal },
    )
    if (!learnt) throw tooFew(fewestHealthHours)
    const { normals, hours: Hours, testHours, watch, alarm } = learnt
    return { learnt: { normals }, metrics: { Watch: watch, Alarm: alarm, Hours, TestHours: testHours } }
  }
  const series = await seriesOf(reader, model, hours)
  const known = series.values.filter((value) => !Number.isNaN(value))
  if (known.length && known.every((value) => value === known[0])) throw refuse('Range.Start', 'analytics.constant')
  const learnt = await askTraining<'forecast'>({ kind: 'forecast', series }, { signal })
  if (!learnt) throw tooFew(fewestHours)
  const { linear, bands, errors } = learnt
  return {
    learnt: { linear, bands },
    metrics: {
      ...{ Mae: errors.mae, NaiveDay: errors.naiveDay, NaiveWeek: errors.naiveWeek, Mape: errors.mape },
      ...{ Hours: learnt.hours, TestHours: errors.hours },
    },
  }
}

/** Companies with a running training. Guards against retried tasks running in parallel. */
const training = new Set<number>()
type TrainRow = TaskRow & { Given: { ModelId: number } }
/** Runs a training task. The model and the row's status commit together. */
export const trainKind = (needs: Pick<Reader, 'telemetry' | 'clock'>): Runs<Task, TrainRow> => ({
  ...{ needs: trainsModels, atOnce: 1, canary: false },
  async run({ db, actor, task, row, done }) {
    if (training.has(task.EnterpriseId)) throw new Fault('trainingBusy')
    training.add(task.EnterpriseId)
    const stop = new AbortController()
    const stopped = () => new Refused(word(task.Language, 'models.stopped'))
    const look = setInterval(
      () =>
        unfinishedTask(db, task.EnterpriseId, taskKind.train, task.Id)
          .then((isUnfinished) => isUnfinished || stop.abort(stopped()))
          .catch(() => undefined),
      stoppedEveryMs,
    )
    try {
      const model = await findModel(db, actor, row.Given.ModelId)
      const { learnt, metrics } = await fitted({ db, actor, ...needs }, model, stop.signal)
      await db.tx(async (db) => {
        await done(db)
        await db.rows(sql`
          update predictive_model set "Learnt" = ${JSON.stringify(learnt)}::jsonb, "Metrics" = ${JSON.stringify(metrics)}::jsonb,
            "TrainTime" = to_timestamp(${needs.clock() / 1000}) where "Id" = ${model.Id}`)
      })
    } catch (error) {
      if (error instanceof TooMuchWork) throw new Refused(word(task.Language, 'models.tooLong'))
      throw error
    } finally {
      clearInterval(look)
      training.delete(task.EnterpriseId)
    }
  },
})
