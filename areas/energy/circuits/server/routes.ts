import type { FastifyInstance } from 'fastify'
import { crud } from '../../../../server/resource/crud.ts'
import { energyFactor, energyInfo, energySource } from '../contract.ts'
import { circuitCheck } from './check.ts'

export const circuitRoutes = (app: FastifyInstance) => {
  crud(app, energyInfo, { check: circuitCheck })
  crud(app, energySource)
  crud(app, energyFactor)
}
