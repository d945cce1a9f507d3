import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { AnyObject, call, Removed } from '../../../../contract/call.ts'
import { type Holder, inUseBy } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { user } from '../../users/contract.ts'
import { post } from '../contract.ts'

/** Posts; one that somebody holds stays, and the answer says who. */
export const postRoutes = (app: FastifyInstance) => {
  const r = post
  crud(app, r, { except: ['remove'] })
  const remove = {
    method: 'DELETE',
    permission: `${r.permission}.remove`,
    query: AnyObject,
    answer: Removed,
  } as const
  for (const suffix of ['', '/BatchDelete'])
    serve(app, call({ ...remove, path: `${r.path}${suffix}` }), async ({ db, actor, request }) => {
      const ids = idsOf(request.body, request.query)
      for (const id of ids) await store(r).find(db, actor, id)
      const held = await db.rows<Holder>(sql`
        select distinct t."Id", t."UserName" as "Title", ${visible(user, actor)} as "Seen"
        from user_post up join "user" t on t."Id" = up."UserId" where up."PostId" = any(${ids}::bigint[]) order by 3 desc, 1 limit 10`)
      if (held.length) throw inUseBy('user', held)
      return { Removed: await store(r).remove(db, actor, ids) }
    })
}
