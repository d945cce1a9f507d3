import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { idsOf, listsOf } from '../../../../server/resource/crud.ts'
import { dingRobot, wechatCalls } from '../contract.ts'
import type { Wechat } from './service.ts'

const page = (text: string) =>
  `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><p style="font:16px system-ui;margin:2rem">${text}</p>`

export const wechatRoutes = (app: FastifyInstance, wechat: Wechat) => {
  serve(app, wechatCalls.signature, ({ actor, query }) => wechat.signature(actor, query.Url))
  listsOf(app, dingRobot, { path: '/System/WechatConfig/DDList', aliases: [`${dingRobot.path}/List`] })
  serve(app, wechatCalls.addRobot, ({ actor, body }) => wechat.addRobot(actor, body))
  serve(app, wechatCalls.changeRobot, ({ actor, body }) => wechat.changeRobot(actor, body.Id as number, body))
  serve(app, wechatCalls.removeRobots, async ({ actor, request }) => ({
    Removed: await wechat.removeRobots(actor, idsOf(request.body, request.query)),
  }))
  serve(app, wechatCalls.test, ({ db, actor, body, request }) => wechat.test(db, actor, languageOf(request), body.Method, body.RobotId))
  serve(app, wechatCalls.pushSetting, ({ db, actor, query }) => wechat.setting(db, actor, query.UserId))
  serve(app, wechatCalls.changePushSetting, ({ db, actor, body }) => wechat.change(db, actor, body))
  serve(app, wechatCalls.openId, ({ db, actor, query }) => wechat.openId(db, actor, query.UserId))
  serve(app, wechatCalls.grantUrl, ({ actor }) => wechat.grantUrl(actor))
  serve(app, wechatCalls.untie, ({ actor, body }) => wechat.untie(actor, body.UserId))
  // A person's phone comes from WeChat without a session; the state identifies him.
  app.get(
    '/WeChat/WeiXinGrant/Callback',
    { schema: { hide: true, response: { 200: Type.String() } }, config: { permission: 'public' } },
    async (request, reply) => {
      const { state, code } = request.query as { state?: unknown; code?: unknown }
      const bound =
        typeof state === 'string' && typeof code === 'string' && code.length < 200 && (await wechat.bind(state.slice(0, 100), code))
      return reply.type('text/html; charset=utf-8').send(page(word(languageOf(request), bound ? 'wechat.bound' : 'wechat.notBound')))
    },
  )
}
