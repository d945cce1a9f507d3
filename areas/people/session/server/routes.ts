import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionCalls } from '../../../../contract/session.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { buttonsOf } from '../../../../server/identity/dataScope.ts'
import { dataDictionary } from '../../../system/dictionaries/server/service.ts'
import type { menusService } from '../../menus/server/service.ts'
import { startPicture } from '../../users/server/service.ts'
import type { sessionService } from './service.ts'

const caller = (request: FastifyRequest) => ({ ip: request.ip, agent: request.headers['user-agent'] ?? '' })

export const sessionRoutes = (app: FastifyInstance, service: ReturnType<typeof sessionService>, menus: ReturnType<typeof menusService>) => {
  serve(app, sessionCalls.login, ({ body, request }) => service.login(body, caller(request)))
  serve(app, sessionCalls.loginConfirm, ({ body, request }) => service.loginConfirm(body, caller(request)))
  serve(app, sessionCalls.logout, async ({ actor, request }) => {
    await service.logout(actor, caller(request))
    return null
  })
  serve(app, sessionCalls.actAs, ({ actor, body, request }) => service.actAs(actor, body.RoleId, caller(request)))
  serve(app, sessionCalls.userInfo, ({ actor }) => service.userInfo(actor.UserId, actor.zone, actor.role))
  serve(app, sessionCalls.basicData, async ({ actor, db, request }) => ({
    DataDictionary: await dataDictionary(db, actor, languageOf(request)),
    AllPageBtn: buttonsOf(actor),
    AllPageMenu: await menus.treeOf(actor, languageOf(request)),
  }))
  serve(app, sessionCalls.setPassword, ({ actor, body, request }) => service.setPassword(actor, body, caller(request)))
  serve(app, sessionCalls.mapKey, ({ actor, db, query }) => service.mapKey(actor, db, query))
  serve(app, sessionCalls.pwdQuestion, ({ actor, request }) => service.questions.list(actor, languageOf(request)))
  serve(app, sessionCalls.setPwdQuestion, ({ actor, body, request }) => service.questions.set(actor, body, request.ip))
  serve(app, sessionCalls.confirmPwdQuestion, ({ actor, body }) => service.questions.confirm(actor, body))
  serve(app, sessionCalls.showIndexFlowchart, ({ db, actor }) => startPicture(db, actor))
  serve(app, sessionCalls.wxCode, async ({ query }) => ({ Url: await service.wechatAddress(query.Slug) }))
}
