import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { record } from '../../../../server/resource/store.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { coldFigureCalls } from '../contract.ts'
import { besideOf } from './beside.ts'
import type { Needs } from './data.ts'
import { checkOf, standardOf, statisticsOf } from './figures.ts'

export const coldFigureRoutes = (app: FastifyInstance, needs: Needs) => {
  serve(app, coldFigureCalls.statistics, ({ db, actor, query }) => reckonInTurn(actor, () => statisticsOf(db, actor, query, needs)))
  serve(app, coldFigureCalls.beside, ({ db, actor, query }) => reckonInTurn(actor, () => besideOf(db, actor, query.Id, needs)))
  serve(app, coldFigureCalls.check, ({ db, actor, body, request }) =>
    reckonInTurn(actor, () => checkOf(db, actor, body, needs, languageOf(request))),
  )
  serve(app, coldFigureCalls.standard, ({ db, actor, query }) => standardOf(db, actor.EnterpriseId, query.StorageType))
  serve(app, coldFigureCalls.setStandard, ({ db, actor, body }) => {
    if (body.TempLow !== null && body.TempHigh !== null && body.TempLow >= body.TempHigh)
      throw new FieldFaults([{ field: 'TempHigh', rule: 'coldBand' }])
    return db.tx(async (db) => {
      const before = await standardOf(db, actor.EnterpriseId, body.StorageType)
      const [row] = await db.rows<{ Id: number }>(sql`
        insert into cold_standard ("EnterpriseId", "StorageType", "Standard") values (${actor.EnterpriseId}, ${body.StorageType}, ${JSON.stringify(body)}::jsonb)
        on conflict ("EnterpriseId", "StorageType") do update set "Standard" = excluded."Standard", "UpdateTime" = now() returning "Id"`)
      await record(db, actor, { name: 'coldStandard' }, 'update', row!.Id, actor.EnterpriseId, before, body)
      return body
    }, `cold standard ${actor.EnterpriseId}`)
  })
}
