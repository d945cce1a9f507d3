import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { monitoringCalls } from '../contract.ts'
import type { Monitoring } from './service.ts'

export const monitoringRoutes = (app: FastifyInstance, monitoring: Pick<Monitoring, 'use'>) =>
  serve(app, monitoringCalls.use, ({ query }) => monitoring.use(query))
