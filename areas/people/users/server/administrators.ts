import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { locks } from '../../../../server/database/locks.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { isUsable } from '../../../../server/identity/sessionRows.ts'

/** Whether a platform administrator exists who can sign in, and one whose account does not expire. */
const administrators = async (db: Db, today: Date) => {
  const [found] = await db.rows<{ Any: boolean; Lasting: boolean }>(sql`
    select count(*) > 0 as "Any", coalesce(bool_or(u."ValidTo" is null), false) as "Lasting"
    from "user" u join user_role ur on ur."UserId" = u."Id" join role r on r."Id" = ur."RoleId" join enterprise e on e."Id" = u."EnterpriseId"
    where r."IsPlatform" = 1 and r."Status" = 1 and ${isUsable(today)}`)
  return found!
}

/** Serializes changes to platform administrators, so that two cannot remove each other, and none can remove the last one. */
export const guardingPlatform =
  (clock: () => number) =>
  async <T>(db: Db, concerned: boolean, work: (db: Db) => Promise<T>): Promise<T> =>
    db.tx(async (db) => {
      if (!concerned) return work(db)
      await db.rows(sql`select pg_advisory_xact_lock(${locks.administrators})`)
      const today = new Date(clock())
      const before = await administrators(db, today)
      const done = await work(db)
      const after = await administrators(db, today)
      if (!after.Any || (before.Lasting && !after.Lasting)) throw new Fault('lastPlatform')
      return done
    })
