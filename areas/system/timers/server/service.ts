import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { leastSeconds, nextFire } from '../../../../server/jobs/cronTimes.ts'
import { setMany } from '../../../../server/resource/bulk.ts'
import { type Check, store, tenantOf } from '../../../../server/resource/store.ts'
import { standardTimers, type TimerMethod, timer, timerMethods } from '../contract.ts'

const r = timer
const rows = store(r)
type Planned = { Cron: string; Method: TimerMethod; Status?: number }

export const timersService = (clock: () => number) => {
  /** Next run in the tenant's time zone. Refuses a schedule that is too frequent for its method. */
  const next = async (db: Db, enterprise: number, { Cron, Method, Status = 1 }: Planned): Promise<Date | null> => {
    const [home] = await db.rows<{ Zone: string }>(sql`select "TimeZoneKey" as "Zone" from enterprise where "Id" = ${enterprise}`)
    const { least } = timerMethods[Method]
    if (leastSeconds(Cron, home!.Zone, clock()) < least)
      throw new FieldFaults([{ field: 'Cron', rule: 'tooOften', values: { minutes: Math.max(1, Math.ceil(least / 60)) } }])
    return Status === 1 ? (nextFire(Cron, home!.Zone, clock()) ?? null) : null
  }
  const check: Check = async (db, actor, given, held) => ({
    ...given,
    NextTime: await next(db, held?.EnterpriseId ?? (await tenantOf(db, actor, r, given)), { ...held, ...given } as never),
  })
  const set = (Status: 0 | 1) => (db: Db, actor: Actor, id: number) =>
    db.tx(async (db) => {
      const held = await rows.find(db, actor, id)
      await setMany(db, actor, r, [id], { Status, NextTime: await next(db, held.EnterpriseId, { ...(held as never as Planned), Status }) })
      return rows.find(db, actor, id)
    })
  return { check, enable: set(1), disable: set(0) }
}

/** Adds the standard timers at the first start. Returns whether it did. */
export const seedTimers = (database: Database, enterprise: number, clock: () => number): Promise<boolean> =>
  database.system.tx(async (db) => {
    const [home] = await db.rows<{ Zone: string }>(sql`select "TimeZoneKey" as "Zone" from enterprise where "Id" = ${enterprise}`)
    if (!home) return false
    const [first] = await db.rows(
      sql`insert into secret ("Name", "Value") values ('timers furnished', '\\x01') on conflict do nothing returning 1`,
    )
    if (!first) return false
    for (const [Method, { TimerName, Cron }] of Object.entries(standardTimers))
      await db.rows(sql`
        insert into timer ("EnterpriseId", "TimerName", "Method", "Cron", "NextTime")
        values (${enterprise}, ${TimerName}, ${Method}, ${Cron}, ${nextFire(Cron, home.Zone, clock()) ?? null}) on conflict do nothing`)
    return true
  })
