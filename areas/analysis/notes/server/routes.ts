import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import { chartNote, overlayCalls } from '../contract.ts'
import { readOverlay } from './overlay.ts'

/** Editing a note keeps its author. Platform users have no author entry in another company. */
const check: Check = async (db, actor, given, held) => {
  if (held) return given
  const isOwn = (await tenantOf(db, actor, chartNote, given)) === actor.EnterpriseId
  return { ...given, UserId: (isOwn && actor.UserId) || null }
}

export const noteRoutes = (app: FastifyInstance) => {
  crud(app, chartNote, { check })
  serve(app, overlayCalls.overlay, ({ db, actor, body }) => readOverlay(db, actor, body))
}
