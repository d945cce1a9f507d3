import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Language } from '../../contract/languages.ts'
import { type Menu, menuList, permissions, tenantPermissions } from '../../contract/menus.ts'
import type { Database, Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import { word } from '../http/words.ts'
import { forgetWaysIn } from './browsers.ts'
import { hashPassword } from './passwords.ts'
import type { Granting } from './rights.ts'

/** The platform itself; its people see every tenant (ruling 21). */
export const platformEnterprise = 1

const all = (keep: (m: Menu) => boolean, buttons: boolean) =>
  menuList()
    .filter(keep)
    .flatMap((m) => [m.code, ...(buttons ? (m.buttons ?? []).map((b) => `${m.code}.${b}`) : [])])
/** Bills are money alone, which viewers do not see. */
const viewing = all((m) => m.code !== 'm10712' && (m.editor === true || !/^m1(04|20|40)/.test(m.code)), false)

/** What decides how messages are read, closes a month and approves reports of cold rooms is the company manager's. */
const ofManagers: ReadonlySet<string> = new Set([
  ...['m10703.close', 'm10734.approve', 'm10734.edit'],
  ...['add', 'edit', 'remove', 'assign'].map((button) => `m10504.${button}`),
  ...['add', 'edit', 'remove', 'start', 'resetKey', 'replay'].map((button) => `m10501.${button}`),
])

/** What maintainers plan and mend. */
const orders = [
  ...['m106', 'm10601', 'm10601.work', 'm10602', 'm10603', 'm10604', 'm10605', 'm10606', 'm10609'],
  ...['m10616', 'm10616.edit', 'm10617', 'm10618', 'm10620'],
  ...['add', 'edit', 'remove', 'dispatch', 'check', 'cancel', 'handOver'].map((button) => `m10602.${button}`),
  ...['m10604', 'm10606'].flatMap((code) => ['add', 'edit', 'remove', 'cancel'].map((button) => `${code}.${button}`)),
  ...['m10603', 'm10605', 'm10609'].flatMap((code) => ['add', 'edit', 'remove'].map((button) => `${code}.${button}`)),
]

/** Roles every tenant begins with (ruling 34); they can be copied and changed. */
const roles: { name: string; routeRole: string | null; codes: readonly string[]; short?: 1 }[] = [
  { name: 'Company manager', routeRole: 'admin', codes: tenantPermissions },
  { name: 'Editor', routeRole: 'editor', codes: all((m) => m.editor === true, true).filter((code) => !ofManagers.has(code)) },
  { name: 'Viewer', routeRole: 'editor', codes: viewing },
  // A viewer's screens, plus acknowledging, handling and commenting alarms, and writing values.
  {
    name: 'Operator',
    routeRole: 'editor',
    codes: [...viewing, 'm10303.export', 'm10201.acknowledge', 'm10201.handle', 'm10104.write', 'm10125.operate'],
    short: 1,
  },
  {
    name: 'Maintainer',
    routeRole: 'editor',
    codes: [
      ...all(
        (m) =>
          [
            'm100',
            'm101',
            'm10108',
            'm10103',
            'm10107',
            'm10122',
            'm102',
            'm10201',
            'm103',
            'm10301',
            ...['m10303', 'm10304', 'm10305', 'm10306', 'm10307', 'm10308', 'm10309', 'm10313', 'm10314'],
            ...['m10318', 'm10319', 'm10320', 'm10321', 'm10322', 'm10323', 'm10325', 'm10326', 'm10327', 'm10328'],
            'm10310',
            'm10311',
            ...['m106', 'm10607', 'm10608', 'm10610', 'm10611', 'm10612', 'm10613', 'm10614', 'm10615', 'm10621', 'm10622'],
            'm104',
            'm10401',
            'm10405',
          ].includes(m.code),
        false,
      ),
      'm10303.export',
      'm10201.handle',
      'm10201.acknowledge',
      // What things cost and what was counted is the manager's.
      ...['add', 'edit', 'remove', 'stock'].map((button) => `m10607.${button}`),
      'm10622.settle',
      ...['add', 'edit', 'remove', 'vote'].map((button) => `m10610.${button}`),
      ...['add', 'edit', 'remove'].map((button) => `m10613.${button}`),
      ...['add', 'edit', 'remove', 'card'].map((button) => `m10612.${button}`),
      ...['m10614', 'm10621'].flatMap((code) => ['add', 'edit', 'remove'].map((button) => `${code}.${button}`)),
      ...orders,
    ],
  },
  // Sees own and team orders, on a phone.
  { name: 'Technician', routeRole: 'editor', codes: ['m106', 'm10601', 'm10601.work', 'm10620', 'm104', 'm10401', 'm10405'] },
  // Sees what is built and sold: series, serial numbers and where gateways are.
  {
    name: 'Agent',
    routeRole: 'editor',
    codes: ['m104', 'm10401', 'm10405', 'm120', 'm12001', 'm12002', 'm12003', 'm12005', 'm12006'],
  },
]

/** Their names are in the company's language, and people may rename them. */
export const addRoles = async (db: Db, enterprise: number, language: Language = 'en') => {
  for (const r of roles)
    await db.rows(
      sql`insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes", "ShortMenu") values (${enterprise}, ${word(language, `role.seeded.${r.name}`)}, ${r.routeRole}, ${r.codes}::text[], ${r.short ?? 0}) on conflict do nothing`,
    )
}

/** The role of trial accounts: made with the first of them, what a viewer has, without a button. Its mark names it: anybody may name a role. */
export const trialRole = async (db: Db, enterprise: number): Promise<number> => {
  const held = await db.rows<Granting & { Id: number }>(sql`
    select "Id", "RouteRole", "IsPlatform", "MenuCodes", "ProjectIds" from role where "EnterpriseId" = ${enterprise} and "IsTrial" = 1 for share`)
  if (held[0]) {
    assertReadOnly(held[0])
    return held[0].Id
  }
  const { codes, routeRole } = roles.find((r) => r.name === 'Viewer')!
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes", "IsTrial")
    select ${enterprise}, n.name, ${routeRole}, ${codes}::text[], 1
    from (select case i when 1 then 'Trial' else 'Trial ' || i end as name from generate_series(1, 1000) i) n
    where not exists (select 1 from role r where r."EnterpriseId" = ${enterprise} and r."RoleName" = n.name) limit 1 returning "Id"`)
  return made!.Id
}
/** Visitors look and do not touch. */
export const assertReadOnly = ({ RouteRole, IsPlatform, MenuCodes }: Granting) => {
  if (RouteRole === 'admin' || IsPlatform === 1 || MenuCodes.some((code) => code.includes('.'))) throw new Fault('trialRights')
}

/** A one-time password and its expiry. The one of the first start does not expire, because nobody could issue another. */
export const generated = () => randomBytes(12).toString('base64url')
export const oneTimeUntil = (now: number) => new Date(now + 7 * 86_400_000)

/**
 * The platform and its administrator `admin`, once. Answers the password when it was generated, so that it can be
 * printed; a given one need not be changed (findings 22).
 */
export const firstStart = async (database: Database, given: string | undefined): Promise<string | undefined> => {
  const [existing] = await database.system.rows(sql`select 1 from "user" limit 1`)
  if (existing) return
  const password = given ?? generated()
  const hash = await hashPassword(password)
  await database.system.tx(async (db) => {
    await db.rows(sql`insert into enterprise ("Id", "Name") values (${platformEnterprise}, 'Platform')`)
    await db.rows(sql`select setval(pg_get_serial_sequence('enterprise', 'Id'), ${platformEnterprise})`)
    const [role] = await db.rows<{ Id: number }>(sql`
      insert into role ("EnterpriseId", "RoleName", "RouteRole", "IsPlatform", "MenuCodes") values (${platformEnterprise}, 'Platform administrator', 'admin', 1, ${permissions}::text[]) returning "Id"`)
    const [user] = await db.rows<{ Id: number }>(sql`
      insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash", "MustChangePwd") values (${platformEnterprise}, 'admin', 'Administrator', ${hash}, ${given ? 0 : 1}) returning "Id"`)
    await db.rows(sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") values (${platformEnterprise}, ${user!.Id}, ${role!.Id})`)
  })
  return given ? undefined : password
}

/** Whether `admin` still has the printed password or has set another one, undefined without that account. */
export const passwordOfAdmin = async ({ system }: Database): Promise<'oneTime' | 'own' | undefined> => {
  const [admin] = await system.rows<{ MustChangePwd: number }>(sql`select "MustChangePwd" from "user" where "UserNO" = 'admin'`)
  return admin && (admin.MustChangePwd ? 'oneTime' : 'own')
}

/** A new one-time password for an account that lost its own; every session of it ends. */
export const resetPassword = async (database: Database, account: string, clock = Date.now): Promise<string | undefined> => {
  const password = generated()
  const hash = await hashPassword(password)
  return database.system.tx(async (db) => {
    const [user] = await db.rows<{ Id: number }>(
      sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 1, "OneTimeUntil" = ${oneTimeUntil(clock())}, "IsLock" = 0, "UpdateTime" = now() where lower("UserNO") = lower(${account}) returning "Id"`,
    )
    if (!user) return
    // Unlock addresses too: a proxy or the server itself may share the locked one.
    await db.rows(sql`delete from login_attempt where "Account" in (lower(${account}), '')`)
    await forgetWaysIn(db, user.Id)
    await db.rows(sql`update session set "EndTime" = now(), "EndReason" = 'password' where "UserId" = ${user.Id} and "EndTime" is null`)
    return password
  })
}
