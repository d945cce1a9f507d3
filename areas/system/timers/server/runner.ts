import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { firesBetween, nextFire } from '../../../../server/jobs/cronTimes.ts'
import { type TimerMethod, timer, timerLog, timerMethods } from '../contract.ts'

/** Result of a run: words at `timer.said.<Wording>`. */
export type Said = { Wording: string; WordValues?: Record<string, string | number> }
export type Methods = { [M in TimerMethod]: (given: { keep: number }) => Promise<Said> }
type Log = { warn: (fields: object, text: string) => void }

type Row = {
  Id: number
  EnterpriseId: number
  Method: TimerMethod
  Keep: number | null
  Cron: string
  MissPolicy: number
  NextTime: Date
  Zone: string
  Busy: boolean
}
type Running = { row: Row; log: number; started: number }

/** A time that is older counts as missed, ms: no server ran. Younger ones only run late. */
const graceMs = 60_000
/** Heartbeat timeout: a process that has not renewed its run counts as dead, ms. */
const leaseMs = 60_000
/** Maximum history entries per timer. */
const kept = 500

const instant = (ms: number) => new Date(ms)
const told = (db: Db, { Id: id, EnterpriseId }: Pick<Row, 'Id' | 'EnterpriseId'>) => {
  db.emit({ resource: timer.name, id, verb: 'update', EnterpriseId })
  db.emit({ resource: timerLog.name, id: 0, verb: 'update', EnterpriseId })
}

/** Writes the results of runs. `name`: name of this process. */
const timerHistory = (clock: () => number, name: string) => ({
  note: async (db: Db, row: Row, entry: { Result: number; ByHand?: number; Fires?: number } & Said) => {
    const [made] = await db.rows<{ Id: number }>(sql`
      insert into timer_log ("EnterpriseId", "TimerId", "StartTime", "Result", "ByHand", "Fires", "Wording", "WordValues", "Process")
      values (${row.EnterpriseId}, ${row.Id}, ${instant(clock())}, ${entry.Result}, ${entry.ByHand ?? 0}, ${entry.Fires ?? 1}, ${entry.Wording},
        ${entry.WordValues ? JSON.stringify(entry.WordValues) : null}::jsonb, ${name}) returning "Id"`)
    await db.rows(
      sql`delete from timer_log where "TimerId" = ${row.Id} and "Id" < (select "Id" from timer_log where "TimerId" = ${row.Id} order by "Id" desc offset ${kept} limit 1)`,
    )
    await db.rows(sql`update timer set "LastTime" = ${instant(clock())}, "LastResult" = ${entry.Result} where "Id" = ${row.Id}`)
    told(db, row)
    return made!.Id
  },
  finish: (db: Db, { row, log: entry, started }: Running, Result: number, { Wording, WordValues }: Said) =>
    db.tx(async (db) => {
      await db.rows(sql`
        update timer_log set "Result" = ${Result}, "DurationMs" = ${Math.max(0, Math.round(clock() - started))}, "Wording" = ${Wording},
          "WordValues" = ${WordValues ? JSON.stringify(WordValues) : null}::jsonb, "UpdateTime" = now() where "Id" = ${entry}`)
      await db.rows(
        sql`update timer set "LastResult" = ${Result}, "LeaseBy" = null, "LeaseUntil" = null where "Id" = ${row.Id} and "LeaseBy" = ${name}`,
      )
      told(db, row)
    }),
})

/** Fails runs whose process has died: their lease is not renewed. Runs before their timers are leased again. */
const reap = async (db: Db, clock: () => number) => {
  const lost = await db.rows<{ Id: number; TimerId: number; EnterpriseId: number }>(sql`
    update timer_log l set "Result" = 2, "Wording" = 'lost', "UpdateTime" = now() from timer t
    where l."Result" = 0 and t."Id" = l."TimerId" and coalesce(t."LeaseUntil" <= ${instant(clock())}, true)
      and l."StartTime" <= ${instant(clock() - leaseMs)} returning l."Id", l."TimerId", l."EnterpriseId"`)
  for (const { TimerId: Id, EnterpriseId } of lost) {
    await db.rows(sql`update timer set "LastResult" = 2 where "Id" = ${Id}`)
    told(db, { Id, EnterpriseId })
  }
}

/**
 * Runs due tasks. A process claims a time by advancing NextTime in the claim's transaction and skips rows locked by other
 * processes, so exactly one process runs it. If that process dies, the run counts as failed and is not repeated.
 */
export const startTimers = ({
  database,
  clock,
  log,
  methods,
  name = `${process.pid}`,
  everyMs = 500,
}: {
  database: Database
  clock: () => number
  log: Log
  methods: Methods
  /** Name of this process in the history. */
  name?: string
  everyMs?: number
}) => {
  const db = database.system
  const { note, finish } = timerHistory(clock, name)
  const underWay = new Map<number, Promise<void>>()

  const select = (where: ReturnType<typeof sql>) =>
    sql<Row>`select t."Id", t."EnterpriseId", t."Method", t."Keep", t."Cron", t."MissPolicy", t."NextTime",
      (select "TimeZoneKey" from enterprise e where e."Id" = t."EnterpriseId") as "Zone", coalesce(t."LeaseUntil" > ${instant(clock())}, false) as "Busy"
      from timer t where ${where}`
  const lease = (db: Db, id: number) =>
    db.rows(sql`update timer set "LeaseBy" = ${name}, "LeaseUntil" = ${instant(clock() + leaseMs)} where "Id" = ${id}`)

  const run = async (running: Running) => {
    const { row } = running
    const renewing = setInterval(() => void lease(db, row.Id).catch(() => {}), leaseMs / 3).unref()
    try {
      const method = timerMethods[row.Method]
      const standard = 'keep' in method ? method.keep.standard : 0
      const said = await methods[row.Method]({ keep: row.Keep ?? standard })
      await finish(db, running, 1, said)
    } catch (error) {
      log.warn({ err: error, timer: row.Id }, 'a timer failed')
      const said: Said =
        error instanceof Fault
          ? { Wording: `fault.${error.key}`, WordValues: error.values }
          : { Wording: 'failed', WordValues: { reason: String((error as Error).message).slice(0, 300) } }
      await finish(db, running, 2, said).catch(() => {})
    } finally {
      clearInterval(renewing)
      underWay.delete(row.Id)
    }
  }
  const begin = (running: Running) => underWay.set(running.row.Id, run(running))

  /** Claims one due timer: leases the run, logs missed times, and advances NextTime. */
  const claim = async (db: Db, row: Row): Promise<Running | undefined> => {
    const now = clock()
    const due = Number(row.NextTime)
    const late = now - due > graceMs
    const fires = firesBetween(row.Cron, row.Zone, due, now)
    await db.rows(sql`update timer set "NextTime" = ${nextFire(row.Cron, row.Zone, now) ?? null} where "Id" = ${row.Id}`)
    if (row.Busy) return void (await note(db, row, { Result: 3, Fires: fires, Wording: 'busy' }))
    if (late && row.MissPolicy === 0)
      return void (await note(db, row, { Result: 3, Fires: fires, Wording: 'missed', WordValues: { count: fires } }))
    if (late && fires > 1) await note(db, row, { Result: 3, Fires: fires - 1, Wording: 'missed', WordValues: { count: fires - 1 } })
    await lease(db, row.Id)
    return { row, started: now, log: await note(db, row, { Result: 0, Wording: late ? 'madeUp' : 'running' }) }
  }

  const tick = async () => {
    await reap(db, clock)
    const started = await db.tx(async (db) => {
      const due = await db.rows(
        select(sql`t."Status" = 1 and t."NextTime" <= ${instant(clock())} order by t."NextTime" limit 20 for update of t skip locked`),
      )
      const claimed: Running[] = []
      for (const row of due) {
        const running = await claim(db, row)
        if (running) claimed.push(running)
      }
      return claimed
    })
    for (const running of started) begin(running)
  }
  let ticking: Promise<void> | undefined
  const timing = setInterval(() => {
    ticking ??= tick()
      .catch((err) => log.warn({ err }, 'timers could not be looked at'))
      .finally(() => {
        ticking = undefined
      })
  }, everyMs).unref()

  return {
    tick,
    /** Runs a task now. Throws Fault timerBusy while it runs, here or in another process. */
    async runNow(id: number) {
      await reap(db, clock)
      const running = await db.tx(async (db) => {
        const [row] = await db.rows(select(sql`t."Id" = ${id} for update of t`))
        if (!row) throw new Fault('notFound')
        if (row.Busy) throw new Fault('timerBusy')
        await lease(db, id)
        return { row, started: clock(), log: await note(db, row, { Result: 0, ByHand: 1, Wording: 'running' }) }
      })
      begin(running)
    },
    /** Resolves when no task runs here. */
    idle: async () => {
      await Promise.all(underWay.values())
    },
    async close() {
      clearInterval(timing)
      await ticking
      await Promise.all(underWay.values())
    },
  }
}
export type Timers = ReturnType<typeof startTimers>
