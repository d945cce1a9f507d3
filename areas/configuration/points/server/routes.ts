import type { FastifyInstance } from 'fastify'
import { LogicOP } from '../../../../contract/call.ts'
import { serveFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { store } from '../../../../server/resource/store.ts'
import { saveCells } from '../../cells/server/service.ts'
import { addressesOn } from '../../channels/server/service.ts'
import { planInTurn } from '../../models/server/service.ts'
import { point, pointCalls } from '../contract.ts'
import { addPoints, outputPoints, setSlaveNumbers } from './service.ts'
import { violationsOf } from './violations.ts'

const points = store(point)

export const pointRoutes = (app: FastifyInstance) => {
  serve(app, pointCalls.v2List, ({ db, actor, query }) => {
    const { DeviceIds, ...rest } = query
    const QueryConditions = DeviceIds ? [{ Field: 'DeviceId', Value: DeviceIds, LogicOP: LogicOP.oneOf }] : []
    const q = readListing({ ...rest, QueryInfo: { QueryConditions } })
    return pageInTurn(q, actor, () => points.list(db, actor, q))
  })
  serveFile(app, pointCalls.output, ({ db, actor, query, request }) =>
    planInTurn(actor, () => outputPoints(db, actor, query, languageOf(request))),
  )
  serve(app, pointCalls.violations, ({ db, actor, query, request }) =>
    planInTurn(actor, () => violationsOf(db, actor, query.ProjectId, languageOf(request))),
  )
  serve(app, pointCalls.batchAdd, ({ db, actor, body }) => addPoints(db, actor, body.DeviceId, body.Items))
  serve(app, pointCalls.cells, async ({ db, actor, body }) =>
    saveCells(db, actor, point, body.DeviceId, body.Rows, await addressesOn(db, body.DeviceId)),
  )
  serve(app, pointCalls.slaveNumbers, ({ db, actor, body }) => setSlaveNumbers(db, actor, body.Ids, body.SlaveNumber))
}
