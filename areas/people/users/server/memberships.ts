import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { assertNotBroader } from '../../../../server/identity/dataScope.ts'
import { exceeds, type Granting, rolesOf } from '../../../../server/identity/rights.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import { post } from '../../posts/contract.ts'
import { user } from '../contract.ts'

type Person = { Id: number; EnterpriseId: number }

/** Sets exactly these roles, all of the person's tenant and within the actor's permissions. */
export const assignRoles = async (db: Db, actor: Actor, { Id, EnterpriseId }: Person, wanted: readonly number[]) => {
  const ids = [...new Set(wanted)]
  if ((await unknownIds(db, actor, 'role', { ids, tenant: EnterpriseId })).size)
    throw new FieldFaults([{ field: 'RoleIds', rule: 'unknownReference' }])
  const before = (await rolesOf(db, Id)).map((r) => r.Id)
  const roles = await db.rows<Granting & { Id: number }>(
    sql`select "Id", "RouteRole", "IsPlatform", "MenuCodes", "ProjectIds", "DataScope" from role where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${EnterpriseId} for share`,
  )
  if (exceeds(actor, roles)) throw new Fault('moreRights')
  await assertNotBroader(
    db,
    actor,
    () => [Id],
    () =>
      db.all([
        sql`delete from user_role where "UserId" = ${Id} and "RoleId" <> all(${ids}::bigint[])`,
        sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") select ${EnterpriseId}, ${Id}, unnest(${ids}::bigint[]) on conflict do nothing`,
      ]),
  )
  await record(db, actor, user, 'update', Id, EnterpriseId, { RoleIds: before }, { RoleIds: ids })
  return !isDeepStrictEqual(before.toSorted(), ids.toSorted())
}

/** Sets exactly these job titles, all of the person's tenant and visible to the actor. */
export const setPosts = async (db: Db, actor: Actor, { Id, EnterpriseId }: Person, wanted: readonly number[]) => {
  const ids = [...new Set(wanted)]
  if ((await unknownIds(db, actor, 'post', { ids, tenant: EnterpriseId })).size)
    throw new FieldFaults([{ field: 'PostIds', rule: 'unknownReference' }])
  // Job titles invisible to the actor stay.
  const gone = await db.rows<{ Id: number }>(sql`
    delete from user_post where "UserId" = ${Id} and "PostId" <> all(${ids}::bigint[])
      and exists (select 1 from post p where p."Id" = "PostId" and ${visible(post as Resource, actor, 'p')}) returning "PostId" as "Id"`)
  const more = await db.rows(sql`
    insert into user_post ("EnterpriseId", "UserId", "PostId") select ${EnterpriseId}, ${Id}, unnest(${ids}::bigint[]) on conflict do nothing returning 1`)
  if (gone.length || more.length) await record(db, actor, user, 'update', Id, EnterpriseId, null, { PostIds: ids })
}
