// Re-authentication for checking, approving and withdrawing reports.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { verifyPassword } from '../../../../server/identity/passwords.ts'
import { isTrial } from '../../../../server/identity/receivers.ts'
import { beganByPassword } from '../../../../server/identity/sessionRows.ts'

export type Signs = { system: Db; attempts: Attempts }

/**
 * Asks for the password of the account, counted with failed sign-ins (S08). Programs cannot sign, nor can accounts that have no password,
 * nor sessions that began without one.
 */
export const confirmPerson = async ({ system, attempts }: Signs, { UserId, session }: Actor, request: FastifyRequest, Pwd: string) => {
  const cannot = new FieldFaults([{ field: 'Pwd', rule: 'cold.report.noPassword' }])
  if (request.credential) throw cannot
  if (!(await beganByPassword(system, session))) throw new FieldFaults([{ field: 'Pwd', rule: 'cold.report.otherSignIn' }])
  const [own] = await system.rows<{ UserNO: string; PasswordHash: string; Trial: boolean }>(
    sql`select u."UserNO", u."PasswordHash", ${isTrial(sql`u."Id"`)} as "Trial" from "user" u where u."Id" = ${UserId}`,
  )
  if (!own || own.Trial || !own.PasswordHash.startsWith('$')) throw cannot
  if (!(await attempts.judge(own.UserNO, { session: true }, () => verifyPassword(own.PasswordHash, Pwd)))) throw new Fault('wrongPassword')
}
