import { sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { locks } from '../../../../server/database/locks.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { readingCompanies } from '../../../../server/identity/dataScope.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { addRoles, platformEnterprise } from '../../../../server/identity/setup.ts'
import { isZone } from '../../../../server/identity/zones.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { assertCurrencyFree } from '../../../energy/consumption/server/service.ts'
import { oneTime, type usersService } from '../../users/server/service.ts'
import { enterprise } from '../contract.ts'

type Values = Record<string, unknown>
type Enterprise = Row<typeof enterprise>

const rows = store(enterprise)
const described = enterprise

/** The time zone must be valid, because days and reports of the tenant depend on it. */
const checkZone = ({ TimeZoneKey }: Values) => {
  if (TimeZoneKey !== undefined && !isZone(String(TimeZoneKey))) throw new FieldFaults([{ field: 'TimeZoneKey', rule: 'zone' }])
}

/** The number after the highest one: T0001, T0002 … */
const nextNumber = async (db: Db) => {
  const [last] = await db.rows<{ n: number }>(
    sql`select coalesce(max(substring("EnterpriseNo" from '^T([0-9]{1,9})$')::int), 0) as n from enterprise`,
  )
  return `T${String(last!.n + 1).padStart(4, '0')}`
}

/** Letters and digits of the name, followed by a number if the name is taken. */
const directoryName = async (db: Db, name: string) => {
  const plain =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 30) || 'tenant'
  const held = await db.rows<{ name: string }>(
    sql`select "DirectoryName" as name from enterprise where "DirectoryName" = ${plain} or "DirectoryName" like ${`${plain}-%`}`,
  )
  const taken = new Set(held.map((h) => h.name))
  for (let n = 1; ; n++) {
    const proposed = n === 1 ? plain : `${plain}-${n}`
    if (!taken.has(proposed)) return { DirectoryName: proposed }
  }
}

/** The people who administer a tenant. */
const managers = async (db: Db, actor: Actor, id: number) => {
  await rows.find(db, actor, id)
  return db.rows<{ Id: number; UserNO: string; UserName: string; Status: number; IsLock: number }>(sql`
    select u."Id", u."UserNO", u."UserName", u."Status", u."IsLock" from "user" u where u."EnterpriseId" = ${id}
      and exists (select 1 from user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = u."Id" and r."RouteRole" = 'admin')
    order by u."UserNO" limit 1000`)
}

/** Removes the standard content of a tenant: people, roles, dictionaries and plugins. @throws Fault if it is in use */
const removeStandard = async (db: Db, id: number) => {
  for (const table of ['user_role', 'user', 'role_data_permission', 'data_permission', 'role', 'data_dict', 'dict', 'protocol_plugin'])
    await db
      .rows(sql`delete from ${sql.table(table)} where "EnterpriseId" = ${id}`)
      .catch((error) => Promise.reject((error as { code?: string }).code === '23503' ? new Fault('inUse') : error))
}

/** Tenants: created with their first manager, changed, closed and reopened by the platform; each tenant sees its own. */
export const enterprisesService = (database: Database, sessions: Sessions, users: ReturnType<typeof usersService>, clock: () => number) => {
  const people = async (db: Db, id: number) =>
    (await db.rows<{ Id: number }>(sql`select "Id" from "user" where "EnterpriseId" = ${id}`)).map((u) => u.Id)

  const update = async (db: Db, actor: Actor, id: number, change: Values): Promise<Enterprise> => {
    checkZone(change)
    const { before, row, announceEnd } = await users.guarding(db, change.Status === 0, async (db) => {
      const before = await rows.find(db, actor, id)
      await assertCurrencyFree(db, id, change.CurrencyCode)
      if (change.Status !== undefined) {
        const since = change.Status === 0 ? new Date(clock()) : null
        await db.rows(sql`update enterprise set "ClosedTime" = ${since} where "Id" = ${id} and "Status" is distinct from ${change.Status}`)
      }
      const row = await rows.update(db, readingCompanies(actor), id, change)
      if (change.Status !== 0) return { before, row }
      return { before, row, announceEnd: await sessions.endPeople(db, await people(db, id), 'tenant') }
    })
    announceEnd?.()
    if (row.UpdateStamp !== before.UpdateStamp) sessions.changed({ EnterpriseId: id })
    return row
  }

  return {
    update,
    find: (db: Db, actor: Actor, id: number) => rows.find(db, readingCompanies(actor), id),
    list: (db: Db, actor: Actor, q: Listing) => rows.list(db, readingCompanies(actor), q),
    /** Creates the tenant with its standard roles. Returns the password of its first manager. */
    async create(actor: Actor, { ManagerNO, ManagerName, ...draft }: Values) {
      checkZone(draft)
      const secret = await oneTime()
      const made = await database.system.tx(async (db) => {
        await db.rows(sql`select pg_advisory_xact_lock(${locks.enterpriseNumbers})`)
        const [{ Id }] = (await db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values (${draft.Name}) returning "Id"`)) as [
          { Id: number },
        ]
        await addRoles(db, Id, firstLanguage(draft.Language as string | undefined, 'en'))
        const row = await rows.update(db, actor, Id, { EnterpriseNo: await nextNumber(db), ...draft })
        await record(db, actor, described, 'create', Id, Id, null, row)
        const [role] = await db.rows<{ Id: number }>(
          sql`select "Id" from role where "EnterpriseId" = ${Id} and "RouteRole" = 'admin' order by "Id" limit 1`,
        )
        await users
          .createIn(db, actor, { UserNO: ManagerNO, UserName: ManagerName, EnterpriseId: Id, RoleIds: [role!.Id] }, secret)
          .catch((error) => Promise.reject(asManager(error)))
        return row
      }, 'enterprise numbers')
      return { ...made, UserNO: String(ManagerNO), OneTimePwd: secret.OneTimePwd }
    },
    /** Removes only tenants without own content, with their people, roles, dictionaries and plugins, or none. */
    async remove(db: Db, actor: Actor, ids: readonly number[]): Promise<number> {
      const held = await sessions.openSessionsOf((await Promise.all(ids.map((id) => people(db, id)))).flat())
      const count = await users.guarding(db, true, async (db) => {
        for (const id of ids) {
          await rows.find(db, actor, id)
          if (id === actor.EnterpriseId) throw new Fault('notYourself')
          // Sign-ins lock the tenant before their account.
          await db.rows(sql`select 1 from enterprise where "Id" = ${id} for update`)
          await removeStandard(db, id)
        }
        return rows.remove(db, actor, ids)
      })
      sessions.gone(held, 'tenant')
      return count
    },
    async loginUrl(slug: string) {
      const [row] = await database.system.rows<{ Name: string; SysName: string | null; Logo: string | null; Language: string | null }>(
        sql`select "Name", "SysName", "Logo", "Language" from enterprise where "Slug" = ${slug}`,
      )
      return row ?? { Name: null, SysName: null, Logo: null, Language: null }
    },
    increment: async (db: Db) => ({ EnterpriseNo: await nextNumber(db) }),
    directoryName,
    /** Missing values of the tenant fall back to the installation's. */
    async map(db: Db, actor: Actor, id = actor.EnterpriseId) {
      const own = await rows.find(db, actor, id)
      const [standard] = await database.system.rows<{ MapProvider: string | null; BaiduKey: string | null }>(
        sql`select "MapProvider", "BaiduKey" from enterprise where "Id" = ${platformEnterprise}`,
      )
      return {
        MapProvider: own.MapProvider ?? standard?.MapProvider ?? 'offline',
        BaiduKey: own.BaiduKey ?? standard?.BaiduKey ?? '',
        Longitude: own.Longitude,
        Latitude: own.Latitude,
      }
    },
    managers,
    async counts(db: Db, id: number) {
      const [limits] = await db.rows<{ MaxUsers: number | null; MaxGateways: number | null }>(sql`
        select coalesce(e."MaxUsers", v."MaxUsers") as "MaxUsers", coalesce(e."MaxGateways", v."MaxGateways") as "MaxGateways"
        from enterprise e left join version v on v."Id" = e."VersionId" where e."Id" = ${id}`)
      if (!limits) throw notFound()
      const [n] = await db.rows<{ UserCount: number; GatewayCount: number }>(sql`
        select (select count(*)::int from "user" where "EnterpriseId" = ${id}) as "UserCount", (select count(*)::int from gateway where "EnterpriseId" = ${id}) as "GatewayCount"`)
      return { ...n!, ...limits }
    },
  }
}

/** Maps faults of the account to the fields of the tenant form. */
const asManager = (error: unknown) => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'user_UserNO_key' ? new FieldFaults([{ field: 'ManagerNO', rule: 'taken' }], 'taken') : error
}
