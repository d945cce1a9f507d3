import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { secretQuestions } from '../../../../contract/session.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { hashPassword, verifyPassword } from '../../../../server/identity/passwords.ts'

type Answered = { Question: number; Answer: string }

/** Normalizes an answer: case and spaces do not matter. */
const plain = (answer: string) => answer.normalize('NFKC').replace(/\s+/g, '').toLowerCase()

/** Secret questions (ruling 35): an additional factor, hashed, rate-limited, disabled by default. */
export const secretAnswers = (db: Db, attempts: Attempts) => {
  const account = async ({ UserId }: Actor) => {
    const [found] = await db.rows<{ UserNO: string; PasswordHash: string; Enabled: number }>(sql`
      select u."UserNO", u."PasswordHash", e."SecretQuestions" as "Enabled"
      from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${UserId}`)
    if (!found) throw new Fault('notFound')
    return found
  }
  const enabled = async (actor: Actor) => {
    const found = await account(actor)
    if (!found.Enabled) throw new Fault('questionsOff')
    return found
  }
  /** Failures count under a name that no account can have. */
  const counter = ({ UserId }: Actor) => `question ${UserId}`

  return {
    async list(actor: Actor, language: Language) {
      const { Enabled } = await account(actor)
      const set = await db.rows<{ Question: number }>(sql`select "Question" from secret_answer where "UserId" = ${actor.UserId}`)
      return {
        Enabled: Enabled === 1,
        Items: secretQuestions.map((Question) => ({
          Question,
          QuestionName: word(language, `secretQuestion.${Question}`),
          IsSet: set.some((s) => s.Question === Question),
        })),
      }
    },
    async set(actor: Actor, { Pwd, Answers }: { Pwd: string; Answers: Answered[] }, ip: string) {
      const { UserNO, PasswordHash } = await enabled(actor)
      if (!(await attempts.judge(UserNO, { session: true }, () => verifyPassword(PasswordHash, Pwd)))) throw new Fault('wrongPassword')
      if (new Set(Answers.map((a) => a.Question)).size < Answers.length || Answers.some((a) => !plain(a.Answer))) throw new Fault('invalid')
      const hashes: string[] = []
      for (const { Answer } of Answers) hashes.push(await hashPassword(plain(Answer)))
      await db.tx(async (db) => {
        await db.rows(sql`delete from secret_answer where "UserId" = ${actor.UserId}`)
        for (const [i, { Question }] of Answers.entries())
          await db.rows(
            sql`insert into secret_answer ("UserId", "Question", "AnswerHash") values (${actor.UserId}, ${Question}, ${hashes[i]})`,
          )
        await db.rows(
          sql`insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Ip") values (${actor.EnterpriseId}, ${actor.UserId}, 'user', ${actor.UserId}, 'questions', ${ip})`,
        )
      })
      return null
    },
    /** If the tenant requires it, a user with an administrator's one-time password must first answer a secret question. */
    async expectAnswered(actor: Actor) {
      const [owed] = await db.rows(sql`
        select 1 from "user" u join enterprise e on e."Id" = u."EnterpriseId" and e."SecretQuestions" = 1
        where u."Id" = ${actor.UserId} and u."MustChangePwd" = 1 and exists (select 1 from secret_answer a where a."UserId" = u."Id")
          and not exists (select 1 from session s where s."Id" = ${actor.session} and s."AnswerTime" is not null)`)
      if (owed) throw new Fault('answerFirst')
    },
    /** A question without a stored answer fails like a wrong answer. */
    async confirm(actor: Actor, { Question, Answer }: Answered) {
      await enabled(actor)
      const [kept] = await db.rows<{ AnswerHash: string }>(
        sql`select "AnswerHash" from secret_answer where "UserId" = ${actor.UserId} and "Question" = ${Question}`,
      )
      if (!(await attempts.judge(counter(actor), { session: true }, () => verifyPassword(kept?.AnswerHash, plain(Answer)))))
        throw new Fault('wrongAnswer')
      await db.rows(sql`update session set "AnswerTime" = now() where "Id" = ${actor.session}`)
      return null
    },
  }
}
