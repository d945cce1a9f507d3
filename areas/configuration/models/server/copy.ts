import { sql } from 'kysely'
import type { Row as ModelRow } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { modelPara, proModel } from '../contract.ts'
import { sharedModel } from './library/service.ts'
import type { Values } from './plan.ts'
import { assertPlannable, mostPlanned } from './planQueue.ts'
import { chunkRows } from './targets.ts'

const models = store(proModel)
type Source = Omit<ModelRow<typeof proModel>, 'Id' | 'CreateTime' | 'UpdateTime' | 'Version' | 'Edits' | 'IsShared'>
type Row = Record<string, unknown> & { Id: number; EnterpriseId: number; ModelId: number }

const into = async (db: Db, actor: Actor, model: { Id: number; EnterpriseId: number }, rows: readonly Values[]) => {
  for (let i = 0; i < rows.length; i += chunkRows) {
    const add = rows.slice(i, i + chunkRows).map((row) => ({ ...row, ModelId: model.Id }))
    await saveMany(db, actor, modelPara, model.EnterpriseId, { add, change: [] })
  }
}

/** The name itself if it is unused in the company, otherwise the name of a copy. */
export const freeName = async (db: Db, enterprise: number, name: string) => {
  const [taken] = await db.rows(sql`select 1 from pro_model where "EnterpriseId" = ${enterprise} and "ModelName" = ${name}`)
  return taken ? copyName(db, proModel, name, sql`"EnterpriseId" = ${enterprise}`) : name
}

/** Names and adds the copy. */
const addModel = async (db: Db, actor: Actor, { ModelName, EnterpriseId, ...from }: Source) => {
  const named = await freeName(db, EnterpriseId, ModelName)
  const { ModelNo, Brand, FolderId, Parameters, Remark, Protocol } = from
  return models.create(db, actor, { ModelName: named, ModelNo, Brand, FolderId, Parameters, Remark, Protocol, EnterpriseId })
}

/**
 * All or none. Library models are copied as published, into the caller's company. Others stay in their
 * company.
 */
export const copyModels = (
  db: Db,
  actor: Actor,
  { Ids: ids, EnterpriseId }: { Ids: readonly number[]; EnterpriseId?: number | undefined },
) =>
  db.tx(async (db) => {
    const [points] = await db.rows<{ count: number }>(
      sql`select count(*)::int as count from (select 1 from model_para where "ModelId" = any(${[...ids]}::bigint[]) limit ${mostPlanned + 1}) p`,
    )
    assertPlannable(points!.count, 'Ids')
    const enterprise = actor.platform ? (EnterpriseId ?? platformEnterprise) : actor.EnterpriseId
    let count = points!.count
    for (const id of new Set(ids)) {
      const shared = enterprise === platformEnterprise ? undefined : await sharedModel(db, id)
      count += shared?.Points.length ?? 0
      assertPlannable(count, 'Ids')
      const source = shared ? { ...shared.Model, FolderId: null, EnterpriseId: enterprise } : await models.find(db, actor, id)
      const copy = await addModel(db, actor, source)
      const own = sql<Row>`select * from model_para t where "ModelId" = ${id} and ${visible(modelPara, actor)} order by "Sort", "Id"`
      await into(db, actor, copy, shared ? shared.Points : await db.rows(own))
    }
    return { Added: new Set(ids).size }
  })

/** Copies points into a model of the same company, in one transaction. */
export const copyPoints = (db: Db, actor: Actor, ids: readonly number[], model: number) =>
  db.tx(async (db) => {
    const to = await models.find(db, actor, model)
    const rows = await db.rows<Row>(
      sql`select * from model_para t where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${to.EnterpriseId} and ${visible(modelPara, actor)} order by "Sort", "Id"`,
    )
    if (rows.length < new Set(ids).size) throw notFound()
    await into(db, actor, to, rows)
    return { Added: rows.length }
  })
