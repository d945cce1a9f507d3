import type { FastifyInstance } from 'fastify'
import { crud } from '../../../../server/resource/crud.ts'
import { formulaPoint } from '../contract.ts'
import { checkFormula } from './service.ts'

export const formulaRoutes = (app: FastifyInstance) => crud(app, formulaPoint, { check: checkFormula })
