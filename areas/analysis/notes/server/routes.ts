import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import { chartNote, overlayCalls } from '../contract.ts'
import { readOverlay } from './overlay.ts'

/** Who wrote it stays with it, whoever changes it. The platform's people are of no company but theirs. */
const check: Check = async (db, actor, given, held) => {
  if (held) return given
  const isOwn = (await tenantOf(db, actor, chartNote, given)) === actor.EnterpriseId
  return { ...given, UserId: (isOwn && actor.UserId) || null }
}

export const noteRoutes = (app: FastifyInstance) => {
  crud(app, chartNote, { check })
  serve(app, overlayCalls.overlay, ({ db, actor, body }) => readOverlay(db, actor, body))
}
