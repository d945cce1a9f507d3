import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type CopyFile, type Live, provenResults } from '../../job-sheets/server/service.ts'
import type { planCalls } from '../contract.ts'
import type { Kind } from './kind.ts'
import { calendar, plansOf, setPlanStatus, updatePlan } from './planning.ts'
import { answerOver, cancel, finish, handOver, history, mine, ordersOf, readings, repair, start } from './work.ts'

type Needs = { clock: () => number; calls: ReturnType<typeof planCalls>; telemetry?: Live; copyFile?: CopyFile }
/** The calls of plans and their orders. */
export const planRoutes = (app: FastifyInstance, kind: Kind, { clock, calls, telemetry, copyFile }: Needs) => {
  crud(app, kind.plan, {
    own: { ...plansOf(kind), update: (db, actor, id, change) => updatePlan(kind, db, actor, id, change, clock()) },
  })
  crud(app, kind.order, { own: ordersOf(kind) })
  serve(app, calls.planStatus, ({ db, actor, body }) => setPlanStatus(kind, db, actor, body, clock()))
  serve(app, calls.calendar, ({ db, actor, query }) => calendar(kind, db, actor, query))
  serve(app, calls.mine, ({ db, actor }) => mine(kind, db, actor) as Promise<never>)
  serve(app, calls.repair, ({ db, actor, body }) => repair(kind, db, actor, body, copyFile))
  serve(app, calls.readings, ({ db, actor, query }) => readings(kind, db, actor, query.OrderId, telemetry))
  serve(app, calls.history, ({ db, actor, query }) => history(kind, db, actor, query.Id))
  serve(app, calls.start, ({ db, actor, body }) => start(kind, db, actor, body, clock()) as Promise<never>)
  serve(app, calls.finish, async ({ db, actor, body }) => {
    const Results = await provenResults(db, telemetry, kind.order, body.OrderId, body.Results)
    return (await finish(kind, db, actor, { ...body, Results }, clock())) as never
  })
  serve(app, calls.cancel, ({ db, actor, body }) => cancel(kind, db, actor, body, clock()) as Promise<never>)
  serve(app, calls.handOver, ({ db, actor, body }) => handOver(kind, db, actor, body) as Promise<never>)
  serve(app, calls.takeOver, ({ db, actor, body }) => answerOver(kind, db, actor, body, true) as Promise<never>)
  serve(app, calls.declineOver, ({ db, actor, body }) => answerOver(kind, db, actor, body, false) as Promise<never>)
}
