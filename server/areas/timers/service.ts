import { sql } from 'kysely'
import { standardTimers, type TimerMethod, timer, timerMethods } from '../../../contract/areas/timers.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import type { Database, Db } from '../../database/db.ts'
import { FieldFaults } from '../../http/faults.ts'
import type { Actor } from '../../identity/actor.ts'
import { record, store } from '../../resource/store.ts'
import { leastSeconds, nextFire } from './schedule.ts'

type Values = Record<string, unknown>
const r = timer as unknown as Resource
const rows = store(r)

export const timersService = (clock: () => number) => {
  /** Sets when it fires next, by the clock of its tenant. Refuses a schedule denser than its method bears. */
  const schedule = async (db: Db, id: number) => {
    const [row] = await db.rows<{ Cron: string; Method: TimerMethod; Status: number; Zone: string }>(sql`
      select t."Cron", t."Method", t."Status", e."TimeZoneKey" as "Zone" from timer t join enterprise e on e."Id" = t."EnterpriseId" where t."Id" = ${id}`)
    const { least } = timerMethods[row!.Method]
    if (leastSeconds(row!.Cron, row!.Zone, clock()) < least)
      throw new FieldFaults([{ field: 'Cron', rule: 'tooOften', values: { minutes: Math.max(1, Math.ceil(least / 60)) } }])
    const next = row!.Status === 1 ? (nextFire(row!.Cron, row!.Zone, clock()) ?? null) : null
    await db.rows(sql`update timer set "NextTime" = ${next} where "Id" = ${id}`)
  }
  const write = (db: Db, actor: Actor, made: (db: Db) => Promise<{ Id: number }>) =>
    db.tx(async (db) => {
      const { Id } = await made(db)
      await schedule(db, Id)
      return rows.find(db, actor, Id)
    })
  const set = (Status: 0 | 1) => (db: Db, actor: Actor, id: number) =>
    write(db, actor, async (db) => {
      const before = await rows.find(db, actor, id)
      await db.rows(sql`update timer set "Status" = ${Status}, "UpdateTime" = now() where "Id" = ${id}`)
      const after = await rows.find(db, actor, id)
      await record(db, actor, r, 'update', id, before.EnterpriseId, before, after)
      return after
    })
  return {
    create: (db: Db, actor: Actor, draft: Values) => write(db, actor, (db) => rows.create(db, actor, draft)),
    update: (db: Db, actor: Actor, change: Values & { Id: number }) => write(db, actor, (db) => rows.update(db, actor, change.Id, change)),
    enable: set(1),
    disable: set(0),
    find: rows.find,
  }
}

/** Gives an installation its standard timers at its first start. Answers whether it did. */
export const furnishTimers = (database: Database, enterprise: number, clock: () => number): Promise<boolean> =>
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
