import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { type Holder, inUseBy } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { user } from '../../users/contract.ts'
import { post } from '../contract.ts'

/** All or none. Refuses to remove a job title that people have, and names them. */
const remove = async (db: Db, actor: Actor, ids: readonly number[]) => {
  for (const id of ids) await store(post).find(db, actor, id)
  const holders = await db.rows<Holder>(sql`
    select distinct t."Id", t."UserName" as "Title", ${visible(user, actor)} as "Seen"
    from user_post up join "user" t on t."Id" = up."UserId" where up."PostId" = any(${ids}::bigint[]) order by 3 desc, 1 limit 10`)
  if (holders.length) throw inUseBy('user', holders)
  return store(post).remove(db, actor, ids)
}

export const postRoutes = (app: FastifyInstance) => crud(app, post, { own: { remove } })
