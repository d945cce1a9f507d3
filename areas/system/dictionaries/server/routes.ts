import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { dataDict, dict, dictionaryCalls } from '../contract.ts'
import { removeOwn, valuesOf } from './service.ts'

export const dictionaryRoutes = (app: FastifyInstance) => {
  for (const r of [dict, dataDict]) crud(app, r, { own: { remove: (db, actor, ids) => removeOwn(db, actor, r, ids) } })
  serve(app, dictionaryCalls.valuesOf, ({ db, actor, query, request }) => valuesOf(db, actor, languageOf(request), query.DictValue))
}
