import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Body, Page } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { protocolCalls } from '../../channels/contract.ts'
import { deviceCalls } from '../../devices/contract.ts'
import { pointCalls } from '../../points/contract.ts'
import { command, gatewayCalls, gatewayPara, gatewaySubTypes, serialsOf } from '../contract.ts'
import { addGateways } from './batch.ts'
import type { Binding } from './binding.ts'
import { inWords } from './commands.ts'
import { nodesOf, statesOf } from './nodes.ts'
import type { Gateways } from './service.ts'
import { checkSetting } from './settings.ts'

type PushMany = Omit<Body<typeof gatewayCalls.push>, 'GatewayId' | 'GatewayIds'> & { GatewayIds: number[] }
export type GatewayRouteOptions = {
  gateways: Gateways
  binding: Binding
  /** The address that gateways connect to, as seen by the caller. */
  address(request: FastifyRequest): { Host: string; Port: number }
  /** Starts a task that pushes many gateways. */
  pushMany(db: Db, actor: Actor, given: PushMany): Promise<{ Id: number; Total: number }>
  /** Rejected readings of a gateway, newest first. */
  rejected(enterprise: number, serials: readonly string[], page: { index: number; size: number }): Promise<Page<object>>
}

/** Texts of an answer are in the language of its call (ruling 8). */
const speaking = (actor: Actor, request: FastifyRequest): Actor => ({ ...actor, language: languageOf(request) })

export const gatewayRoutes = (app: FastifyInstance, o: GatewayRouteOptions) => {
  crud(app, command, { except: ['create', 'update', 'remove'] })
  crud(app, gatewayPara, { check: checkSetting as Check })
  serve(app, gatewayCalls.batchAdd, ({ db, actor, body }) => addGateways(db, actor, body))
  for (const bind of [gatewayCalls.bind, gatewayCalls.bindByPhone])
    serve(app, bind, ({ db, actor, body }) => o.binding.bind(db, actor, body))
  serve(app, gatewayCalls.unbind, ({ db, actor, body }) => o.binding.unbind(db, actor, body.Id))
  serve(app, gatewayCalls.replace, ({ db, actor, body }) => o.binding.replace(db, actor, body))
  serve(app, gatewayCalls.subTypes, ({ query, request }) =>
    (gatewaySubTypes[query.GatewayTypeId ?? 0] ?? [1, 2]).map((Id) => ({
      Id,
      Name: word(languageOf(request), `gateway.GatewaySubTypeId.${Id}`),
    })),
  )
  serve(app, gatewayCalls.resetKey, async ({ db, actor, body, request }) => ({
    ...(await o.gateways.resetKey(db, actor, body.Id)),
    ...o.address(request),
  }))
  serve(app, gatewayCalls.netTest, async ({ db, actor, body: { Id, Ip, Port, Serial }, request }) => {
    const target = Serial ? { Serial } : Ip && Port ? { Ip, Port } : undefined
    if (!target) throw new FieldFaults([{ field: Ip ? 'Port' : 'Ip', rule: 'required' }])
    return inWords(languageOf(request), await o.gateways.netTest(db, actor, Id, target))
  })
  serve(app, protocolCalls.browse, async ({ db, actor, body, request }) => {
    const { Data, ...outcome } = await o.gateways.browse(db, actor, body)
    return { ...inWords(languageOf(request), outcome), ...nodesOf(Data) }
  })
  serve(app, protocolCalls.trace, async ({ db, actor, body, request }) =>
    inWords(languageOf(request), await o.gateways.trace(db, actor, body)),
  )
  serve(app, protocolCalls.trust, async ({ db, actor, body, request }) =>
    inWords(languageOf(request), await o.gateways.trust(db, actor, body)),
  )
  serve(app, protocolCalls.states, async ({ db, actor, query, request }) => {
    const { Data, ...outcome } = await o.gateways.states(db, actor, query.GatewayId)
    return { ...inWords(languageOf(request), outcome), ...statesOf(Data) }
  })
  serve(app, protocolCalls.frames, ({ db, actor, query }) => o.gateways.frames(db, actor, query))
  serve(app, gatewayCalls.timeSync, async ({ db, actor, body, request }) =>
    inWords(languageOf(request), await o.gateways.timeSync(db, actor, body.Id)),
  )
  serve(app, gatewayCalls.push, async ({ db, actor, body: { GatewayId, GatewayIds, ...more }, request }) => {
    const language = languageOf(request)
    if (GatewayId && GatewayIds) throw new FieldFaults([{ field: 'GatewayIds', rule: 'gateway.pushOneOrMany' }])
    if (GatewayIds) {
      const { Id: TaskId, Total } = await o.pushMany(db, speaking(actor, request), { ...more, GatewayIds })
      return { Code: 0, Msg: word(language, 'task.started'), Data: { TaskId, Total } }
    }
    if (!GatewayId) throw new FieldFaults([{ field: 'GatewayId', rule: 'required' }])
    return inWords(language, await o.gateways.push(db, speaking(actor, request), GatewayId, more.Note || null))
  })
  serve(app, gatewayCalls.isLink, async ({ db, actor, query }) => {
    const { OnlineStatus, ConfigStatus } = await o.gateways.find(db, actor, query.GatewayId)
    return { OnlineStatus, ConfigStatus }
  })
  serve(app, gatewayCalls.remoteLockState, ({ db, actor, query }) => o.gateways.find(db, actor, query.Id))
  serve(app, gatewayCalls.remoteLockInfo, ({ db, actor, query }) => o.gateways.find(db, actor, query.Id))
  serve(app, gatewayCalls.rejected, async ({ db, actor, query }) => {
    const gateway = await o.gateways.find(db, actor, query.GatewayId)
    return o.rejected(gateway.EnterpriseId, serialsOf(gateway), { index: query.PageIndex ?? 1, size: query.PageSize ?? 20 })
  })
  serve(app, pointCalls.write, async ({ db, actor, body, request }) =>
    inWords(languageOf(request), await o.gateways.write(db, actor, body.ParaId, body.Value)),
  )
  serve(app, pointCalls.read, async ({ db, actor, body, request }) => {
    const { Values, ...outcome } = await o.gateways.read(db, actor, body.ParaIds)
    return { ...inWords(languageOf(request), outcome), Values }
  })
  serve(app, deviceCalls.whyNoData, ({ db, actor, query, request }) => o.gateways.whyNoData(db, speaking(actor, request), query.Id))
}
