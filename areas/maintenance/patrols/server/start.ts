import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { serve } from '../../../../server/http/serve.ts'
import { startPlans } from '../../upkeep/server/service.ts'
import { patrolCalls } from '../contract.ts'
import { patrol, routeOf, visit } from './rounds.ts'

export const roundRoutes = (app: FastifyInstance, { clock }: { clock: () => number }) => {
  serve(app, patrolCalls.route, ({ db, actor, query }) => routeOf(db, actor, query.Id, clock()))
  serve(app, patrolCalls.visit, ({ db, actor, body }) => visit(db, actor, body, clock()))
}
/** Serves patrols; their rounds are made and closed as orders of upkeep are. */
export const startPatrols = (c: Context) => {
  startPlans(c, patrol, patrolCalls)
  c.routes.push((app) => roundRoutes(app, { clock: c.clock }))
}
