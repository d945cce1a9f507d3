import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Body } from '../../../../contract/call.ts'
import { schemas } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { deviceCheck } from '../../channels/server/service.ts'
import { Flag } from '../../models/contract.ts'
import { type Answer, planInTurn } from '../../models/server/service.ts'
import { device, deviceCalls } from '../contract.ts'
import { addDevices, devicesOf, updateDevice } from './service.ts'

type Batch = Body<typeof deviceCalls.batchAdd>
type Needs = {
  /** Starts a task that adds devices. */
  addAsTask(db: Db, actor: Actor, given: Batch): Promise<Answer & { TaskId: number }>
}

/** With `PointsFollow`, points take the new unit ID of their device. */
const change = Type.Object({ ...schemas(device).change.properties, PointsFollow: Flag })

export const deviceRoutes = (app: FastifyInstance, { addAsTask }: Needs) => {
  crud(app, device, { check: deviceCheck, own: { update: updateDevice }, shapes: { change } })
  serve(app, deviceCalls.batchAdd, ({ db, actor, body, request }) => {
    const language = languageOf(request)
    return planInTurn(actor, () =>
      body.AsTask && !body.Preview
        ? addAsTask(db, { ...actor, language }, body)
        : addDevices(db, actor, { ...body, items: devicesOf(body) }, language),
    )
  })
}
