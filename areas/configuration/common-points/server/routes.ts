import type { FastifyInstance } from 'fastify'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { serveBatchAdd } from '../../../../server/resource/batch.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { planInTurn } from '../../models/server/service.ts'
import { commonCalls, commonPara } from '../contract.ts'
import { addToDevices } from './service.ts'

export const commonPointRoutes = (app: FastifyInstance) => {
  crud(app, commonPara)
  serveBatchAdd(app, commonPara, commonCalls.batchAdd)
  serve(app, commonCalls.addToDevices, ({ db, actor, body, request }) => {
    assertHolds(actor, [commonPara.permission])
    return planInTurn(actor, () => addToDevices(db, actor, body, languageOf(request)))
  })
}
