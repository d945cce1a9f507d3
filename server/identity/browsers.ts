// Browsers that signed in before. A browser keeps a long random mark; the server stores its hash, for each account that signed in there.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { note } from './note.ts'

const dayMs = 86_400_000
/** A mark ends after so many days without a sign-in; an account has so many browsers, the oldest goes first. */
const [days, most] = [180, 10]

const hashOf = (mark: string) => createHash('sha256').update(`browser ${mark}`).digest()

export const knownBrowsers = (db: Db, clock: () => number) => {
  const alive = () => sql`b."LastTime" > ${new Date(clock() - days * dayMs)}`
  return {
    /** Names the browser among those of an account; nothing for one that is not known. */
    async find(account: string, mark: string | undefined): Promise<string | undefined> {
      if (!mark) return
      const [known] = await db.rows(sql`
        select 1 from known_browser b join "user" u on u."Id" = b."UserId"
        where lower(u."UserNO") = lower(${account}) and b."Hash" = ${hashOf(mark)} and ${alive()}`)
      return known ? hashOf(mark).toString('hex') : undefined
    },
    /** Remembers a browser for an account that has just signed in there; answers the mark that it shall keep. */
    async remember(userId: number, given: string): Promise<string> {
      // Never adopts a mark made elsewhere: someone else may know it.
      const [ours] = given ? await db.rows(sql`select 1 from known_browser b where b."Hash" = ${hashOf(given)} and ${alive()} limit 1`) : []
      const mark = ours ? given : randomBytes(32).toString('base64url')
      await db.tx(async (db) => {
        await db.rows(sql`
          insert into known_browser ("UserId", "Hash", "LastTime") values (${userId}, ${hashOf(mark)}, ${new Date(clock())})
          on conflict ("UserId", "Hash") do update set "LastTime" = excluded."LastTime"`)
        await db.rows(sql`
          delete from known_browser where "UserId" = ${userId} and "Hash" in (
            select "Hash" from known_browser where "UserId" = ${userId} order by "LastTime" desc offset ${most})`)
      })
      return mark
    },
  }
}

/** A new password ends the other ways into the account: known browsers, the tied WeChat, and links that would tie one. */
export const forgetWaysIn = async (db: Db, userId: number) => {
  await db.rows(sql`delete from known_browser where "UserId" = ${userId}`)
  // Delete links first: a concurrent tie holds its link until it commits.
  await db.rows(sql`delete from wechat_grant where "UserId" = ${userId}`)
  const [tied] = await db.rows<{ EnterpriseId: number }>(sql`
    update user_push set "OpenId" = null, "UnionId" = null where "UserId" = ${userId} and coalesce("OpenId", "UnionId") is not null
    returning "EnterpriseId"`)
  if (tied) await note(db, { ...tied, UserId: userId, Resource: 'userPush', RecordId: userId, Verb: 'update' }, { Bound: 0 })
}
