import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { equipmentCalls, mtnEquipment } from '../contract.ts'
import { equipmentCheck, equipmentOfDevice } from './service.ts'

export const equipmentRoutes = (app: FastifyInstance) => {
  crud(app, mtnEquipment, { check: equipmentCheck })
  serve(app, equipmentCalls.machine, ({ db, actor, query }) => store(mtnEquipment).find(db, actor, query.Id) as never)
  serve(app, equipmentCalls.ofDevice, ({ db, actor, body }) => equipmentOfDevice(db, actor, body.DeviceId))
}
