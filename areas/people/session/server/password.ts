import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { forgetWaysIn } from '../../../../server/identity/browsers.ts'
import { checkNewPassword, hashPassword, verifyPassword } from '../../../../server/identity/passwords.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import type { Account, Caller } from './accounts.ts'
import type { secretAnswers } from './questions.ts'

type Needs = { db: Db; sessions: Sessions; attempts: Attempts; questions: ReturnType<typeof secretAnswers>; clock: () => number }

/** Requires the current password. Ends every session except the returned one (S02, S14). */
export const changePassword = async (
  { db, sessions, attempts, questions, clock }: Needs,
  actor: Actor,
  given: { OldPwd: string; NewPwd: string },
  caller: Caller,
): Promise<string> => {
  const [user] = await db.rows<Pick<Account, 'UserNO' | 'PasswordHash' | 'OneTimeOver'> & { Name: string; PasswordMin: number | null }>(sql`
    select u."UserNO", u."PasswordHash", u."MustChangePwd" = 1 and coalesce(u."OneTimeUntil" <= ${new Date(clock())}, false) as "OneTimeOver",
      e."Name", e."PasswordMin" from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${actor.UserId}`)
  if (!user) throw new Fault('notFound')
  if (!(await attempts.judge(user.UserNO, { session: true }, () => verifyPassword(user.PasswordHash, given.OldPwd))))
    throw new Fault('wrongPassword')
  if (user.OneTimeOver) throw new Fault('oneTimeOver')
  await questions.expectAnswered(actor)
  checkNewPassword(given.NewPwd, [user.UserNO, user.Name], user.PasswordMin ?? undefined)
  const hash = await hashPassword(given.NewPwd)
  const from = { passwordHash: user.PasswordHash, role: actor.role ?? null, byPassword: true, ...caller }
  return sessions.renewAlone(actor, from, async (db) => {
    await db.rows(
      sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0, "OneTimeUntil" = null, "PwdChangeTime" = now(), "UpdateTime" = now() where "Id" = ${actor.UserId}`,
    )
    await forgetWaysIn(db, actor.UserId)
    await db.rows(
      sql`insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Ip") values (${actor.EnterpriseId}, ${actor.UserId}, 'user', ${actor.UserId}, 'password', ${caller.ip})`,
    )
  })
}
