import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { Fault, notFound } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import { dataScopeFilter, isBroader, loadDataScope } from './dataScope.ts'
import { codesOf, exceeds, type Granting, licensedOf } from './rights.ts'

/** What a person sees who previews a role: rights and rows of that role, none beyond his own. */
export const previewOf = async (db: Db, actor: Actor, roleId: number): Promise<Actor> => {
  const [role] = await db.rows<Granting & { EnterpriseId: number; TenantCodes: string[] | null; Narrowed: boolean }>(sql`
    select r."EnterpriseId", r."RouteRole", r."IsPlatform", r."MenuCodes", r."ProjectIds", r."DataScope",
      coalesce(e."MenuCodes", (select array(select jsonb_array_elements_text(v."MenuCodes")) from version v where v."Id" = e."VersionId")) as "TenantCodes",
      r."DataScope" <> 5 or exists (select 1 from role_data_permission x where x."RoleId" = r."Id") as "Narrowed"
    from role r join enterprise e on e."Id" = r."EnterpriseId"
    where r."Id" = ${roleId} and (${actor.platform} or r."EnterpriseId" = ${actor.EnterpriseId})
      and ${sql.join([sql`true`, ...dataScopeFilter('role', actor, 'r')], sql` and `)}`)
  if (!role || !actor.may.has('m10403')) throw notFound()
  if (exceeds(actor, [role])) throw new Fault('moreRights')
  const platform = role.IsPlatform === 1
  const licensed = platform ? undefined : licensedOf(role.TenantCodes)
  const codes = codesOf({ platform, admin: role.RouteRole === 'admin', codes: role.MenuCodes })
  const { dataScope: _, unlicensed: __, ...plain } = actor
  const preview =
    role.Narrowed && !platform ? await loadDataScope(db, actor.UserId, roleId) : { projects: role.ProjectIds ?? ('all' as const) }
  if (!actor.platform && isBroader(preview, actor)) throw new Fault('moreRights')
  return {
    ...plain,
    EnterpriseId: role.EnterpriseId,
    platform,
    may: new Set(codes.filter((code) => licensed?.has(code) ?? true)),
    ...preview,
    preview: true,
  }
}
