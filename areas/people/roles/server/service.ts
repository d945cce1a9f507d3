import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { type Menu, menuList, menus, tenantPermissions } from '../../../../contract/menus.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, type Holder, inUseBy } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { assertRolesNotBroader, changingSight } from '../../../../server/identity/dataScope.ts'
import { exceeds, type Granting } from '../../../../server/identity/rights.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { assertReadOnly } from '../../../../server/identity/setup.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { user } from '../../users/contract.ts'
import type { usersService } from '../../users/server/service.ts'
import { type RightsNode, type RolePerson, role } from '../contract.ts'

type Values = Record<string, unknown>
type Rights = Granting & { Id: number; EnterpriseId: number; IsTrial: number; ShortMenu: number }

const rows = store(role)
const described = role
const grantable = new Set(tenantPermissions)
const codesBelow = (m: Menu): string[] => [m.code, ...(m.children ?? []).flatMap(codesBelow)]
/** Groups and their directories. The innermost directory of an entry comes last and wins. */
const modules = menuList().filter((m) => m.children || menus.includes(m))
const moduleOf = new Map(modules.flatMap((m) => codesBelow(m).map((code) => [code, m.code] as const)))
/** The module of a menu or button code. */
const moduleCode = (code: string) => moduleOf.get(code.split('.')[0]!)

const node = (m: Menu, held: ReadonlySet<string>, actor: Actor, language: Language): RightsNode[] => {
  if (!grantable.has(m.code)) return []
  const mark = (code: string) => ({ MenuEncoding: code, Checked: held.has(code), Grantable: actor.may.has(code) })
  const buttons = (m.buttons ?? []).map((b) => ({
    ...mark(`${m.code}.${b}`),
    MenuName: word(language, `button.${b}`),
    MenuType: 2,
    MenuChildren: [],
  }))
  const children = (m.children ?? []).flatMap((child) => node(child, held, actor, language))
  const self = { ...mark(m.code), MenuName: word(language, `menu.${m.code}`), MenuType: m.children ? 0 : 1 }
  return [{ ...self, MenuChildren: [...children, ...buttons] }]
}

/** The tree of permissions that a tenant can have, with the granted ones marked. */
export const rightsTree = (held: ReadonlySet<string>, actor: Actor, language: Language) =>
  menus.flatMap((m) => node(m, held, actor, language))

const rightsOf = async (db: Db, actor: Actor, id: number, lock = sql``): Promise<Rights> => {
  await rows.find(db, actor, id)
  const [rights] = await db.rows<Rights>(
    sql`select "Id", "EnterpriseId", "RouteRole", "IsPlatform", "MenuCodes", "ProjectIds", "DataScope", "IsTrial", "ShortMenu" from role where "Id" = ${id} ${lock}`,
  )
  return rights!
}
const heldBy = (r: Rights) => (r.IsPlatform === 1 || r.RouteRole === 'admin' ? tenantPermissions : r.MenuCodes)
const mayRule = (actor: Actor, ...rights: Granting[]) => {
  if (exceeds(actor, rights)) throw new Fault('moreRights')
}

/** Copies organisations and data permissions to a new role. */
const copyDataPermissions = async (db: Db, from: number, to: number) => {
  await db.rows(sql`update role set "OrganIds" = (select "OrganIds" from role where "Id" = ${from}) where "Id" = ${to}`)
  await db.rows(sql`
    insert into role_data_permission ("EnterpriseId", "RoleId", "DataPermissionId")
    select "EnterpriseId", ${to}, "DataPermissionId" from role_data_permission where "RoleId" = ${from}`)
}

/** Creates a role without permissions, or with those of a visible role. */
const createRole = async (db: Db, actor: Actor, { CopyOf, ...draft }: Values & { CopyOf?: number }) =>
  db.tx(async (db) => {
    const source = CopyOf === undefined ? undefined : await rightsOf(db, actor, CopyOf)
    const made = await rows.create(db, actor, {
      ...draft,
      RouteRole: draft.RouteRole ?? source?.RouteRole ?? null,
      ShortMenu: draft.ShortMenu ?? source?.ShortMenu ?? 0,
    })
    if (source && source.EnterpriseId !== made.EnterpriseId) throw new FieldFaults([{ field: 'CopyOf', rule: 'unknownReference' }])
    const own = actor.projects === 'all' ? null : actor.projects
    const MenuCodes = source ? heldBy(source).filter((code) => grantable.has(code)) : []
    const ProjectIds = source ? source.ProjectIds : own
    const DataScope = actor.dataScope ? 3 : (source?.DataScope ?? 5)
    mayRule(actor, { RouteRole: made.RouteRole, IsPlatform: 0, MenuCodes, ProjectIds, DataScope })
    await db.rows(
      sql`update role set "MenuCodes" = ${MenuCodes}::text[], "ProjectIds" = ${ProjectIds}::bigint[], "DataScope" = ${DataScope} where "Id" = ${made.Id}`,
    )
    if (source) await copyDataPermissions(db, source.Id, made.Id)
    return rows.find(db, actor, made.Id)
  })

/** Codes of a role after enabling exactly these modules: new ones get what the actor may grant. */
const codesOfModules = (held: readonly string[], wanted: readonly string[], actor: Actor) => {
  const chosen = modules.filter((m) => wanted.includes(m.code))
  if (chosen.length !== new Set(wanted).size) throw new FieldFaults([{ field: 'ModuleCodes', rule: 'unknownReference' }])
  const fresh = chosen.filter((m) => !held.some((code) => moduleCode(code) === m.code))
  return [
    ...held.filter((code) => wanted.includes(moduleCode(code) ?? '')),
    ...fresh
      .flatMap((m) => codesBelow(m).filter((code) => moduleCode(code) === m.code))
      .filter((code) => grantable.has(code) && actor.may.has(code)),
  ]
}

const rolePeople = async (db: Db, actor: Actor, id: number) => {
  await rows.find(db, actor, id)
  const Items = await db.rows<RolePerson>(sql`
    select t."Id", t."UserNO", t."UserName" from user_role ur join "user" t on t."Id" = ur."UserId"
    where ur."RoleId" = ${id} and ${visible(user, actor)} order by t."UserNO" limit 10000`)
  return { Items, TotalCount: Items.length }
}

/** All or none. Refuses to remove a role that people have, and names them. */
const removeRoles = async (db: Db, actor: Actor, ids: readonly number[]) =>
  changingSight(db, actor, async (db) => {
    for (const id of ids) mayRule(actor, await rightsOf(db, actor, id))
    const held = await db.rows<Holder>(sql`
      select distinct t."Id", t."UserName" as "Title", ${visible(user, actor)} as "Seen"
      from user_role ur join "user" t on t."Id" = ur."UserId" where ur."RoleId" = any(${ids}::bigint[]) order by 3 desc, 1 limit 10`)
    if (held.length) throw inUseBy('user', held)
    return rows.remove(db, actor, ids)
  })

/** Roles of a tenant. Callers who change a role must have all its permissions, before and after. Changes take effect with the users' next call. */
export const rolesService = (sessions: Sessions, users: ReturnType<typeof usersService>) => {
  const reread = (EnterpriseId: number) => sessions.changed({ EnterpriseId })

  /** Sets permissions of a role, which must be within the actor's own before and after. */
  const setRights = async (
    db: Db,
    actor: Actor,
    id: number,
    change: (held: Rights, db: Db) => Promise<Partial<Pick<Rights, 'MenuCodes' | 'ProjectIds'>>>,
  ) => {
    const changed = await changingSight(db, actor, async (db) => {
      const before = await rightsOf(db, actor, id, sql`for update`)
      const given = await change(before, db)
      const after = { ...before, ...given }
      mayRule(actor, before, after)
      if (before.IsTrial) assertReadOnly(after)
      await assertRolesNotBroader(db, actor, { roles: [id] }, () =>
        db.rows(
          sql`update role set "MenuCodes" = ${after.MenuCodes}::text[], "ProjectIds" = ${after.ProjectIds}::bigint[], "UpdateTime" = now() where "Id" = ${id}`,
        ),
      )
      const names = Object.keys(given) as (keyof typeof given)[]
      const part = (of: Rights) => Object.fromEntries(names.map((n) => [n, of[n]]))
      await record(db, actor, described, 'update', id, before.EnterpriseId, part(before), part(after))
      return !isDeepStrictEqual(part(before), part(after)) && before.EnterpriseId
    })
    if (changed) reread(changed)
    return { RoleId: id }
  }

  const setMenus = (db: Db, actor: Actor, id: number, choose: (held: readonly string[]) => readonly string[]) =>
    setRights(db, actor, id, async (held) => {
      const codes = [...new Set(choose(held.MenuCodes))]
      if (codes.some((code) => !grantable.has(code))) throw new FieldFaults([{ field: 'MenuCodes', rule: 'unknownReference' }])
      return { MenuCodes: codes }
    })

  return {
    setMenus,
    create: createRole,
    async update(db: Db, actor: Actor, id: number, change: Values) {
      const [held, row] = await changingSight(db, actor, async (db) => {
        const before = await rightsOf(db, actor, id)
        const after = { ...before, ...('RouteRole' in change ? { RouteRole: change.RouteRole as string | null } : {}) }
        mayRule(actor, before, after)
        if (before.IsTrial) assertReadOnly(after)
        return users.guarding(db, before.IsPlatform === 1, async (db) => [
          await rows.find(db, actor, id),
          await rows.update(db, actor, id, change),
        ])
      })
      if (row.UpdateStamp !== held.UpdateStamp) reread(row.EnterpriseId)
      return row
    },
    remove: removeRoles,
    async menuList(db: Db, actor: Actor, id: number, language: Language) {
      return rightsTree(new Set(heldBy(await rightsOf(db, actor, id))), actor, language)
    },
    modules: (actor: Actor, language: Language) =>
      modules.filter((m) => actor.may.has(m.code)).map((m) => ({ ModuleCode: m.code, ModuleName: word(language, `menu.${m.code}`) })),
    async moduleCodes(db: Db, actor: Actor, id: number): Promise<string[]> {
      return [...new Set(heldBy(await rightsOf(db, actor, id)).flatMap((code) => moduleCode(code) ?? []))]
    },
    setModules: (db: Db, actor: Actor, id: number, wanted: readonly string[]) =>
      setMenus(db, actor, id, (held) => codesOfModules(held, wanted, actor)),
    async projectIds(db: Db, actor: Actor, id: number) {
      const { ProjectIds } = await rightsOf(db, actor, id)
      return { All: ProjectIds === null, ProjectIds: [...(ProjectIds ?? [])] }
    },
    setProjects: (db: Db, actor: Actor, id: number, wanted: readonly number[] | null) =>
      setRights(db, actor, id, async ({ EnterpriseId }, db) => {
        if (wanted === null) return { ProjectIds: null }
        const ids = [...new Set(wanted)]
        if ((await unknownIds(db, actor, 'project', { ids, tenant: EnterpriseId })).size)
          throw new FieldFaults([{ field: 'ProjectIds', rule: 'unknownReference' }])
        return { ProjectIds: ids }
      }),
    people: rolePeople,
    /** All or none. */
    async setPeople(db: Db, actor: Actor, id: number, userIds: readonly number[], has: boolean) {
      await rows.find(db, actor, id)
      const changed = await changingSight(db, actor, async (db) => {
        const held = await db.rows<{ UserId: number }>(
          sql`select "UserId" from user_role where "RoleId" = ${id} and "UserId" = any(${[...userIds]}::bigint[])`,
        )
        for (const userId of new Set(userIds))
          await users.setRoles(db, actor, userId, (held) => [...held.filter((r) => r !== id), ...(has ? [id] : [])])
        return userIds.filter((userId) => held.some(({ UserId }) => UserId === userId) !== has)
      })
      if (changed.length) users.reread(changed)
      return { RoleId: id }
    },
  }
}
