import type { FastifyInstance, FastifyRequest } from 'fastify'
import { deviceCalls } from '../../../contract/areas/devices.ts'
import { gatewayCalls, gatewaySubTypes } from '../../../contract/areas/gateways.ts'
import { pointCalls } from '../../../contract/areas/points.ts'
import type { Page } from '../../../contract/base/call.ts'
import { serve } from '../../http/serve.ts'
import { word } from '../../http/words.ts'
import { inWords } from './commands.ts'
import type { Gateways } from './service.ts'

export type GatewayRouteOptions = {
  gateways: Gateways
  /** Where gateways connect to, as seen by the caller. */
  address(request: FastifyRequest): { Host: string; Port: number }
  /** Rejected readings of a gateway, newest first. */
  rejected(enterprise: number, sn: string, page: { index: number; size: number }): Promise<Page<object>>
}

export const gatewayRoutes = (app: FastifyInstance, { gateways, address, rejected }: GatewayRouteOptions) => {
  serve(app, gatewayCalls.subTypes, ({ actor, query }) =>
    (gatewaySubTypes[query.GatewayTypeId ?? 0] ?? [1, 2]).map((Id) => ({
      Id,
      Name: word(actor.language, `gateway.GatewaySubTypeId.${Id}`),
    })),
  )
  serve(app, gatewayCalls.resetKey, async ({ db, actor, body, request }) => ({
    ...(await gateways.resetKey(db, actor, body.Id)),
    ...address(request),
  }))
  serve(app, gatewayCalls.netTest, async ({ db, actor, body: { Id, Ip, Port } }) =>
    inWords(actor, await gateways.netTest(db, actor, Id, { Ip, Port })),
  )
  serve(app, gatewayCalls.timeSync, async ({ db, actor, body }) => inWords(actor, await gateways.timeSync(db, actor, body.Id)))
  serve(app, gatewayCalls.push, async ({ db, actor, body }) => inWords(actor, await gateways.push(db, actor, body.GatewayId)))
  serve(app, gatewayCalls.isLink, async ({ db, actor, query }) => {
    const { OnlineStatus, ConfigStatus } = await gateways.find(db, actor, query.GatewayId)
    return { OnlineStatus, ConfigStatus }
  })
  serve(app, gatewayCalls.rejected, async ({ db, actor, query }) => {
    const { EnterpriseId, SN } = await gateways.find(db, actor, query.GatewayId)
    return rejected(EnterpriseId, SN, { index: query.PageIndex ?? 1, size: query.PageSize ?? 20 })
  })
  serve(app, pointCalls.write, async ({ db, actor, body }) => inWords(actor, await gateways.write(db, actor, body.ParaId, body.Value)))
  serve(app, pointCalls.read, async ({ db, actor, body }) => {
    const { Values, ...outcome } = await gateways.read(db, actor, body.ParaIds)
    return { ...inWords(actor, outcome), Values }
  })
  serve(app, deviceCalls.whyNoData, ({ db, actor, query }) => gateways.whyNoData(db, actor, query.Id))
}
