// Access to models. A model is visible only with all of its circuits and points.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { point } from '../../../configuration/points/contract.ts'
import { stopTask } from '../../../configuration/tasks/server/service.ts'
import { energyInfo } from '../../circuits/contract.ts'
import {
  type ForecastMetrics,
  type HealthMetrics,
  isForecast,
  type Model,
  type ModelParams,
  modelStatus,
  mostModels,
  type Role,
} from '../contract.ts'
import type { Forecast } from './learn/forecast.ts'
import { beatsNaive } from './learn/forecast.ts'
import { type LearntHealth, usualLimits } from './learn/health.ts'

export type Learnt = Pick<Forecast, 'linear' | 'bands'> | Pick<LearntHealth, 'normals'>
export type ModelRow = {
  Id: number
  EnterpriseId: number
  Name: string
  Type: number
  EnergyInfoId: number | null
  PointIds: number[]
  Params: ModelParams
  Learnt: Learnt | null
  Metrics: ForecastMetrics | HealthMetrics | null
  IsPublished: 0 | 1
  Start: number
  End: number
  TrainTime: number | null
  TrainedBy: string | null
  TaskId: number | null
  TaskStatus: number | null
  RowStatus: number | null
  Reason: string | null
  Unit: string | null
  ProjectId: number
  Zone: string
}
export const limitsOf = ({ Group, Insulation, Limits }: ModelParams) => ({ ...usualLimits(Group, Insulation), ...Limits })
export const rolesOf = ({ Params }: Pick<ModelRow, 'Params'>): Role[] => (Params.Points ?? []).map(({ Role }) => Role)

const ms = (column: string) => sql`(extract(epoch from m.${sql.ref(column)}) * 1000)::float8 as ${sql.ref(column)}`
const rowsWhere = (db: Db, actor: Actor, condition: ReturnType<typeof sql>) =>
  db.rows<ModelRow>(sql`
    select m."Id", m."EnterpriseId", m."Name", m."Type", m."EnergyInfoId", m."PointIds", m."Params", m."Learnt", m."Metrics", m."IsPublished",
      ${ms('Start')}, ${ms('End')}, ${ms('TrainTime')}, u."UserName" as "TrainedBy", m."TaskId", r."Status" as "RowStatus", k."Status" as "TaskStatus",
      r."Reason", coalesce(c."Unit", p."ParaUnitName") as "Unit", coalesce(c."ProjectId", g."ProjectId") as "ProjectId", e."TimeZoneKey" as "Zone"
    from predictive_model m join enterprise e on e."Id" = m."EnterpriseId"
    left join "user" u on u."Id" = m."UserId"
    left join project_task k on k."Id" = m."TaskId" left join project_task_row r on r."TaskId" = k."Id"
    left join energy_info c on c."Id" = m."EnergyInfoId"
    left join point p on p."Id" = m."PointIds"[1] left join device d on d."Id" = p."DeviceId" left join gateway g on g."Id" = d."GatewayId"
    where ${condition}
      and (m."EnergyInfoId" is null or exists (select 1 from energy_info t where t."Id" = m."EnergyInfoId" and ${visible(energyInfo, actor)}))
      and not exists (select 1 from unnest(m."PointIds") i where not exists (select 1 from point t where t."Id" = i and ${visible(point, actor)}))
    order by m."Id" desc limit ${mostModels}`)

/** @throws 404 where the reader does not see all of what the model is about */
export const findModel = async (db: Db, actor: Actor, id: number): Promise<ModelRow> => {
  const [row] = await rowsWhere(db, actor, sql`m."Id" = ${id}`)
  if (!row) throw notFound()
  return row
}

const statusOf = ({ Learnt, IsPublished, RowStatus, TaskStatus }: ModelRow) => {
  if (IsPublished) return modelStatus.published
  if (Learnt) return modelStatus.trained
  return RowStatus !== null && RowStatus <= 1 && TaskStatus !== null && TaskStatus <= 2 ? modelStatus.training : modelStatus.failed
}

export const listModels = async (
  db: Db,
  actor: Actor,
  { Type, EnergyInfoId }: { Type?: number; EnergyInfoId?: number },
): Promise<Model[]> => {
  const condition = sql`(${Type ?? null}::integer is null or m."Type" = ${Type ?? null}) and (${EnergyInfoId ?? null}::bigint is null or m."EnergyInfoId" = ${EnergyInfoId ?? null})`
  const rows = await rowsWhere(db, actor, condition)
  const ids = [...new Set(rows.flatMap(({ PointIds }) => PointIds))]
  const points = ids.length
    ? await db.rows<{ Id: number; ParaName: string; Unit: string | null }>(sql`
        select t."Id", t."ParaName", t."ParaUnitName" as "Unit" from point t where t."Id" = any(${ids}::bigint[]) and ${visible(point, actor)}`)
    : []
  const byId = new Map(points.map((p) => [p.Id, p]))
  return rows.map((row) => {
    const Status = statusOf(row)
    return {
      ...{
        ModelId: row.Id,
        Name: row.Name,
        Type: row.Type,
        Status,
        Reason: Status === modelStatus.failed ? row.Reason : null,
      },
      ...{
        EnergyInfoId: row.EnergyInfoId,
        Unit: row.Unit ?? '',
        Metrics: row.Metrics,
        Limits: isForecast(row.Type) ? null : limitsOf(row.Params),
      },
      Points: (row.Params.Points ?? []).map(({ ParaId, Role }) => ({
        ...{ ParaId, Role, ParaName: byId.get(ParaId)?.ParaName ?? '', Unit: byId.get(ParaId)?.Unit ?? '' },
      })),
      ...{
        Start: row.Start,
        End: row.End,
        Seed: row.Params.Seed ?? 1,
        TrainTime: row.TrainTime,
        TrainedBy: row.TrainedBy,
        TaskId: row.TaskId,
      },
    }
  })
}

const refused = (rule: string, values = {}) => new FieldFaults([{ field: 'ModelId', rule, values }])
const resource = 'predictiveModel'
const noted = (db: Db, actor: Actor, { Id, EnterpriseId, Name }: ModelRow, Verb: 'update' | 'remove', more: object = {}) =>
  noteDeed(db, { ...actor, EnterpriseId }, { Resource: resource, RecordId: Id, Verb }, { Name, ...more })

/** Publishes a model. @throws FieldFaults where a forecast is no better than a naive one */
export const publishModel = async (db: Db, actor: Actor, id: number) => {
  const row = await findModel(db, actor, id)
  if (!row.Learnt || !row.Metrics) throw refused('models.untrained')
  if ('Mae' in row.Metrics) {
    const { Mae, NaiveDay, NaiveWeek } = row.Metrics
    if (!beatsNaive({ mae: Mae, naiveDay: NaiveDay, naiveWeek: NaiveWeek })) throw refused('models.worse')
  }
  return db.tx(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`publish ${row.EnterpriseId}`}, 0))`)
    if (isForecast(row.Type))
      await db.rows(sql`
        update predictive_model set "IsPublished" = 0 where "EnterpriseId" = ${row.EnterpriseId} and "Type" = ${row.Type} and "Id" <> ${id}
          and "EnergyInfoId" is not distinct from ${row.EnergyInfoId} and "PointIds" = ${row.PointIds}::bigint[] and "IsPublished" = 1`)
    const changed = await db.rows(
      sql`update predictive_model set "IsPublished" = 1 where "Id" = ${id} and "IsPublished" = 0 returning "Id"`,
    )
    if (changed.length) await noted(db, actor, row, 'update', { IsPublished: 1 })
    return changed.length
  })
}

/** Stops the training of a model. */
export const stopModel = async (db: Db, actor: Actor, id: number) => {
  const row = await findModel(db, actor, id)
  if (statusOf(row) !== modelStatus.training || row.TaskId === null) throw refused('models.notTraining')
  return stopTask(db, actor, row.TaskId)
}

export const removeModel = async (db: Db, actor: Actor, id: number) => {
  const row = await findModel(db, actor, id)
  return db.tx(async (db) => {
    if (statusOf(row) === modelStatus.training && row.TaskId !== null) await stopTask(db, actor, row.TaskId)
    const removed = await db.rows(sql`delete from predictive_model where "Id" = ${id} returning "Id"`)
    if (removed.length) await noted(db, actor, row, 'remove')
    return removed.length
  })
}
