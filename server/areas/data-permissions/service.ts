import { sql } from 'kysely'
import { type DataRights, dataPermission, hideable, type ModuleCode, modules } from '../../../contract/areas/data-permissions.ts'
import { role } from '../../../contract/areas/roles.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import type { Language } from '../../../contract/index.ts'
import type { Db } from '../../database/db.ts'
import { Fault, FieldFaults } from '../../http/faults.ts'
import { word } from '../../http/words.ts'
import type { Actor } from '../../identity/actor.ts'
import { exceeds, type Granting } from '../../identity/rights.ts'
import type { Sessions } from '../../identity/sessions.ts'
import { record, store } from '../../resource/store.ts'

type Values = Record<string, unknown>
type Rights = Granting & { EnterpriseId: number; DataScope: number; OrganIds: number[] }
type Given = { DataScope?: number; OrganIds?: readonly number[]; DataPermissionIds?: readonly number[] }

const rows = store(dataPermission)
const unknown = (field: string) => new FieldFaults([{ field, rule: 'unknownReference' }])

const checkOrgans = async (db: Db, EnterpriseId: number, organs: readonly number[]) => {
  const ids = [...new Set(organs)]
  const found = await db.rows(sql`select 1 from organ where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${EnterpriseId}`)
  if (found.length !== ids.length) throw unknown('OrganIds')
}

/** Data permissions of a tenant, and which of them its roles have. What changes holds within moments for whoever has the role. */
export const dataPermissionsService = (sessions: Sessions) => {
  const reread = (enterprise: number) => sessions.changed((who) => who.EnterpriseId === enterprise)

  /** Who is narrowed himself makes nothing wider than his own organisation and below. */
  const checked = async (db: Db, actor: Actor, EnterpriseId: number, rule: Values) => {
    if (actor.sight && Number(rule.DataScope) > 3) throw new Fault('moreRights')
    await checkOrgans(db, EnterpriseId, (rule.OrganIds ?? []) as number[])
    const known = hideable(rule.ModuleCode as ModuleCode)
    if (((rule.HiddenFields ?? []) as string[]).some((field) => !known.includes(field))) throw unknown('HiddenFields')
  }
  const filled = (given: Values): Values => ({
    ModuleCode: 'project',
    DataScope: 3,
    ...given,
    OrganIds: given.OrganIds ?? [],
    HiddenFields: given.HiddenFields ?? [],
  })

  const ofRole = async (db: Db, actor: Actor, RoleId: number): Promise<DataRights> => {
    const { EnterpriseId } = await store(role).find(db, actor, RoleId)
    const [[own], Items] = await db.all([
      sql<{ DataScope: number; OrganIds: number[] }>`select "DataScope", "OrganIds" from role where "Id" = ${RoleId}`,
      sql<DataRights['Items'][number]>`
        select "Id", "Name", "ModuleCode", exists (select 1 from role_data_permission x where x."RoleId" = ${RoleId} and x."DataPermissionId" = d."Id") as "Checked"
        from data_permission d where "EnterpriseId" = ${EnterpriseId} order by "ModuleCode", "Name" limit 1000`,
    ])
    return { RoleId, ...own!, Items }
  }

  return {
    ofRole,
    modules: (language: Language) =>
      (Object.keys(modules) as ModuleCode[]).map((ModuleCode) => ({
        ModuleCode,
        ModuleName: word(language, `dataPermission.ModuleCode.${ModuleCode}`),
        Fields: hideable(ModuleCode).map((Field) => ({ Field, FieldName: word(language, `${ModuleCode}.${Field}`) })),
      })),
    create: (db: Db, actor: Actor, given: Values) =>
      db.tx(async (db) => {
        const made = await rows.create(db, actor, filled(given))
        await checked(db, actor, made.EnterpriseId, made)
        return made
      }),
    async update(db: Db, actor: Actor, id: number, change: Values) {
      const row = await db.tx(async (db) => {
        const changed = await rows.update(db, actor, id, change)
        await checked(db, actor, changed.EnterpriseId, changed)
        return changed
      })
      reread(row.EnterpriseId)
      return row
    },
    /** One that a role has stays, and the answer says which role. */
    remove: (db: Db, actor: Actor, ids: readonly number[]) =>
      db.tx(async (db) => {
        for (const id of ids) await rows.find(db, actor, id)
        const held = await db.rows<{ Id: number; Title: string }>(sql`
          select distinct r."Id", r."RoleName" as "Title" from role_data_permission x join role r on r."Id" = x."RoleId"
          where x."DataPermissionId" = any(${ids}::bigint[]) order by 1 limit 10`)
        if (held.length) throw new Fault('inUse', {}, { UsedBy: held.map((r) => ({ Resource: 'role', ...r })) })
        return rows.remove(db, actor, ids)
      }),
    async setOfRole(db: Db, actor: Actor, RoleId: number, { DataPermissionIds, ...given }: Given) {
      const enterprise = await db.tx(async (db) => {
        await store(role).find(db, actor, RoleId)
        const [before] = await db.rows<Rights>(sql`
          select "EnterpriseId", "RouteRole", "IsPlatform", "MenuCodes", "ProjectIds", "DataScope", "OrganIds" from role where "Id" = ${RoleId} for update`)
        const after: Rights = { ...before!, ...given, OrganIds: [...(given.OrganIds ?? before!.OrganIds)] }
        if (exceeds(actor, [before!, after])) throw new Fault('moreRights')
        await checkOrgans(db, before!.EnterpriseId, after.OrganIds)
        await db.rows(
          sql`update role set "DataScope" = ${after.DataScope}, "OrganIds" = ${after.OrganIds}::bigint[], "UpdateTime" = now() where "Id" = ${RoleId}`,
        )
        if (DataPermissionIds) {
          const ids = [...new Set(DataPermissionIds)]
          await db.rows(sql`delete from role_data_permission where "RoleId" = ${RoleId}`)
          const made = await db.rows(sql`
            insert into role_data_permission ("EnterpriseId", "RoleId", "DataPermissionId")
            select "EnterpriseId", ${RoleId}, "Id" from data_permission where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${before!.EnterpriseId} returning 1`)
          if (made.length !== ids.length) throw unknown('DataPermissionIds')
        }
        const part = ({ DataScope, OrganIds }: Rights) => ({ DataScope, OrganIds })
        await record(db, actor, role as unknown as Resource, 'update', RoleId, before!.EnterpriseId, part(before!), {
          ...part(after),
          DataPermissionIds,
        })
        return before!.EnterpriseId
      })
      reread(enterprise)
      return ofRole(db, actor, RoleId)
    },
  }
}
