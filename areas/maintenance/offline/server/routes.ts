import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { offlineCalls } from '../contract.ts'
import { lateStep } from './service.ts'

export const offlineRoutes = (app: FastifyInstance, { clock }: { clock: () => number }) =>
  serve(app, offlineCalls.lateStep, ({ db, actor, body }) => lateStep(db, actor, body, clock()))
