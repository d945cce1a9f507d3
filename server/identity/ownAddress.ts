// Phone and e-mail of an account, where its owner is reached. An unlocked screen is not enough to change them.
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { Fault, FieldFaults } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import type { Attempts } from './attempts.ts'
import { verifyPassword } from './passwords.ts'
import { isTrial } from './receivers.ts'

type Values = Record<string, unknown>
/** Whether values move an address of the actor that he may see. */
export const movesAddress = (actor: Actor, before: Values, given: Values) =>
  ['Phone', 'Email'].some(
    (name) => given[name] !== undefined && !actor.dataScope?.hidden.user?.has(name) && (given[name] || null) !== (before[name] ?? null),
  )

/** Refuses visitors, and everybody who does not give the password of the account. */
export const confirmMove = async (db: Db, attempts: Attempts, { UserId }: Actor, Pwd: string | undefined) => {
  const [own] = await db.rows<{ UserNO: string; PasswordHash: string; Trial: boolean }>(
    sql`select u."UserNO", u."PasswordHash", ${isTrial(sql`u."Id"`)} as "Trial" from "user" u where u."Id" = ${UserId}`,
  )
  if (!own || own.Trial) throw new Fault('trialAccount')
  if (!Pwd) throw new FieldFaults([{ field: 'Pwd', rule: 'required' }])
  if (!(await attempts.judge(own.UserNO, { session: true }, () => verifyPassword(own.PasswordHash, Pwd)))) throw new Fault('wrongPassword')
}
