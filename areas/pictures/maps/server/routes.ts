import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { mapCalls } from '../contract.ts'
import { projectPage, projectsOnMap } from './service.ts'

export const mapRoutes = (app: FastifyInstance) => {
  serve(app, mapCalls.projects, ({ db, actor, query }) => projectsOnMap(db, actor, query))
  serve(app, mapCalls.projectPage, ({ db, actor, request }) => projectPage(db, actor, request.query as Record<string, unknown>))
}
