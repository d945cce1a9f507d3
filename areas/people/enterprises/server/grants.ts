import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { tenantPermissions } from '../../../../contract/menus.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { writeNotice } from '../../../system/notices/server/service.ts'
import { rightsTree } from '../../roles/server/service.ts'
import { enterprise, type Grant } from '../contract.ts'

const rows = store(enterprise)
const described = enterprise
const grantable = new Set(tenantPermissions)
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone

type Version = {
  Id: number
  Name: string
  MenuCodes: string[]
  MaxGateways: number | null
  MaxUsers: number | null
  MaxPoints: number | null
}

/** Message templates for a tenant's managers; words at `tenantPush.<name>`. */
const templates = ['grantEnds', 'limits', 'maintenance', 'welcome'] as const

/** Licences of tenants (specification, section 6): versions, individual menus, limits, and period. */
export const grantsService = (database: Database, sessions: Sessions) => {
  /** For a tenant that the actor sees. */
  const of = async (db: Db, actor: Actor, id: number): Promise<Grant> => {
    await rows.find(db, actor, id)
    const local = (name: string) =>
      sql`to_char(e.${sql.ref(name)} at time zone ${zoneOf(actor)}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.ref(name)}`
    const most = (name: string) => sql`coalesce(e.${sql.ref(name)}, v.${sql.ref(name)}) as ${sql.ref(name)}`
    const count = (table: string, name: string) =>
      sql`(select count(*)::int from ${sql.table(table)} x where x."EnterpriseId" = e."Id") as ${sql.ref(name)}`
    const [grant] = await database.system.rows<Grant & { MenuCodes: string[] | null }>(sql`
      select e."Id" as "EnterpriseId", e."Status", e."VersionId", v."Name" as "VersionName", ${local('GrantFrom')}, ${local('GrantTo')},
        e."MenuCodes" is not null as "OwnMenus", coalesce(e."MenuCodes", array(select jsonb_array_elements_text(v."MenuCodes"))) as "MenuCodes",
        ${most('MaxGateways')}, ${most('MaxUsers')}, ${most('MaxPoints')},
        ${count('gateway', 'GatewayCount')}, ${count('user', 'UserCount')}, ${count('point', 'PointCount')}
      from enterprise e left join version v on v."Id" = e."VersionId" where e."Id" = ${id}`)
    const { OwnMenus, VersionId, MenuCodes } = grant!
    return { ...grant!, MenuCodes: OwnMenus || VersionId ? MenuCodes : [...tenantPermissions] }
  }

  return {
    of,
    versions: (db: Db) =>
      db.rows<Version & { TenantCount: number }>(sql`
        select "Id", "Name", array(select jsonb_array_elements_text("MenuCodes")) as "MenuCodes", "MaxGateways", "MaxUsers", "MaxPoints",
          (select count(*)::int from enterprise e where e."VersionId" = v."Id") as "TenantCount"
        from version v order by "Name" limit 1000`),
    async menus(db: Db, actor: Actor, id: number, language: Language) {
      const { MenuCodes } = await of(db, actor, id)
      return rightsTree(new Set(MenuCodes), actor, language)
    },
    /** Takes effect with the next call of the tenant's users. */
    async authorise(db: Db, actor: Actor, id: number, given: { VersionId?: number | null; MenuCodes?: readonly string[] | null }) {
      if (given.MenuCodes?.some((code) => !grantable.has(code))) throw new FieldFaults([{ field: 'MenuCodes', rule: 'unknownReference' }])
      const isNew = await db.tx(async (db) => {
        await rows.find(db, actor, id)
        type Held = { VersionId: number | null; MenuCodes: readonly string[] | null }
        const [before] = await db.rows<Held>(sql`select "VersionId", "MenuCodes" from enterprise where "Id" = ${id} for update`)
        const after = { ...before!, ...given }
        if (after.VersionId !== null && !(await db.rows(sql`select 1 from version where "Id" = ${after.VersionId}`)).length)
          throw new FieldFaults([{ field: 'VersionId', rule: 'unknownReference' }])
        await db.rows(
          sql`update enterprise set "VersionId" = ${after.VersionId}, "MenuCodes" = ${after.MenuCodes}::text[], "UpdateTime" = now() where "Id" = ${id}`,
        )
        await record(db, actor, described, 'update', id, id, before, after)
        return !isDeepStrictEqual(before, after)
      })
      if (isNew) sessions.changed({ EnterpriseId: id })
      return of(db, actor, id)
    },
    async templates(db: Db, actor: Actor, id: number, language: Language) {
      const { Name } = await rows.find(db, actor, id)
      const { GrantTo, GatewayCount, MaxGateways, UserCount, MaxUsers } = await of(db, actor, id)
      const values = {
        Name,
        GrantTo: GrantTo?.slice(0, 10) ?? '-',
        GatewayCount,
        MaxGateways: MaxGateways ?? '∞',
        UserCount,
        MaxUsers: MaxUsers ?? '∞',
      }
      return templates.map((Template) => ({
        Template,
        PushTitle: word(language, `tenantPush.${Template}`, values),
        PushContent: word(language, `tenantPush.${Template}.text`, values),
      }))
    },
    /** Appears among their notices like any other. */
    async push(db: Db, actor: Actor, id: number, { PushTitle, PushContent }: { PushTitle: string; PushContent: string }) {
      await rows.find(db, actor, id)
      const managers = await db.rows<{ Id: number }>(sql`
        select distinct ur."UserId" as "Id" from user_role ur join role r on r."Id" = ur."RoleId" where ur."EnterpriseId" = ${id} and r."RouteRole" = 'admin'`)
      if (managers.length)
        await db.tx((db) => writeNotice(db, { EnterpriseId: id, BizType: 11, PushTitle, PushContent, UserIds: managers.map((m) => m.Id) }))
      return { Managers: managers.length }
    },
  }
}
