import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'

/** Ruling 17: five failures lock an account for half an hour; an address gets a hundred in that time (security.md S08). */
const limits = { account: 5, address: 100, minutes: 30 }

/** Names that do not exist are counted alike, so that a lock tells nothing. */
export const openAttempts = (db: Db, clock: () => number) => {
  const addresses = new Map<string, { failures: number; until: number }>()
  const account = (name: string) => name.toLowerCase().slice(0, 100)
  return {
    /** Throws while the account or the address is locked, also for the right password. */
    async check(name: string, ip: string) {
      const held = addresses.get(ip)
      if (held && held.until <= clock()) addresses.delete(ip)
      else if (held && held.failures >= limits.address) throw new Fault('tooManyTries', { minutes: limits.minutes })
      const [row] = await db.rows(
        sql`select 1 from login_attempt where "Account" = ${account(name)} and "LockUntil" > ${new Date(clock())}`,
      )
      if (row) throw new Fault('tooManyTries', { minutes: limits.minutes })
    },
    async failed(name: string, ip: string) {
      const now = clock()
      if (addresses.size > 50_000) addresses.clear()
      const held = addresses.get(ip) ?? { failures: 0, until: 0 }
      addresses.set(ip, { failures: held.failures + 1, until: now + limits.minutes * 60_000 })
      const window = new Date(now - limits.minutes * 60_000)
      const lock = new Date(now + limits.minutes * 60_000)
      await db.rows(sql`
        insert into login_attempt as a ("Account", "Failures", "LastTime") values (${account(name)}, 1, ${new Date(now)})
        on conflict ("Account") do update set
          "Failures" = case when a."LastTime" < ${window} then 1 else a."Failures" + 1 end,
          "LastTime" = ${new Date(now)},
          "LockUntil" = case when a."LastTime" >= ${window} and a."Failures" + 1 >= ${limits.account} then ${lock}::timestamptz end`)
      await db.rows(sql`delete from login_attempt where "LastTime" < ${new Date(now - 86_400_000)}`)
    },
    async succeeded(name: string) {
      await db.rows(sql`delete from login_attempt where "Account" = ${account(name)}`)
    },
  }
}
