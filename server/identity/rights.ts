import { sql } from 'kysely'
import { openMenus, permissions, tenantPermissions } from '../../contract/menus.ts'
import type { Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import { assertSeesAsMuch } from './dataScope.ts'

/** What a role gives. */
export type Granting = {
  RouteRole: string | null
  IsPlatform: number
  MenuCodes: readonly string[]
  /** 1 own, 2 own organisation, 3 and below, 4 chosen, 5 all; a narrowed person grants at most the third. */
  DataScope?: number
  /** Null: all of the tenant. */
  ProjectIds: readonly number[] | null
}

const grantable = new Set(tenantPermissions)

/**
 * Menu and button codes of a person. `admin` holds all that a tenant can hold, so that new menus come to managers by themselves;
 * who holds any holds the open ones too.
 */
export const codesOf = ({ platform, admin, codes }: { platform: boolean; admin: boolean; codes: readonly string[] }): readonly string[] => {
  if (platform) return permissions
  if (admin) return tenantPermissions
  const granted = codes.filter((code) => grantable.has(code))
  return granted.length ? [...granted, ...openMenus] : []
}

/** Codes that a tenant may hold, by its version or its own choice; undefined: all. The open ones and the password always. */
export const licensedOf = (codes: readonly string[] | null): ReadonlySet<string> | undefined =>
  codes ? new Set([...codes, ...openMenus, 'm10401']) : undefined

/**
 * Whether these roles give more than the actor's own: nobody hands out, or rules over, rights beyond his. Rights that the tenant is not
 * licensed for count as well: they hold again with another licence.
 */
export const exceeds = (actor: Actor, roles: readonly Granting[]): boolean =>
  !actor.platform &&
  roles.some(
    (r) =>
      r.IsPlatform === 1 ||
      codesOf({ platform: false, admin: r.RouteRole === 'admin', codes: r.MenuCodes }).some(
        (code) => !actor.may.has(code) && !actor.unlicensed?.has(code),
      ) ||
      (actor.dataScope !== undefined && (r.DataScope ?? 5) > 3) ||
      // What a role shows of the organisations of a narrowed person is judged by what its people then see (dataScope.ts).
      (actor.dataScope === undefined &&
        actor.projects !== 'all' &&
        (r.ProjectIds === null || r.ProjectIds.some((p) => !(actor.projects as readonly number[]).includes(p)))),
  )

/** All rights and rows of the tenant: such a person may change his own. */
export const hasAllRights = (actor: Actor) => !exceeds(actor, [{ RouteRole: 'admin', IsPlatform: 0, MenuCodes: [], ProjectIds: null }])

/** The roles of a person, disabled ones too: they can be enabled again. */
export const rolesOf = (db: Db, userId: number) =>
  db.rows<Granting & { Id: number; RoleName: string }>(sql`
    select r."Id", r."RoleName", r."RouteRole", r."IsPlatform", r."MenuCodes", r."ProjectIds", r."DataScope"
    from user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = ${userId} order by r."RoleName"`)

/**
 * Asked before anything that lets the actor act as other people, or change what is theirs: throws moreRights unless he may do and see all
 * that each of them may.
 */
export const authorizeAll = async (db: Db, actor: Actor, people: readonly number[]) => {
  const others = people.filter((id) => id !== actor.UserId)
  const roles = await db.rows<Granting>(sql`
    select distinct r."Id", r."RouteRole", r."IsPlatform", r."MenuCodes", r."ProjectIds", r."DataScope"
    from user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = any(${others}::bigint[])`)
  if (exceeds(actor, roles)) throw new Fault('moreRights')
  await assertSeesAsMuch(db, actor, others)
}

/** The same for one person. Answers the person's roles. */
export const authorize = async (db: Db, actor: Actor, person: number) => {
  await authorizeAll(db, actor, [person])
  return rolesOf(db, person)
}
