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

/** Makes a template of a picture's draft, with the names of the points that its maker sees. */
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

/** A large drawing takes as long as a long page. */
const create = (db: Db, actor: Actor, given: Record<string, unknown>) => pageInTurn({ size: 1000 }, actor, () => make(db, actor, given))

/** Templates of pictures. A picture that is added with a template begins with its drawing. */
export const flowchartTemplateRoutes = (app: FastifyInstance) => crud(app, flowChartTemplate, { own: { create } })
