import type { FastifyInstance } from 'fastify'
import { crud } from '../../../../server/resource/crud.ts'
import { energyInfoData } from '../contract.ts'

export const entryRoutes = (app: FastifyInstance) => {
  crud(app, energyInfoData)
}
