import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { serve } from '../../../../server/http/serve.ts'
import { requestCalls } from '../contract.ts'
import { type Needs, openRequests, reportHere } from './service.ts'

export const requestRoutes = (app: FastifyInstance, needs: Needs) => {
  const requests = openRequests(needs)
  serve(app, requestCalls.machine, ({ body, request }) => requests.machine(body.Label, request.ip))
  serve(app, requestCalls.report, ({ body, request }) => requests.report(body, request.ip))
  serve(app, requestCalls.state, ({ body, request }) => requests.state(body.Token, request.ip))
  serve(app, requestCalls.label, ({ db, actor, query }) => requests.label(db, actor, query.Id))
  serve(app, requestCalls.labels, ({ db, actor, body }) => requests.labels(db, actor, body.Ids))
  serve(app, requestCalls.machineOfLabel, ({ db, actor, body, request }) => requests.machineOfLabel(db, actor, body.Label, request.ip))
  serve(app, requestCalls.reportByLabel, ({ actor, body, request }) => requests.reportByLabel(actor, body, request.ip))
  serve(app, requestCalls.reportHere, ({ db, actor, body }) => reportHere(db, actor, body))
  serve(app, requestCalls.renewLabel, ({ db, actor, body }) => requests.renewLabel(db, actor, body.Id))
}
export const startRequests = (c: Context, parts: Pick<Needs, 'files' | 'key'>) =>
  void c.routes.push((api) => requestRoutes(api, { ...c, ...parts }))
