import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { type Live, provenResults } from '../../job-sheets/server/service.ts'
import { offlineCalls } from '../contract.ts'
import { lateStep } from './service.ts'

export const offlineRoutes = (app: FastifyInstance, { clock, telemetry }: { clock: () => number; telemetry?: Live }) =>
  serve(app, offlineCalls.lateStep, async ({ db, actor, body }) => {
    const Results = await provenResults(telemetry, body.Results)
    return lateStep(db, actor, { ...body, ...(Results && { Results }) }, clock())
  })
