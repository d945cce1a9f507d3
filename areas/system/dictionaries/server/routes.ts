import type { FastifyInstance } from 'fastify'
import { AnyObject, call, Removed } from '../../../../contract/call.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { dataDict, dict, dictionaryCalls } from '../contract.ts'
import { removeOwn, valuesOf } from './service.ts'

export const dictionaryRoutes = (app: FastifyInstance) => {
  // Types are the platform's to change (ruling 34); who fills them with values reads them.
  crud(app, { ...dict, permission: dataDict.permission }, { except: ['create', 'update', 'remove'] })
  crud(app, dict, { except: ['list', 'find', 'remove'] })
  crud(app, dataDict, { except: ['remove'] })
  for (const r of [dict, dataDict])
    for (const suffix of ['', '/BatchDelete'])
      serve(
        app,
        call({ method: 'DELETE', path: `${r.path}${suffix}`, permission: `${r.permission}.remove`, query: AnyObject, answer: Removed }),
        async ({ db, actor, request }) => ({ Removed: await removeOwn(db, actor, r, idsOf(request.body, request.query)) }),
      )
  serve(app, dictionaryCalls.valuesOf, ({ db, actor, query, request }) => valuesOf(db, actor, languageOf(request), query.DictValue))
}
