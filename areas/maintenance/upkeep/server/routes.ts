import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan, upkeepCalls } from '../contract.ts'
import { calendar, plans, setPlanStatus, updatePlan } from './service.ts'
import { cancel, finish, mine, orders, repair, start } from './work.ts'

export const upkeepRoutes = (app: FastifyInstance, { clock }: { clock: () => number }) => {
  crud(app, mtnUpKeepPlan, { own: { ...plans, update: (db, actor, id, change) => updatePlan(db, actor, id, change, clock()) } })
  crud(app, mtnUpKeepOrder, { own: orders })
  serve(app, upkeepCalls.planStatus, ({ db, actor, body }) => setPlanStatus(db, actor, body, clock()))
  serve(app, upkeepCalls.calendar, ({ db, actor, query }) => calendar(db, actor, query))
  serve(app, upkeepCalls.mine, ({ db, actor }) => mine(db, actor) as Promise<never>)
  serve(app, upkeepCalls.repair, ({ db, actor, body }) => repair(db, actor, body))
  serve(app, upkeepCalls.start, ({ db, actor, body }) => start(db, actor, body) as Promise<never>)
  serve(app, upkeepCalls.finish, ({ db, actor, body }) => finish(db, actor, body, clock()) as Promise<never>)
  serve(app, upkeepCalls.cancel, ({ db, actor, body }) => cancel(db, actor, body, clock()) as Promise<never>)
}
