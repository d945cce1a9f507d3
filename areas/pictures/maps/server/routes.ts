import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { mapCalls, mostOnMap } from '../contract.ts'
import { projectPage, projectsOnMap } from './service.ts'

export const mapRoutes = (app: FastifyInstance) => {
  serve(app, mapCalls.projects, ({ db, actor, query }) => pageInTurn({ size: mostOnMap }, actor, () => projectsOnMap(db, actor, query)))
  serve(app, mapCalls.projectPage, ({ db, actor, request }) => {
    const listing = readListing(request.query as Record<string, unknown>)
    return pageInTurn(listing, actor, () => projectPage(db, actor, listing))
  })
}
