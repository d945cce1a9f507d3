import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { AnyObject, call, page } from '../../../../contract/call.ts'
import { schemas } from '../../../../contract/resource.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud, lists, listsOf } from '../../../../server/resource/crud.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { agent, agentCalls, gatewayPosition, snAgent, snAgentLog } from '../contract.ts'
import { areaTree } from './areas.ts'
import type { Geocoder } from './geocoder.ts'
import { lastPositions, positionsOf } from './positions.ts'
import { addPosition, change, detail, outbound, positionMap, regions, setRegions, takeBack } from './service.ts'

const base = '/V3/System/CrossRegionSale'

export const agentRoutes = (app: FastifyInstance, geocode?: Geocoder) => {
  crud(app, agent, { except: ['list'] })
  listsOf(app, agent, { path: `${base}/AgentList`, aliases: [`${agent.path}/List`] })
  listsOf(app, snAgent, { path: `${base}/SN_AgentList`, aliases: [`${snAgent.path}/List`] })
  listsOf(app, snAgentLog, { path: `${base}/SN_Agent_OPLogList`, aliases: [`${snAgentLog.path}/List`] })
  listsOf(app, gatewayPosition, { path: `${gatewayPosition.path}/List` })
  const { draft, row } = schemas(gatewayPosition)
  const lasts = { path: '/V3/Project/Gateway/GatewayPositionList', permission: gateway.permission, answer: page(AnyObject) }
  lists(app, lasts, lastPositions, ['POST'])
  serve(app, agentCalls.positionsOfGateway, ({ db, actor, body }) => positionsOf(db, actor, body))
  const add = { method: 'POST', path: gatewayPosition.path, permission: `${gatewayPosition.permission}.add` } as const
  serve(app, call({ ...add, body: Type.Object(draft.properties), answer: row }), ({ db, actor, body }) =>
    addPosition(db, actor, body, geocode),
  )
  serve(app, agentCalls.outbound, ({ db, actor, body }) => outbound(db, actor, body))
  serve(app, agentCalls.change, ({ db, actor, body }) => change(db, actor, body))
  serve(app, agentCalls.takeBack, ({ db, actor, body }) => takeBack(db, actor, body))
  serve(app, agentCalls.detail, ({ db, actor, body }) => detail(db, actor, body.SN))
  serve(app, agentCalls.regions, ({ db, actor, body }) => regions(db, actor, body.AgentId))
  serve(app, agentCalls.setRegions, ({ db, actor, body }) => setRegions(db, actor, body.AgentId, body.AreaCodes, body.Exclusive ?? 0))
  serve(app, agentCalls.areas, ({ query }) => areaTree(query.type ?? 3))
  serve(app, agentCalls.positions, ({ db, actor }) => positionMap(db, actor))
}
