import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud, pageInTurn } from '../../../../server/resource/crud.ts'
import { pictureSymbol, symbolCalls } from '../contract.ts'
import { adoptSymbols, symbolWork } from './service.ts'

/** A company's own symbols. */
export const symbolRoutes = (app: FastifyInstance) => {
  crud(app, pictureSymbol, { own: symbolWork })
  // Many drawings take as long as a long page, so they queue with those.
  serve(app, symbolCalls.fromFile, ({ db, actor, body }) => {
    const company = actor.platform && body.EnterpriseId ? body.EnterpriseId : actor.EnterpriseId
    return pageInTurn({ size: 1000 }, actor, () => adoptSymbols(db, actor, body.Symbols, company))
  })
}
