import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { CopyFile } from '../../job-sheets/server/service.ts'
import { knowledgeCalls, mtnKnowledgeBase } from '../contract.ts'
import { fromOrder } from './ofOrder.ts'
import { articles, list, offer, publish, update, versions, vote, withdraw } from './service.ts'

export const knowledgeRoutes = (app: FastifyInstance, { system }: Pick<Database, 'system'>) => {
  const own = { create: articles.create, update, list: (...[db, actor, q]: Parameters<typeof articles.list>) => list(db, actor, q, system) }
  crud(app, mtnKnowledgeBase, { own, acts: { publish, withdraw } })
  serve(app, knowledgeCalls.offer, ({ db, actor, query }) => offer(db, actor, query))
  serve(app, knowledgeCalls.vote, ({ db, actor, body }) => vote(db, actor, body.Id, body.Helped))
  serve(app, knowledgeCalls.versions, ({ db, actor, query }) => versions(db, actor, query.Id))
}

/** A draft gets copies of its order's photos. */
export const draftRoutes = (app: FastifyInstance, copyFile?: CopyFile) =>
  serve(app, knowledgeCalls.fromOrder, ({ db, actor, body }) => fromOrder(db, actor, body.OrderId, copyFile))
