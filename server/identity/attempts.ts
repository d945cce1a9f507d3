// Limits guessing of passwords. Each attempt is counted before the password is hashed and taken back when it was right, so a burst is
// not judged as a whole. Names that do not exist are counted alike: so a lock does not reveal whether an account exists.
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { keyedQueue } from '../database/keyedQueue.ts'
import { networkOf } from '../http/addresses.ts'
import { Fault } from '../http/faults.ts'

const minute = 60
const windowMs = 30 * minute * 1000
const hourMs = 60 * minute * 1000
const everywhere = 'everywhere'
const everyPin = 'pins'
const lock = (failures: number, seconds = 30 * minute) => [...Array<number>(failures - 1).fill(0), seconds]

/** Seconds to wait after the first, second … failure; the last one holds for all that follow. */
const waits = {
  /** Ruling 17: an account is locked for an address, a known browser or a session after five failures. */
  five: lock(5),
  /** An address may fail a hundred times, over all accounts (security.md S08). */
  address: lock(100),
  /** An account over all addresses is slowed down and never locked, so that nobody can lock somebody else out. */
  everywhere: [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 30],
  /** Codes on labels: a person may fail five times at a label and twenty times in all, then waits an hour. */
  label: lock(5, 60 * minute),
  labels: lock(20, 60 * minute),
  /** PINs of shared screens: an address may fail five times at one, and all addresses together a hundred times, in an hour. */
  pin: lock(5, 60 * minute),
  pins: lock(100, 60 * minute),
  /** Codes of televisions: a person may fail ten times in an hour. */
  televisions: lock(10, 60 * minute),
}

/** Where an attempt comes from: a person who tries codes of labels, an address that tries the PIN of a share, a person who tries codes of televisions, a signed-in person, or an address, perhaps with the mark of a browser that is known for this account. */
export type Origin =
  | { codesOf: number }
  | { pinFrom: string }
  | { televisionsOf: number }
  | { session: true }
  | { ip: string; browser?: string | undefined }
/** PostgreSQL makes the letters of `Account` small, as it does where it looks for the account: its rules are not JavaScript's. */
type Counter = { Account: string; Source: string; waits: readonly number[]; windowMs?: number }

const countersOf = (name: string, origin: Origin): Counter[] => {
  const Account = name.slice(0, 100)
  if ('codesOf' in origin) {
    const Source = `labels ${origin.codesOf}`
    return [
      { Account: '', Source, waits: waits.labels, windowMs: hourMs },
      { Account, Source, waits: waits.label, windowMs: hourMs },
    ]
  }
  if ('pinFrom' in origin)
    return [
      { Account, Source: `pins ${networkOf(origin.pinFrom)}`, waits: waits.pin, windowMs: hourMs },
      { Account, Source: everyPin, waits: waits.pins, windowMs: hourMs },
    ]
  if ('televisionsOf' in origin)
    return [{ Account: '', Source: `televisions ${origin.televisionsOf}`, waits: waits.televisions, windowMs: hourMs }]
  if ('session' in origin) return [{ Account, Source: 'session', waits: waits.five }]
  // What strangers try does not lock out a known browser.
  if (origin.browser) return [{ Account, Source: `browser ${origin.browser}`, waits: waits.five }]
  const Source = `address ${networkOf(origin.ip)}`
  // The same order everywhere, so that two attempts never wait for each other.
  return [
    { Account: '', Source, waits: waits.address },
    { Account, Source, waits: waits.five },
    { Account, Source: everywhere, waits: waits.everywhere },
  ]
}

export const openAttempts = (db: Db, clock: () => number) => {
  // Attempts of one origin on one account run one or two at a time, so that correct ones are not counted as failures.
  const queue = keyedQueue()
  /** Locks of addresses read within the last second: a flood of guesses from a locked address asks the database once a second. */
  const recentLocks = new Map<string, { until: number; readAt: number }>()
  let sweptAt = 0

  const refuse = (until: number, Source: string): never => {
    const seconds = Math.max(1, Math.ceil((until - clock()) / 1000))
    throw Source === everywhere
      ? new Fault('triedTooFast', { seconds })
      : new Fault('tooManyTries', { seconds, minutes: Math.ceil(seconds / minute) })
  }
  const refuseRecentlyLocked = (counters: readonly Counter[]) => {
    for (const { Account, Source } of counters) {
      const lock = Account === '' ? recentLocks.get(Source) : undefined
      const age = clock() - (lock?.readAt ?? 0)
      if (lock && age >= 0 && age < 1000 && clock() < lock.until) refuse(lock.until, Source)
    }
  }

  /**
   * One statement decides and counts, whatever comes at the same time. No wait leaves no lock: an attempt that read the clock earlier
   * may be counted later, and would meet a lock that ends after its own time.
   */
  const count = async (db: Db, { Account, Source, waits, windowMs: within = windowMs }: Counter) => {
    const now = new Date(clock())
    // A time in the future was written before the clock was set back, and is ignored.
    const ahead = new Date(clock() + minute * 1000)
    const isRecent = sql`a."LastTime" between ${new Date(clock() - within)} and ${ahead}`
    const [counted] = await db.rows(sql`
      insert into login_attempt as a ("Account", "Source", "Failures", "LastTime") values (lower(${Account}), ${Source}, 1, ${now})
      on conflict ("Account", "Source") do update set
        "Failures" = case when ${isRecent} then a."Failures" + 1 else 1 end,
        "LastTime" = ${now},
        "LockUntil" = case when ${isRecent} then
          ${now}::timestamptz + make_interval(secs => nullif((${waits}::int[])[least(a."Failures" + 1, ${waits.length}::int)], 0)) end
      where a."LockUntil" is null or a."LockUntil" <= ${now} or a."LastTime" > ${ahead} returning 1`)
    if (counted) return
    const [lock] = await db.rows<{ LockUntil: Date }>(
      sql`select "LockUntil" from login_attempt where "Account" = lower(${Account}) and "Source" = ${Source}`,
    )
    const until = lock?.LockUntil ? new Date(lock.LockUntil).getTime() : clock()
    if (recentLocks.size >= 10_000) recentLocks.clear()
    if (Account === '') recentLocks.set(Source, { until, readAt: clock() })
    refuse(until, Source)
  }

  const takeBack = (counters: readonly Counter[], isRight: boolean) =>
    db.tx(async (db) => {
      // A right password clears the account's own counter; the others count what strangers tried as well.
      for (const { Account, Source } of counters)
        await db.rows(
          isRight && Account && Source !== everywhere && Source !== everyPin
            ? sql`delete from login_attempt where "Account" = lower(${Account}) and "Source" = ${Source}`
            : sql`update login_attempt set "Failures" = greatest("Failures" - 1, 0), "LockUntil" = null where "Account" = lower(${Account}) and "Source" = ${Source}`,
        )
    })

  const sweep = async () => {
    if (clock() - sweptAt < minute * 1000) return
    sweptAt = clock()
    await db.rows(sql`delete from login_attempt where "LastTime" < ${new Date(clock() - hourMs)}`)
  }

  return {
    /**
     * Runs `isRight` and answers what it answers. Throws `tooManyTries` or `triedTooFast` instead while the account is locked for this
     * origin, also for the right password. A check that breaks counts as no attempt.
     */
    async judge(name: string, origin: Origin, isRight: () => Promise<boolean>): Promise<boolean> {
      const counters = countersOf(name, origin)
      refuseRecentlyLocked(counters)
      const { Account, Source } = counters.find(({ Account }) => Account !== '') ?? counters[0]!
      return queue(`${Source} ${Account.toLowerCase()}`, async () => {
        await sweep()
        // Count the address first and never refund it: an attempt refused because of the account uses up one of the address.
        await db.tx(async (db) => {
          for (const counter of counters) if (counter.Source !== everywhere) await count(db, counter)
        })
        for (const counter of counters) if (counter.Source === everywhere) await count(db, counter)
        const right = await isRight().catch(async (error) => {
          await takeBack(counters, false)
          throw error
        })
        if (right) await takeBack(counters, true)
        return right
      })
    },
  }
}
export type Attempts = ReturnType<typeof openAttempts>
