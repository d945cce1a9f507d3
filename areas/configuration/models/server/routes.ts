import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type Holder, inUse } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { column, type Sql, table, visible } from '../../../../server/resource/sql.ts'
import { type AssertUnused, store } from '../../../../server/resource/store.ts'
import { alarmCode } from '../../../alarms/alarm-plans/contract.ts'
import { alarmRule } from '../../../alarms/alarm-rules/contract.ts'
import { saveCells } from '../../cells/server/service.ts'
import { device } from '../../devices/contract.ts'
import { pointCalls } from '../../points/contract.ts'
import { modelCalls, modelPara, proModel } from '../contract.ts'
import { addressCheck, addressesOf } from './addresses.ts'
import { applyModel } from './apply.ts'
import { copyModels, copyPoints } from './copy.ts'
import { importModel, modelFile } from './file.ts'
import { libraryModels, shareModel } from './library/service.ts'
import { planInTurn } from './planQueue.ts'
import { resetPoints } from './reset.ts'
import { publish } from './versions.ts'

const r = proModel
/** Devices, fault codes and rules reference models. Rules do so inside JSON, without a foreign key. */
const assertUnused: AssertUnused = async (db, actor, rows) => {
  const ids = rows.map(({ Id }) => Id)
  const used = async (by: Resource, where: Sql) => {
    const rows = await db.rows<Holder>(sql`
      select "Id", ${column(by.title)} as "Title", ${visible(by, actor)} as "Seen" from ${table(by)} t where ${where} order by "Seen" desc, "Id" limit 10`)
    return rows.map((row) => ({ Resource: by.name, ...row }))
  }
  const its = sql`"ModelId" = any(${ids}::bigint[])`
  const named = sql`jsonb_path_exists("RuleConfigure", '$.RuleList[*].Conditions[*].DeviceSelection.ModelId ? (@ == $ids[*])', ${JSON.stringify({ ids })}::jsonb)`
  const users = [...(await used(device, its)), ...(await used(alarmCode, its)), ...(await used(alarmRule, named))]
  if (users.length) throw inUse(users)
}
const models = store(proModel, undefined, assertUnused)

const maxId = async (db: Db, actor: Actor, of: Resource) => {
  const [found] = await db.rows<{ MaxId: number }>(
    sql`select coalesce(max("Id"), 0)::float8 as "MaxId" from ${table(of)} t where ${visible(of, actor)}`,
  )
  return found!
}

/** Counts the devices that are behind their model, in one query. */
const behind = async (db: Db, actor: Actor) => ({
  Items: await db.rows<{ ModelId: number; Count: number }>(sql`
    select t."ModelId", count(*)::int as "Count" from device t where t."IsBehind" = 1 and ${visible(device, actor)}
    group by t."ModelId" order by t."ModelId" limit 10000`),
})

/** Routes of device models. A model in use by devices, fault codes or rules cannot be deleted; the error names the users. */
export const modelRoutes = (app: FastifyInstance) => {
  crud(app, r, { own: { remove: models.remove } })
  serve(app, modelCalls.share, ({ db, actor, body }) => shareModel(db, actor, body))
  serve(app, modelCalls.library, ({ db, query }) => libraryModels(db, query))
  crud(app, modelPara, { check: addressCheck })
  serve(app, modelCalls.copy, ({ db, actor, body }) => planInTurn(actor, () => copyModels(db, actor, body)))
  serve(app, modelCalls.file, ({ db, actor, query }) => planInTurn(actor, () => modelFile(db, actor, query.Id)))
  serve(app, modelCalls.importFile, ({ db, actor, body }) => planInTurn(actor, () => importModel(db, actor, body)))
  serve(app, modelCalls.cells, async ({ db, actor, body }) =>
    saveCells(db, actor, modelPara, body.ModelId, body.Rows, await addressesOf(db, body.ModelId)),
  )
  serve(app, modelCalls.copyPoints, ({ db, actor, body }) => copyPoints(db, actor, body.Ids, body.ModelId))
  serve(app, modelCalls.behind, ({ db, actor }) => behind(db, actor))
  serve(app, modelCalls.maxId, ({ db, actor }) => maxId(db, actor, r))
  serve(app, modelCalls.maxPointId, ({ db, actor }) => maxId(db, actor, modelPara))
  serve(app, modelCalls.publish, ({ db, actor, body, request }) => publish(db, actor, body, languageOf(request)))
  serve(app, modelCalls.apply, ({ db, actor, body, request }) => planInTurn(actor, () => applyModel(db, actor, body, languageOf(request))))
  serve(app, pointCalls.reset, ({ db, actor, body }) => resetPoints(db, actor, body.Ids, body.Fields))
}
