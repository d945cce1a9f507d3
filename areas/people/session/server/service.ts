import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { knownBrowsers } from '../../../../server/identity/browsers.ts'
import { note } from '../../../../server/identity/note.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { type Account, type Caller, noteSignIn, userInfo } from './accounts.ts'
import { mapKeyOf } from './mapKey.ts'
import { changePassword } from './password.ts'
import { secretAnswers } from './questions.ts'
import { type ByWechat, type Credentials, openSignIn } from './signIn.ts'

export type { ByWechat } from './signIn.ts'

export const sessionService = (
  database: Database,
  sessions: Sessions,
  attempts: Attempts,
  clock: () => number = Date.now,
  /** WeChat sign-in, if this installation has it. */
  wechat?: ByWechat,
) => {
  const db = database.system
  const questions = secretAnswers(db, attempts)
  const browsers = knownBrowsers(db, clock)
  const signIn = openSignIn({ db, attempts, browsers, clock, wechat })

  /** Mark of a known browser, if requested. */
  const markOf = async (userId: number, given: string | undefined) =>
    given === undefined ? {} : { Browser: await browsers.remember(userId, given) }

  const begin = async (account: Account & { byPassword: boolean }, given: Credentials, caller: Caller) => {
    const token = await sessions.begin(account.Id, { passwordHash: account.PasswordHash, byPassword: account.byPassword, ...caller })
    const who = await sessions.who(token)
    if (!who || 'ended' in who) throw new Fault('sessionOver')
    await noteSignIn(db, 'login', account, caller)
    return {
      IsSingleUserLogin: true,
      Token: token,
      Menu: [...who.may],
      User: await userInfo(db, account.Id, null),
      Logo: account.Logo,
      SysName: account.SysName,
      ...(await markOf(account.Id, given.Browser)),
    }
  }

  return {
    userInfo: (userId: number, zone: string | null, role?: number | null) => userInfo(db, userId, zone, role),
    questions,
    async wechatAddress(slug: string | undefined) {
      if (!wechat) throw new Fault('notConfigured')
      return wechat.address(slug)
    },
    mapKey: (actor: Actor, scoped: Db, place: Parameters<typeof mapKeyOf>[3]) => mapKeyOf(scoped, db, actor, place),
    /** Returns token and menus, or no token if the account is limited to one session and has one elsewhere. */
    async login(given: Credentials, caller: Caller) {
      const account = await signIn.verified(given, caller)
      if (account.SingleLogin === 1 && (await sessions.live(account.Id))) {
        signIn.vouchFor(given, account)
        return { IsSingleUserLogin: false, Logo: account.Logo, SysName: account.SysName }
      }
      return begin(account, given, caller)
    },
    async logout(actor: Actor, { ip, agent }: Caller) {
      await sessions.end(actor.session, 'logout')
      const of = { EnterpriseId: actor.EnterpriseId, UserId: actor.UserId, Resource: 'session', RecordId: actor.UserId }
      await note(db, { ...of, Verb: 'logout', Ip: ip }, { Agent: agent.slice(0, 300) })
    },
    /** Signs in and ends the other session. */
    async loginConfirm(given: Credentials, caller: Caller) {
      return begin(await signIn.verified(given, caller), given, caller)
    },
    /** Replaces the token: the session continues with the permissions of one role, or of all. */
    async actAs(actor: Actor, role: number | null, caller: Caller) {
      const held = await db.rows(sql`select 1 from user_role where "UserId" = ${actor.UserId} and "RoleId" = ${role}`)
      if (role !== null && !held.length) throw new Fault('notFound')
      return { Token: await sessions.renew(actor, { role, ...caller }) }
    },
    async setPassword(actor: Actor, given: { OldPwd: string; NewPwd: string; Browser?: string }, caller: Caller) {
      const Token = await changePassword({ db, sessions, attempts, questions, clock }, actor, given, caller)
      return { Token, ...(await markOf(actor.UserId, given.Browser)) }
    },
  }
}
