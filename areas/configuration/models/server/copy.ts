import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { modelPara, proModel } from '../contract.ts'
import { assertPlannable, mostPlanned } from './planQueue.ts'
import { chunkRows } from './targets.ts'

const models = store(proModel)
type Row = Record<string, unknown> & { Id: number; EnterpriseId: number; ModelId: number }

const into = async (db: Db, actor: Actor, model: { Id: number; EnterpriseId: number }, rows: readonly Row[]) => {
  for (let i = 0; i < rows.length; i += chunkRows) {
    const add = rows.slice(i, i + chunkRows).map((row) => ({ ...row, ModelId: model.Id }))
    await saveMany(db, actor, modelPara, model.EnterpriseId, { add, change: [] })
  }
}

/** All or none. */
export const copyModels = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.tx(async (db) => {
    const [points] = await db.rows<{ count: number }>(
      sql`select count(*)::int as count from (select 1 from model_para where "ModelId" = any(${[...ids]}::bigint[]) limit ${mostPlanned + 1}) p`,
    )
    assertPlannable(points!.count, 'Ids')
    for (const id of new Set(ids)) {
      const { ModelName, ModelNo, Brand, FolderId, Parameters, Remark, EnterpriseId } = await models.find(db, actor, id)
      const named = await copyName(db, proModel, ModelName, sql`"EnterpriseId" = ${EnterpriseId}`)
      const copy = await models.create(db, actor, { ModelName: named, ModelNo, Brand, FolderId, Parameters, Remark, EnterpriseId })
      const rows = sql<Row>`select * from model_para t where "ModelId" = ${id} and ${visible(modelPara, actor)} order by "Sort", "Id"`
      await into(db, actor, copy, await db.rows(rows))
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
