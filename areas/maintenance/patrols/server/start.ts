import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { serve } from '../../../../server/http/serve.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { CopyFile } from '../../job-sheets/server/service.ts'
import { startPlans } from '../../upkeep/server/service.ts'
import { patrolCalls } from '../contract.ts'
import { curve, forgetPlaces } from './history.ts'
import { patrol, routeOf, visit } from './rounds.ts'

export const roundRoutes = (app: FastifyInstance, { clock }: { clock: () => number }) => {
  serve(app, patrolCalls.route, ({ db, actor, query }) => routeOf(db, actor, query.Id, clock()))
  serve(app, patrolCalls.curve, ({ db, actor, query }) => curve(db, actor, query))
  serve(app, patrolCalls.visit, ({ db, actor, body }) => visit(db, actor, body, clock()))
}
/** Serves patrols. Rounds are created and closed like upkeep orders. */
export const startPatrols = (c: Context, copyFile: CopyFile) => {
  const { database, clock, log } = c
  const cleaning = startWorker({
    database,
    run: async () => void (c.isOwner() && (await forgetPlaces(database.system, clock()))),
    triggeredBy: () => false,
    failed: (err) => log.warn({ err }, 'places of people were not removed; trying again'),
    pollMs: 6 * 3_600_000,
  })
  c.opened(cleaning, () => cleaning.stop())
  startPlans(c, patrol, patrolCalls, copyFile)
  c.routes.push((app) => roundRoutes(app, { clock: c.clock }))
}
