import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { exported, takeAlong } from '../../exports/server/service.ts'
import { log, logCalls } from '../contract.ts'
import type { LogKeys } from './keys.ts'
import { logIn, logItems } from './service.ts'
import { verifyChain } from './verify.ts'

const r = log

export const logRoutes = (app: FastifyInstance, database: Database, keys: LogKeys) => {
  serve(
    app,
    logCalls.list,
    ({ db, actor, request }) => logIn(languageOf(request))(db, actor, readListing(request.query as Record<string, unknown>)) as never,
  )
  serve(app, logCalls.items, ({ db, actor, query, request }) => logItems(db, actor, query.Id, languageOf(request)))
  serve(app, logCalls.verify, ({ actor, body }) =>
    verifyChain(database, keys, actor.platform && body.EnterpriseId ? body.EnterpriseId : actor.EnterpriseId),
  )
  serve(app, logCalls.output, async ({ db, actor, request, reply }) => {
    const { Format, Fields, ...rest } = request.query as Record<string, unknown>
    const language = languageOf(request)
    const asked = { names: exported(r, actor, Fields ? String(Fields).split(',') : undefined), listing: readListing(rest), language }
    const title = word(language, 'menu.m10454')
    // Exports of the log are logged.
    return takeAlong(db, actor, r, { reply, title, format: Format, asked, filters: rest, list: logIn(language) })
  })
}
