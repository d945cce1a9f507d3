import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { coldCircuit, coldEnergyCalls } from '../contract.ts'
import type { Needs } from './minutes.ts'
import { energyTypes, phasesOf } from './statistics.ts'

export const coldEnergyRoutes = (app: FastifyInstance, needs: Needs) => {
  crud(app, coldCircuit)
  serve(app, coldEnergyCalls.phases, ({ db, actor, query }) => reckonInTurn(actor, () => phasesOf(db, actor, query, needs)))
  serve(app, coldEnergyCalls.types, ({ db, actor, query }) => reckonInTurn(actor, () => energyTypes(db, actor, query, needs)))
}
