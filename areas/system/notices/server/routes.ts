import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { idsOf } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { noticeCalls } from '../contract.ts'
import { addressees, change, list, publish, readers, remove } from './announcements.ts'
import { counts, detail, markRead, pin, userList } from './service.ts'

/** `told` is called with the person whose state changed, to notify his other consoles. */
export const noticeRoutes = (app: FastifyInstance, told: (actor: Actor) => void) => {
  const listing = (given: unknown) => readListing({ PageSize: 10, ...(given as Record<string, unknown>) })
  const changed = (actor: Actor, done: { Changed: number }) => {
    if (done.Changed) told(actor)
    return done
  }
  serve(app, noticeCalls.postedList, ({ db, actor, request }) => userList(db, actor, listing(request.body), languageOf(request)))
  serve(app, noticeCalls.userList, ({ db, actor, request }) => userList(db, actor, listing(request.query), languageOf(request)))
  serve(app, noticeCalls.detail, ({ db, actor, query, request }) => detail(db, actor, query.Id, languageOf(request)))
  serve(app, noticeCalls.counts, ({ db, actor }) => counts(db, actor))
  serve(app, noticeCalls.read, async ({ db, actor, body }) => changed(actor, await markRead(db, actor, body.MsgIds, body.BizTypeList)))
  serve(app, noticeCalls.pin, async ({ db, actor, body }) => changed(actor, await pin(db, actor, body.Id, body.IsFirstPage)))
  serve(app, noticeCalls.list, ({ db, actor, request }) => list(db, actor, listing(request.query)))
  serve(app, noticeCalls.readers, ({ db, actor, query }) => readers(db, actor, query.Id))
  serve(app, noticeCalls.users, ({ db, actor }) => addressees(db, actor))
  serve(app, noticeCalls.publish, ({ db, actor, body }) => publish(db, actor, body))
  serve(app, noticeCalls.change, ({ db, actor, body }) => change(db, actor, body as { Id: number }))
  serve(app, noticeCalls.remove, ({ db, actor, request }) => remove(db, actor, idsOf(request.body, request.query)))
}
