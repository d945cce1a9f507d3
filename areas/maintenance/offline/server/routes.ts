import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import type { Live } from '../../job-sheets/server/service.ts'
import { offlineCalls } from '../contract.ts'
import { lateStep, withProof } from './service.ts'

export const offlineRoutes = (app: FastifyInstance, { clock, telemetry }: { clock: () => number; telemetry?: Live }) =>
  serve(app, offlineCalls.lateStep, async ({ db, actor, body }) => lateStep(db, actor, await withProof(db, telemetry, body), clock()))
