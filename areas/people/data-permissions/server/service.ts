import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource, Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, type Holder, inUseBy } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { assertRolesNotBroader, changingSight } from '../../../../server/identity/dataScope.ts'
import { exceeds, type Granting } from '../../../../server/identity/rights.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { role } from '../../roles/contract.ts'
import { type DataRights, dataPermission, hideable, type ModuleCode, modules } from '../contract.ts'

type Values = Record<string, unknown>
type Rights = Granting & { EnterpriseId: number; DataScope: number; OrganIds: number[] }
type Given = { DataScope?: number; OrganIds?: readonly number[]; DataPermissionIds?: readonly number[] }

const rows = store(dataPermission)
const unknown = (field: string) => new FieldFaults([{ field, rule: 'unknownReference' }])

const checkOrgans = async (db: Db, actor: Actor, tenant: number, ids: readonly number[], held: readonly number[]) => {
  if ((await unknownIds(db, actor, 'organ', { ids, tenant, existing: held })).size) throw unknown('OrganIds')
}
type Held = { Id: number }
const isSame = (held: readonly Held[], ids?: readonly number[]) =>
  !ids || !new Set(ids).symmetricDifference(new Set(held.map((h) => h.Id))).size
const seen = (r: object, actor: Actor, alias: string) => visible(r as Resource, actor, alias)

/** Data permissions of a tenant, and their assignment to roles. Changes take effect for role holders within moments. */
export const dataPermissionsService = (sessions: Sessions) => {
  const reread = (EnterpriseId: number) => sessions.changed({ EnterpriseId })

  /** A narrowed person cannot create a scope wider than his own organisation and below. */
  const checked = async (db: Db, actor: Actor, rule: Row<typeof dataPermission>, held: readonly number[] = []) => {
    if (actor.dataScope && Number(rule.DataScope) > 3) throw new Fault('moreRights')
    await checkOrgans(db, actor, rule.EnterpriseId, (rule.OrganIds ?? []) as number[], held)
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
        from data_permission d where "EnterpriseId" = ${EnterpriseId} and ${seen(dataPermission, actor, 'd')} order by "ModuleCode", "Name" limit 1000`,
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
        await checked(db, actor, made)
        return made
      }),
    async update(db: Db, actor: Actor, id: number, change: Values) {
      const [before, row] = await changingSight(db, actor, async (db) => {
        const before = await rows.find(db, actor, id)
        const changed = await rows.update(db, actor, id, change)
        await checked(db, actor, changed, before.OrganIds as number[])
        return [before, changed]
      })
      if (row.UpdateStamp !== before.UpdateStamp) reread(row.EnterpriseId)
      return row
    },
    /** Refuses to remove one that a role has, and names the role. */
    remove: (db: Db, actor: Actor, ids: readonly number[]) =>
      changingSight(db, actor, async (db) => {
        for (const id of ids) await rows.find(db, actor, id)
        const held = await db.rows<Holder>(sql`
          select distinct r."Id", r."RoleName" as "Title", ${seen(role, actor, 'r')} as "Seen" from role_data_permission x join role r on r."Id" = x."RoleId"
          where x."DataPermissionId" = any(${ids}::bigint[]) order by 3 desc, 1 limit 10`)
        if (held.length) throw inUseBy('role', held)
        return rows.remove(db, actor, ids)
      }),
    async setOfRole(db: Db, actor: Actor, RoleId: number, { DataPermissionIds, ...given }: Given) {
      const changed = await changingSight(db, actor, async (db) => {
        await store(role).find(db, actor, RoleId)
        const [before] = await db.rows<Rights>(sql`
          select "EnterpriseId", "RouteRole", "IsPlatform", "MenuCodes", "ProjectIds", "DataScope", "OrganIds" from role where "Id" = ${RoleId} for update`)
        const after: Rights = { ...before!, ...given, OrganIds: [...(given.OrganIds ?? before!.OrganIds)] }
        if (exceeds(actor, [before!, after])) throw new Fault('moreRights')
        const tenant = before!.EnterpriseId
        const held = await db.rows<Held>(sql`select "DataPermissionId" as "Id" from role_data_permission where "RoleId" = ${RoleId}`)
        await checkOrgans(db, actor, tenant, after.OrganIds, before!.OrganIds)
        const ids = DataPermissionIds && [...new Set(DataPermissionIds)]
        if (ids && (await unknownIds(db, actor, 'dataPermission', { ids, tenant })).size) throw unknown('DataPermissionIds')
        await assertRolesNotBroader(db, actor, { roles: [RoleId] }, async () => {
          await db.rows(
            sql`update role set "DataScope" = ${after.DataScope}, "OrganIds" = ${after.OrganIds}::bigint[], "UpdateTime" = now() where "Id" = ${RoleId}`,
          )
          if (!ids) return
          await db.rows(sql`delete from role_data_permission where "RoleId" = ${RoleId}`)
          await db.rows(sql`
            insert into role_data_permission ("EnterpriseId", "RoleId", "DataPermissionId") select ${tenant}, ${RoleId}, unnest(${ids}::bigint[])`)
        })
        const part = ({ DataScope, OrganIds }: Rights) => ({ DataScope, OrganIds })
        await record(db, actor, role, 'update', RoleId, before!.EnterpriseId, part(before!), {
          ...part(after),
          DataPermissionIds,
        })
        return (!isDeepStrictEqual(part(before!), part(after)) || !isSame(held, ids)) && tenant
      })
      if (changed) reread(changed)
      return ofRole(db, actor, RoleId)
    },
  }
}
