import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { UserInfo } from '../../../../contract/session.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { forgetWaysIn, knownBrowsers } from '../../../../server/identity/browsers.ts'
import { note } from '../../../../server/identity/note.ts'
import { checkNewPassword, hashPassword, verifyPassword } from '../../../../server/identity/passwords.ts'
import { isUsable } from '../../../../server/identity/sessionRows.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { offsetMinutes, zoneOrUtc } from '../../../../server/identity/zones.ts'
import { mapKeyOf } from './mapKey.ts'
import { secretAnswers } from './questions.ts'

/** How long somebody may think about ending his other session. */
const confirmMs = 120_000

type Account = {
  UserNO: string
  Id: number
  EnterpriseId: number
  PasswordHash: string
  TenantStatus: number
  Usable: boolean
  /** The tenant's time has begun and is not over. */
  Current: boolean
  SingleLogin: number
  /** It signs in with a one-time password whose time is over. */
  OneTimeOver: boolean
  Logo: string | null
  SysName: string | null
}
/** Provided by another area: the URL that a browser visits, and the account behind its callback. */
export type ByWechat = {
  address: (slug: string | undefined) => Promise<string>
  person: (code: string, state: string | undefined) => Promise<number | undefined>
}
export type Caller = { ip: string; agent: string }
export type Credentials = { UserNO?: string; Pwd?: string; UnionId?: string; Code?: string; State?: string; Browser?: string }

/** What an account is closed for, or nothing. */
const whyClosed = (account: Account) =>
  account.TenantStatus !== 1 ? 'tenant' : !account.Current ? 'grant' : !account.Usable ? 'locked' : undefined

export const sessionService = (
  database: Database,
  sessions: Sessions,
  attempts: Attempts,
  clock: () => number = Date.now,
  /** Sign-in by WeChat, where this installation has it. */
  wechat?: ByWechat,
) => {
  const db = database.system
  const questions = secretAnswers(db, attempts)
  const browsers = knownBrowsers(db, clock)

  const userInfo = async (userId: number, zone: string | null, role: number | null = null): Promise<Static<typeof UserInfo>> => {
    const ofRoles = sql`user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = u."Id" and ur."RoleId" = coalesce(${role}::bigint, ur."RoleId")`
    const [user] = await db.rows<Static<typeof UserInfo>>(sql`
      select u."Id", u."UserNO", u."UserName", u."EnterpriseId", e."Name" as "EnterpriseName", u."BelongOrganId", u."IndexFlowchartId",
        coalesce(u."TimeZoneKey", ${zone}, e."TimeZoneKey") as "TimeZoneKey", u."Language", u."MustChangePwd",
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

  /** A name that no account has may be a password in the wrong field: it is not written down. */
  const noteSignIn = (Verb: string, account: Account | undefined, { ip, agent }: Caller, Reason?: string) =>
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

  const accountOf = async (where: RawBuilder<unknown>): Promise<Account | undefined> => {
    const today = new Date(clock())
    const [account] = await db.rows<Account>(sql`
      select u."Id", u."UserNO", u."EnterpriseId", u."PasswordHash", e."Status" as "TenantStatus", e."SingleLogin", e."Logo", e."SysName",
        ${isUsable(today)} as "Usable", u."MustChangePwd" = 1 and coalesce(u."OneTimeUntil" <= ${today}, false) as "OneTimeOver",
        coalesce(e."GrantFrom" <= ${today}, true) and coalesce(e."GrantTo" > ${today}, true)
          or exists (select 1 from user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = u."Id" and r."IsPlatform" = 1) as "Current"
      from "user" u join enterprise e on e."Id" = u."EnterpriseId" where ${where}`)
    return account
  }
  const letIn = async (account: Account, caller: Caller): Promise<Account> => {
    const closed = whyClosed(account)
    if (closed) {
      await noteSignIn('loginFailed', account, caller, closed)
      throw new Fault(({ tenant: 'enterpriseDisabled', grant: 'grantEnded', locked: 'wrongCredentials' } as const)[closed])
    }
    return account
  }

  /** Accounts that WeChat vouched for and whose other session is to be ended first: its codes are good once. */
  const vouched = new Map<string, { account: Account; until: number }>()
  const byWechat = async ({ Code, State }: Credentials, caller: Caller): Promise<Account> => {
    // A UnionId alone is no secret, so it proves nothing.
    if (!wechat || !Code) throw new Fault('notConfigured')
    const held = vouched.get(`${Code} ${State}`)
    vouched.delete(`${Code} ${State}`)
    const before = held && held.until > clock() ? held.account : undefined
    const id = before?.Id ?? (await wechat.person(Code, State))
    const account = id === undefined ? undefined : await accountOf(sql`u."Id" = ${id}`)
    if (!account) throw new Fault('wechatUnknown')
    // A new password ends this too.
    if (before && before.PasswordHash !== account.PasswordHash) throw new Fault('wechatOver')
    return letIn(account, caller)
  }
  const vouchFor = ({ Code, State }: Credentials, account: Account) => {
    if (!Code) return
    for (const [key, { until }] of vouched) if (until < clock() || vouched.size > 1000) vouched.delete(key)
    vouched.set(`${Code} ${State}`, { account, until: clock() + confirmMs })
  }

  const verified = async (given: Credentials, caller: Caller): Promise<Account> => {
    const name = (given.UserNO ?? '').trim() || '1'
    const password = given.Pwd || '1'
    // A sign-in by WeChat instead of a password.
    if (name === '1' && password === '1' && (given.UnionId || given.Code)) return byWechat(given, caller)
    // The console's way of saying "nothing was typed" (ruling 16); no counter moves.
    if (name === '1' && password === '1') throw new Fault('wrongCredentials')
    const browser = await browsers.find(name, given.Browser)
    let account: Account | undefined
    let reason: string | undefined
    const isRight = await attempts.judge(name, { ip: caller.ip, browser }, async () => {
      account = await accountOf(sql`lower(u."UserNO") = lower(${name})`)
      const fits = await verifyPassword(account?.PasswordHash, password)
      // The right password of a locked account is answered and counted like a wrong one.
      reason = !account ? 'unknown' : !fits ? 'password' : whyClosed(account) === 'locked' ? 'locked' : undefined
      return reason === undefined
    })
    if (!isRight || !account) {
      await noteSignIn('loginFailed', account, caller, reason)
      throw new Fault('wrongCredentials')
    }
    await letIn(account, caller)
    if (account.OneTimeOver) {
      await noteSignIn('loginFailed', account, caller, 'oneTimeOver')
      throw new Fault('oneTimeOver')
    }
    return account
  }

  /** The mark for a browser that asks for one. */
  const markOf = async (userId: number, given: string | undefined) =>
    given === undefined ? {} : { Browser: await browsers.remember(userId, given) }

  const begin = async (account: Account, given: Credentials, caller: Caller) => {
    const token = await sessions.begin(account.Id, { passwordHash: account.PasswordHash, ...caller })
    const who = await sessions.who(token)
    if (!who || 'ended' in who) throw new Fault('sessionOver')
    await noteSignIn('login', account, caller)
    return {
      IsSingleUserLogin: true,
      Token: token,
      Menu: [...who.may],
      User: await userInfo(account.Id, null),
      Logo: account.Logo,
      SysName: account.SysName,
      ...(await markOf(account.Id, given.Browser)),
    }
  }

  return {
    userInfo,
    questions,
    async wechatAddress(slug: string | undefined) {
      if (!wechat) throw new Fault('notConfigured')
      return wechat.address(slug)
    },
    mapKey: (actor: Actor, scoped: Db, place: Parameters<typeof mapKeyOf>[3]) => mapKeyOf(scoped, db, actor, place),
    /** Token and menus at once, or no token when the account may hold one session and holds it elsewhere. */
    async login(given: Credentials, caller: Caller) {
      const account = await verified(given, caller)
      if (account.SingleLogin === 1 && (await sessions.live(account.Id))) {
        vouchFor(given, account)
        return { IsSingleUserLogin: false, Logo: account.Logo, SysName: account.SysName }
      }
      return begin(account, given, caller)
    },
    async logout(actor: Actor, { ip, agent }: Caller) {
      await sessions.end(actor.session, 'logout')
      const of = { EnterpriseId: actor.EnterpriseId, UserId: actor.UserId, Resource: 'session', RecordId: actor.UserId }
      await note(db, { ...of, Verb: 'logout', Ip: ip }, { Agent: agent.slice(0, 300) })
    },
    /** The same, ending the other session. */
    async loginConfirm(given: Credentials, caller: Caller) {
      return begin(await verified(given, caller), given, caller)
    },
    /** The session goes on under another token, with the rights of one role or of all. */
    async actAs(actor: Actor, role: number | null, caller: Caller) {
      const held = await db.rows(sql`select 1 from user_role where "UserId" = ${actor.UserId} and "RoleId" = ${role}`)
      if (role !== null && !held.length) throw new Fault('notFound')
      return { Token: await sessions.renew(actor, { role, ...caller }) }
    },
    /** Needs the password that holds now; every session but the answered one is over (S02, S14). */
    async setPassword(actor: Actor, given: { OldPwd: string; NewPwd: string; Browser?: string }, caller: Caller) {
      const [user] = await db.rows<
        Pick<Account, 'UserNO' | 'PasswordHash' | 'OneTimeOver'> & { Name: string; PasswordMin: number | null }
      >(sql`
        select u."UserNO", u."PasswordHash", u."MustChangePwd" = 1 and coalesce(u."OneTimeUntil" <= ${new Date(clock())}, false) as "OneTimeOver",
          e."Name", e."PasswordMin" from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${actor.UserId}`)
      if (!user) throw new Fault('notFound')
      if (!(await attempts.judge(user.UserNO, { session: true }, () => verifyPassword(user.PasswordHash, given.OldPwd))))
        throw new Fault('wrongPassword')
      if (user.OneTimeOver) throw new Fault('oneTimeOver')
      await questions.expectAnswered(actor)
      checkNewPassword(given.NewPwd, [user.UserNO, user.Name], user.PasswordMin ?? undefined)
      const hash = await hashPassword(given.NewPwd)
      const from = { passwordHash: user.PasswordHash, role: actor.role ?? null, ...caller }
      const Token = await sessions.renewAlone(actor, from, async (db) => {
        await db.rows(
          sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0, "OneTimeUntil" = null, "PwdChangeTime" = now(), "UpdateTime" = now() where "Id" = ${actor.UserId}`,
        )
        await forgetWaysIn(db, actor.UserId)
        await db.rows(
          sql`insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Ip") values (${actor.EnterpriseId}, ${actor.UserId}, 'user', ${actor.UserId}, 'password', ${caller.ip})`,
        )
      })
      return { Token, ...(await markOf(actor.UserId, given.Browser)) }
    },
  }
}
