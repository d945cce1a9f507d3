import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { call } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { dataDict, dict, dictionaryCalls } from '../contract.ts'
import { removeOwn, valuesOf } from './service.ts'

const anything = Type.Object({}, { additionalProperties: true })

export const dictionaryRoutes = (app: FastifyInstance) => {
  const [types, values] = [dict, dataDict] as unknown as [Resource, Resource]
  // Types are the platform's to change (ruling 34); who fills them with values reads them.
  crud(app, { ...types, permission: values.permission }, { except: ['create', 'update', 'remove'] })
  crud(app, types, { except: ['list', 'find', 'remove'] })
  crud(app, values, { except: ['remove'] })
  const answer = Type.Object({ Removed: Type.Integer() })
  for (const r of [types, values])
    for (const suffix of ['', '/BatchDelete'])
      serve(
        app,
        call({ method: 'DELETE', path: `${r.path}${suffix}`, permission: `${r.permission}.remove`, query: anything, answer }),
        async ({ db, actor, request }) => ({ Removed: await removeOwn(db, actor, r, idsOf(request.body, request.query)) }),
      )
  serve(app, dictionaryCalls.valuesOf, ({ db, actor, query, request }) => valuesOf(db, actor, languageOf(request), query.DictValue))
}
