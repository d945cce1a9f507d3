import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { idOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud, pageInTurn } from '../../../../server/resource/crud.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { point } from '../../../configuration/points/contract.ts'
import { assertRoom, draftScene, type Named, namedByDevice } from '../../flowcharts/server/service.ts'
import { flowChartTemplate } from '../contract.ts'

const templates = store(flowChartTemplate)

/** Creates a template from a picture's draft, with the names of visible points. */
const make = (db: Db, actor: Actor, given: Record<string, unknown>) =>
  db.tx(async (db) => {
    const made = await templates.create(db, actor, given)
    const scene = await draftScene(db, actor, made.FlowchartId!)
    const ids = [...referencesIn(scene).keys()].flatMap((key) => idOf(key) ?? [])
    const points = await db.rows<Named>(sql`
      select t."Id", t."ParaName", d."Id" as "DeviceId", d."DeviceName", d."ModelId" from point t join device d on d."Id" = t."DeviceId"
      where t."Id" = any(${ids}::bigint[]) and ${visible(point, actor)}`)
    const named = JSON.stringify(await namedByDevice(scene, points))
    await db.rows(sql`update flow_chart_template set "Scene" = ${named}::jsonb where "Id" = ${made.Id}`)
    await assertRoom(db, made.EnterpriseId)
    return made
  })

/** Queued like a long page, because a large drawing takes as long. */
const create = (db: Db, actor: Actor, given: Record<string, unknown>) => pageInTurn({ size: 1000 }, actor, () => make(db, actor, given))

/** Picture templates. A picture created from a template starts with its drawing. */
export const flowchartTemplateRoutes = (app: FastifyInstance) => crud(app, flowChartTemplate, { own: { create } })
