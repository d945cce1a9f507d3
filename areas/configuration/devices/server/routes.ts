import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { schemas } from '../../../../contract/resource.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { Flag } from '../../models/contract.ts'
import { planInTurn } from '../../models/server/service.ts'
import { device, deviceCalls } from '../contract.ts'
import { addDevices, updateDevice } from './service.ts'

/** With `PointsFollow`, points take the new unit ID of their device. */
const change = Type.Object({ ...schemas(device).change.properties, PointsFollow: Flag })

export const deviceRoutes = (app: FastifyInstance) => {
  crud(app, device, { own: { update: updateDevice }, shapes: { change } })
  serve(app, deviceCalls.batchAdd, ({ db, actor, body, request }) =>
    planInTurn(actor, () => addDevices(db, actor, body, languageOf(request))),
  )
}
