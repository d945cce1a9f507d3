import type { FastifyInstance } from 'fastify'
import { call, Removed } from '../../../../contract/call.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf, lists } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { almEmailTemplate, almPushRecord, almSmsTemplate, almWechatTemplate, messageCalls, messageTemplates } from '../contract.ts'
import { cancel, resend, share } from './service.ts'

/** Templates, which need nothing but the database. The specification removes them by `/{id}`. */
export const templateRoutes = (app: FastifyInstance) => {
  for (const r of messageTemplates) {
    crud(app, r)
    const remove = { method: 'DELETE', path: `${r.path}/:id`, permission: `${r.permission}.remove` } as const
    serve(app, call({ ...remove, answer: Removed }), async ({ db, actor, request }) => ({
      Removed: await store(r).remove(db, actor, idsOf({ Id: (request.params as { id: string }).id }, undefined)),
    }))
  }
}

/** What sends. */
export const messageRoutes = (app: FastifyInstance, delivery: Delivery) => {
  for (const [c, r] of [
    [messageCalls.shareWechat, almWechatTemplate],
    [messageCalls.shareEmail, almEmailTemplate],
    [messageCalls.shareSms, almSmsTemplate],
  ] as const)
    serve(app, c, ({ db, actor, body, request }) => share(db, actor, delivery, r, languageOf(request), body))
  lists(app, almPushRecord, { path: `${almPushRecord.path}/List` })
  serve(app, messageCalls.resend, ({ db, actor, body }) => resend(db, actor, body.Id))
  serve(app, messageCalls.cancel, ({ db, actor, body }) => cancel(db, actor, body.Id))
}
