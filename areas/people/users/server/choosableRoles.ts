// Roles to choose from, with their scope.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { codesOf, exceeds, type Granting } from '../../../../server/identity/rights.ts'
import { type Sql, visible } from '../../../../server/resource/sql.ts'
import { role } from '../../roles/contract.ts'
import type { Choosable } from '../contract.ts'

type Row = Granting & { Id: number; EnterpriseId: number; RoleName: string; Checked: boolean; DataScope: number }
const read = (db: Db, actor: Actor, where: Sql, checked: Sql) =>
  db.rows<Row>(sql`
    select r."Id", r."EnterpriseId", r."RoleName", r."RouteRole", r."IsPlatform", r."MenuCodes", r."ProjectIds", r."DataScope", ${checked} as "Checked"
    from role r where ${where} and ${visible(role, actor, 'r')} order by r."IsPlatform", r."Sort", r."RoleName"`)
const shown = ({ RouteRole, IsPlatform, MenuCodes, ProjectIds, ...row }: Row): Choosable => ({
  ...row,
  MenuCodes: codesOf({ platform: IsPlatform === 1, admin: RouteRole === 'admin', codes: MenuCodes }).filter((code) => !code.includes('.')),
  AllProjects: ProjectIds === null,
})

/** Roles of the person's tenant; those of the person are checked. */
export const rolesOfPerson = async (db: Db, actor: Actor, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }) => {
  const checked = sql`exists (select 1 from user_role ur where ur."UserId" = ${Id} and ur."RoleId" = r."Id")`
  return (await read(db, actor, sql`r."EnterpriseId" = ${EnterpriseId}`, checked)).map(shown)
}

/** Roles that the actor may grant to a new person of a tenant. Platform administrators may grant platform roles, too. */
export const rolesToGive = async (db: Db, actor: Actor, tenant = actor.EnterpriseId) => {
  if (tenant !== actor.EnterpriseId && !actor.platform) throw notFound()
  const ofPlatform = actor.platform ? sql`r."IsPlatform" = 1` : sql`false`
  const rows = await read(
    db,
    actor,
    sql`r."Status" = 1 and r."IsTrial" = 0 and (r."EnterpriseId" = ${tenant} or ${ofPlatform})`,
    sql`false`,
  )
  return rows.filter((row) => !exceeds(actor, [row])).map(shown)
}
