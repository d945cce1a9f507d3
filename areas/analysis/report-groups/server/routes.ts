import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, pageInTurn } from '../../../../server/resource/crud.ts'
import { GroupRow, reportGroup, reportGroupCalls } from '../contract.ts'
import { groupWork, offeredGroups, trendGroups } from './service.ts'

export const reportGroupRoutes = (app: FastifyInstance) => {
  crud(app, reportGroup, { own: groupWork, shapes: { row: GroupRow } })
  serve(app, reportGroupCalls.select, async ({ db, actor, query }) =>
    (await offeredGroups(db, actor, query.GroupType)).map(({ Id, GroupName, GroupType }) => ({ Id, GroupName, GroupType })),
  )
  serve(app, reportGroupCalls.trends, ({ db, actor, query, request }) =>
    pageInTurn({ size: 1000 }, actor, () => trendGroups(db, actor, languageOf(request), query.GroupType)),
  )
}
