import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import type { knownBrowsers } from '../../../../server/identity/browsers.ts'
import { verifyPassword } from '../../../../server/identity/passwords.ts'
import { type Account, accountOf, type Caller, letIn, noteSignIn, whyClosed } from './accounts.ts'

/** Time to confirm the end of the other session. */
const confirmMs = 120_000

/** Provided by another area: the URL for the browser, and the account of its callback. */
export type ByWechat = {
  address: (slug: string | undefined) => Promise<string>
  person: (code: string, state: string | undefined) => Promise<number | undefined>
}
export type Credentials = { UserNO?: string; Pwd?: string; UnionId?: string; Code?: string; State?: string; Browser?: string }

type Needs = { db: Db; attempts: Attempts; browsers: ReturnType<typeof knownBrowsers>; clock: () => number; wechat: ByWechat | undefined }

const wechatSignIn = ({ db, clock, wechat }: Needs) => {
  /** Accounts verified by WeChat that must first end another session: WeChat codes are valid once. */
  const vouched = new Map<string, { account: Account; until: number }>()
  const verify = async ({ Code, State }: Credentials, caller: Caller): Promise<Account> => {
    // A UnionId is not a secret, so it proves nothing.
    if (!wechat || !Code) throw new Fault('notConfigured')
    const held = vouched.get(`${Code} ${State}`)
    vouched.delete(`${Code} ${State}`)
    const before = held && held.until > clock() ? held.account : undefined
    const id = before?.Id ?? (await wechat.person(Code, State))
    const account = id === undefined ? undefined : await accountOf(db, clock(), sql`u."Id" = ${id}`)
    if (!account) throw new Fault('wechatUnknown')
    // A new password also ends this.
    if (before && before.PasswordHash !== account.PasswordHash) throw new Fault('wechatOver')
    return letIn(db, account, caller)
  }
  const vouchFor = ({ Code, State }: Credentials, account: Account) => {
    if (!Code) return
    for (const [key, { until }] of vouched) if (until < clock() || vouched.size > 1000) vouched.delete(key)
    vouched.set(`${Code} ${State}`, { account, until: clock() + confirmMs })
  }

  return { verify, vouchFor }
}

/** Authenticates by name and password, or by WeChat. */
export const openSignIn = (needs: Needs) => {
  const { db, attempts, browsers, clock } = needs
  const wechat = wechatSignIn(needs)
  const verified = async (given: Credentials, caller: Caller): Promise<Account & { byPassword: boolean }> => {
    const name = (given.UserNO ?? '').trim() || '1'
    const password = given.Pwd || '1'
    // Marks a WeChat sign-in.
    if (name === '1' && password === '1' && (given.UnionId || given.Code))
      return { ...(await wechat.verify(given, caller)), byPassword: false }
    // The console's marker for empty input (ruling 16); not counted as an attempt.
    if (name === '1' && password === '1') throw new Fault('wrongCredentials')
    const browser = await browsers.find(name, given.Browser)
    let account: Account | undefined
    let reason: string | undefined
    const isRight = await attempts.judge(name, { ip: caller.ip, browser }, async () => {
      account = await accountOf(db, clock(), sql`lower(u."UserNO") = lower(${name})`)
      const fits = await verifyPassword(account?.PasswordHash, password)
      // The right password of a locked account is answered and counted like a wrong one.
      reason = !account ? 'unknown' : !fits ? 'password' : whyClosed(account) === 'locked' ? 'locked' : undefined
      return reason === undefined
    })
    if (!isRight || !account) {
      await noteSignIn(db, 'loginFailed', account, caller, reason)
      throw new Fault('wrongCredentials')
    }
    await letIn(db, account, caller)
    if (account.OneTimeOver) {
      await noteSignIn(db, 'loginFailed', account, caller, 'oneTimeOver')
      throw new Fault('oneTimeOver')
    }
    return { ...account, byPassword: true }
  }

  return { verified, vouchFor: wechat.vouchFor }
}
