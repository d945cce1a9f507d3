import type { FastifyInstance } from 'fastify'
import { serveBatchAdd } from '../../../../server/resource/batch.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { standardCalls, standardPara } from '../contract.ts'
import { checkStandard } from './service.ts'

export const standardPointRoutes = (app: FastifyInstance) => {
  const check = checkStandard as Check
  crud(app, standardPara, { check })
  serveBatchAdd(app, standardPara, standardCalls.batchAdd, check)
}
