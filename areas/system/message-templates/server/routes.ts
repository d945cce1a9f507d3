import type { FastifyInstance } from 'fastify'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { almEmailTemplate, almPushRecord, almSmsTemplate, almWechatTemplate, messageCalls, messageTemplates } from '../contract.ts'
import { cancel, resend, share } from './service.ts'

/** Template calls, which need only the database. */
export const templateRoutes = (app: FastifyInstance) => {
  for (const r of messageTemplates) crud(app, r)
}

/** Calls that send messages. */
export const messageRoutes = (app: FastifyInstance, delivery: Delivery) => {
  for (const [c, r] of [
    [messageCalls.shareWechat, almWechatTemplate],
    [messageCalls.shareEmail, almEmailTemplate],
    [messageCalls.shareSms, almSmsTemplate],
  ] as const)
    serve(app, c, ({ db, actor, body, request }) => share(db, actor, delivery, r, languageOf(request), body))
  crud(app, almPushRecord, {
    except: ['find', 'create', 'update', 'remove'],
    acts: {
      reSend: ({ db, actor, row }) => resend(db, actor, row.Id),
      cancel: ({ db, actor, row }) => cancel(db, actor, row.Id),
    },
  })
}
