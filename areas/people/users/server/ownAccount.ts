import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { changingSight } from '../../../../server/identity/dataScope.ts'
import { confirmMove, movesAddress } from '../../../../server/identity/ownAddress.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { record } from '../../../../server/resource/store.ts'
import { user } from '../contract.ts'
import { cleaned, people } from './newAccounts.ts'
import { assertStartPicture } from './startPicture.ts'

type Values = Record<string, unknown>

/** Changes to a person's own account, and the list of that person's sessions. */
export const ownAccount = <One>(
  database: Database,
  sessions: Sessions,
  { one, reread }: { one: (db: Db, actor: Actor, id: number) => Promise<One>; reread: (ids: readonly number[]) => void },
) => ({
  async setAccount(db: Db, actor: Actor, { Avatar, Pwd, ...change }: Values & { Pwd?: string }, attempts: Attempts) {
    // Before the transaction: the hash takes time, and the attempt counts even if the transaction fails.
    if (movesAddress(actor, await people.find(db, actor, actor.UserId), change)) await confirmMove(database.system, attempts, actor, Pwd)
    // Of these fields, a session caches only time zone and language.
    const isNew = await changingSight(db, actor, async (db) => {
      const before = await people.find(db, actor, actor.UserId)
      const row = await people.update(db, actor, actor.UserId, cleaned(change))
      if (change.IndexFlowchartId) await assertStartPicture(db, row)
      const isNew = row.TimeZoneKey !== before.TimeZoneKey || row.Language !== before.Language
      if (Avatar === undefined || Avatar === row.Avatar) return isNew
      await db.rows(sql`update "user" set "Avatar" = ${Avatar || null} where "Id" = ${actor.UserId}`)
      await record(db, actor, user, 'update', actor.UserId, actor.EnterpriseId, { Avatar: row.Avatar }, { Avatar })
      return isNew
    })
    if (isNew) reread([actor.UserId])
    return one(db, actor, actor.UserId)
  },
  /** Active sessions of the user, newest first. */
  sessions: (actor: Actor) => {
    const local = (name: string) =>
      sql`to_char(${sql.raw(`"${name}"`)} at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.raw(`"${name}"`)}`
    return database.system.rows<{
      Session: string
      Ip: string
      Agent: string
      CreateTime: string
      LastTime: string
      Current: boolean
    }>(sql`
      select "Id" as "Session", coalesce("Ip", '') as "Ip", coalesce("Agent", '') as "Agent", ${local('CreateTime')}, ${local('LastTime')}, "Id" = ${actor.session} as "Current"
      from session s where "UserId" = ${actor.UserId} and "EndTime" is null and s."LastTime" > now() - interval '7 days' order by s."LastTime" desc limit 50`)
  },
  async endSession(actor: Actor, session: string) {
    const [own] = await database.system.rows(
      sql`select 1 from session where "Id" = ${session} and "UserId" = ${actor.UserId} and "EndTime" is null`,
    )
    if (!own) throw new Fault('notFound')
    await sessions.end(session, 'logout')
    return null
  },
})
