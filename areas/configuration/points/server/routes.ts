import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { call, LogicOP } from '../../../../contract/call.ts'
import { schemas } from '../../../../contract/resource.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { store } from '../../../../server/resource/store.ts'
import { point, pointCalls } from '../contract.ts'
import { addPoints, checkName, outputPoints, setSlaveNumbers } from './service.ts'

const points = store(point)
/** Items of a batch are drafts without the device, which stands beside them. */
const { DeviceId, ...item } = schemas(point).draft.properties
const batch = call({
  ...pointCalls.batchAdd,
  body: Type.Object({ DeviceId: DeviceId!, Items: Type.Array(Type.Object(item), { minItems: 1, maxItems: 1000 }) }),
})

export const pointRoutes = (app: FastifyInstance) => {
  serve(app, pointCalls.v2List, ({ db, actor, query }) => {
    const { DeviceIds, ...rest } = query
    const QueryConditions = DeviceIds ? [{ Field: 'DeviceId', Value: DeviceIds, LogicOP: LogicOP.oneOf }] : []
    return points.list(db, actor, readListing({ ...rest, QueryInfo: { QueryConditions } }))
  })
  serve(app, pointCalls.output, async ({ db, actor, query, request, reply }) => {
    const { name, file } = await outputPoints(db, actor, query.DeviceId, languageOf(request))
    return sendFile(reply, name, file)
  })
  serve(app, batch, ({ db, actor, body }) => addPoints(db, actor, body.DeviceId as number, body.Items as Record<string, unknown>[]))
  serve(app, pointCalls.slaveNumbers, ({ db, actor, body }) => setSlaveNumbers(db, actor, body.Ids, body.SlaveNumber))
  serve(app, pointCalls.check, ({ db, actor, body }) => checkName(db, actor, body))
}
