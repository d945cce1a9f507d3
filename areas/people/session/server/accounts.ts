import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { UserInfo } from '../../../../contract/session.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { note } from '../../../../server/identity/note.ts'
import { isUsable } from '../../../../server/identity/sessionRows.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { offsetMinutes, zoneOrUtc } from '../../../../server/identity/zones.ts'

export type Account = {
  UserNO: string
  Id: number
  EnterpriseId: number
  PasswordHash: string
  TenantStatus: number
  Usable: boolean
  /** Whether the tenant's licence period is current. */
  Current: boolean
  SingleLogin: number
  /** Whether its one-time password has expired. */
  OneTimeOver: boolean
  Logo: string | null
  SysName: string | null
}
export type Caller = { ip: string; agent: string }

/** Reason for which an account is closed, or undefined. */
export const whyClosed = (account: Account) =>
  account.TenantStatus !== 1 ? 'tenant' : !account.Current ? 'grant' : !account.Usable ? 'locked' : undefined

/** Data of the signed-in person for the console; with `role`, restricted to that role. */
export const userInfo = async (
  db: Db,
  userId: number,
  zone: string | null,
  role: number | null = null,
): Promise<Static<typeof UserInfo>> => {
  const ofRoles = sql`user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = u."Id" and ur."RoleId" = coalesce(${role}::bigint, ur."RoleId")`
  const [user] = await db.rows<Static<typeof UserInfo>>(sql`
    select u."Id", u."UserNO", u."UserName", u."EnterpriseId", e."Name" as "EnterpriseName", u."BelongOrganId", u."IndexFlowchartId",
      coalesce(u."TimeZoneKey", ${zone}, e."TimeZoneKey") as "TimeZoneKey", u."Language", e."CurrencyCode", u."MustChangePwd",
      coalesce((select max(r."IsPlatform") from ${ofRoles}), 0) as "IsPlatform",
      coalesce((select min(r."ShortMenu") from ${ofRoles} and r."Status" = 1), 0) as "ShortMenu",
      coalesce((select array_agg(distinct r."RouteRole") from ${ofRoles} and r."RouteRole" is not null), '{}') as "Roles",
      coalesce((select json_agg(json_build_object('Id', r."Id", 'RoleName', r."RoleName") order by r."RoleName") from user_role ur join role r on r."Id" = ur."RoleId" and r."Status" = 1 where ur."UserId" = u."Id"), '[]') as "RoleChoices",
      ${role}::bigint as "ActingRoleId"
    from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${userId}`)
  if (!user) throw new Fault('notFound')
  const TimeZoneKey = zoneOrUtc(user.TimeZoneKey)
  return { ...user, TimeZoneKey, TimeZoneVal: offsetMinutes(TimeZoneKey, new Date()) }
}

/** A name without an account may be a password typed into the wrong field, so it is not logged. */
export const noteSignIn = (db: Db, Verb: string, account: Account | undefined, { ip, agent }: Caller, Reason?: string) =>
  note(
    db,
    {
      EnterpriseId: account?.EnterpriseId ?? platformEnterprise,
      UserId: account?.Id ?? null,
      Resource: 'session',
      RecordId: account?.Id ?? 0,
      Verb,
      Ip: ip,
    },
    { ...(account ? { UserNO: account.UserNO } : {}), Agent: agent.slice(0, 300), ...(Reason ? { Reason } : {}) },
  )

export const accountOf = async (db: Db, now: number, where: RawBuilder<unknown>): Promise<Account | undefined> => {
  const today = new Date(now)
  const [account] = await db.rows<Account>(sql`
    select u."Id", u."UserNO", u."EnterpriseId", u."PasswordHash", e."Status" as "TenantStatus", e."SingleLogin", e."Logo", e."SysName",
      ${isUsable(today)} as "Usable", u."MustChangePwd" = 1 and coalesce(u."OneTimeUntil" <= ${today}, false) as "OneTimeOver",
      coalesce(e."GrantFrom" <= ${today}, true) and coalesce(e."GrantTo" > ${today}, true)
        or exists (select 1 from user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = u."Id" and r."IsPlatform" = 1) as "Current"
    from "user" u join enterprise e on e."Id" = u."EnterpriseId" where ${where}`)
  return account
}

/** Returns the account if it may act now; otherwise logs the refusal. */
export const letIn = async (db: Db, account: Account, caller: Caller): Promise<Account> => {
  const closed = whyClosed(account)
  if (closed) {
    await noteSignIn(db, 'loginFailed', account, caller, closed)
    throw new Fault(({ tenant: 'enterpriseDisabled', grant: 'grantEnded', locked: 'wrongCredentials' } as const)[closed])
  }
  return account
}
