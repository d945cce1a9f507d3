import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { planInTurn } from '../../models/server/service.ts'
import { projectCalls } from '../contract.ts'
import { copyPlan, copyProject } from './service.ts'

export const projectRoutes = (app: FastifyInstance) => {
  serve(app, projectCalls.copyPlan, ({ db, actor, query }) => planInTurn(actor, () => copyPlan(db, actor, query.ProjectId)))
  serve(app, projectCalls.copy, ({ db, actor, body }) => planInTurn(actor, () => copyProject(db, actor, body)))
}
