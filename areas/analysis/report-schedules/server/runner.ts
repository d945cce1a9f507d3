import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { languages } from '../../../../contract/languages.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { reportFormats } from '../../reports/contract.ts'
import { reportRun, reportSchedule, runStatus } from '../contract.ts'
import { housekeeping } from './housekeeping.ts'
import { type Claimed, makeRun } from './make.ts'
import { type Needs, OwnerLost } from './owner.ts'
import { addLastRun, type ByHand, planRuns } from './plan.ts'
import { fileOf } from './send.ts'

/** A process that has not ended a report for so long is taken for dead, ms. It takes two minutes at most. */
const leaseMs = 600_000
/** Reports that are made at the same time. */
const atOnce = 2
/** When a report is tried again that something else than its own content kept from being made, ms after each failure. */
export const retryMs = [5 * 60_000, 20 * 60_000]
/** How often what is due is planned while reports are made, ms. */
const planMs = 60_000

export type RunnerNeeds = Needs & { log: { warn: (fields: object, text: string) => void } }

type Parts = { name: string; drop: (id: number) => void; isStopping: () => boolean }
/** What becomes of a report that could not be made. */
const failing = ({ database, clock, log }: RunnerNeeds, { name, drop, isStopping }: Parts) => {
  const db = database.system
  const stopSchedule = async ({ ScheduleId, EnterpriseId, UserId }: Claimed, Reason: string) => {
    if (!ScheduleId) return
    const [row] = await db.rows<{ ScheduleName: string }>(
      sql`update report_schedule set "Status" = 0, "NextTime" = null, "Reason" = ${Reason} where "Id" = ${ScheduleId} and "Status" = 1 returning "ScheduleName"`,
    )
    if (!row) return
    db.emit({ resource: reportSchedule.name, id: ScheduleId, verb: 'update', EnterpriseId })
    // Who may stop and start schedules hears of it, and its owner.
    const made = { EnterpriseId, BizType: 11 as const, Wording: 'reportStopped', WordValues: { ScheduleName: row.ScheduleName } }
    const Source = `report/stopped/${ScheduleId}/${clock()}`
    await notify(db, { ...made, Source, Permission: `${reportSchedule.permission}.enable`, ...(UserId ? { UserIds: [UserId] } : {}) })
  }
  const failed = async (run: Claimed, error: unknown) => {
    if (isStopping()) {
      await db.rows(
        sql`update report_run set "Status" = 0, "LeaseBy" = null, "StartTime" = null where "Id" = ${run.Id} and "LeaseBy" = ${name}`,
      )
      return
    }
    drop(run.Id)
    const isLost = error instanceof OwnerLost
    const Reason = error instanceof Fault ? error.key : isLost ? error.message : 'exportFailed'
    if (!(error instanceof Fault) && !isLost) log.warn({ err: error, run: run.Id }, 'a report failed')
    const wait = !isLost && (!(error instanceof Fault) || error.key === 'unavailable') ? retryMs[run.Tries] : undefined
    const RetryTime = wait === undefined ? null : new Date(clock() + wait)
    await db.rows(sql`
      update report_run set "Status" = ${RetryTime ? runStatus.waiting : runStatus.failed}, "Reason" = ${Reason}, "RetryTime" = ${RetryTime}, "Tries" = "Tries" + 1,
        "LeaseBy" = null, "LeaseUntil" = null, "EndTime" = ${new Date(clock())}, "UpdateTime" = now() where "Id" = ${run.Id} and "LeaseBy" = ${name}`)
    db.emit({ resource: reportRun.name, id: run.Id, verb: 'update', EnterpriseId: run.EnterpriseId })
    if (isLost) await stopSchedule(run, Reason)
  }
  return failed
}

/** Files of reports, in each of their languages. */
const kept = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const pathOf = (id: number, format: string, language?: string) => join(folder, fileOf(id, format, language))
  const drop = (id: number) => {
    for (const format of reportFormats)
      for (const language of [undefined, ...languages]) rmSync(pathOf(id, format, language), { force: true })
  }
  return { pathOf, drop }
}

/** Worker lanes; each runs until the queue is empty. */
const openLanes = (makeWaiting: () => Promise<void>) => {
  const lanes = new Set<Promise<void>>()
  let [asked, active] = [0, 0]
  /** A lane that finds no work stops; the next request starts it again. */
  const lane = async () => {
    active++
    try {
      for (let seen = -1; seen !== asked; ) {
        seen = asked
        await makeWaiting()
      }
    } finally {
      active--
    }
  }
  return {
    /** Until nothing waits. A report that takes minutes leaves the other lane to the next. */
    work: async () => {
      asked++
      while (active < atOnce) {
        const one = lane().finally(() => lanes.delete(one))
        lanes.add(one)
      }
      await Promise.all(lanes)
    },
    idle: () => Promise.allSettled(lanes),
  }
}

/** Makes what waits. A report is leased before it is made: a process that dies leaves it to the next look. */
export const openReportRuns = (needs: RunnerNeeds) => {
  const { database, clock, folder, log } = needs
  const db = database.system
  const name = randomUUID()
  const stop = new AbortController()
  const emit = ({ Id, EnterpriseId }: { Id: number; EnterpriseId: number }) =>
    db.emit({ resource: reportRun.name, id: Id, verb: 'update', EnterpriseId })
  const { pathOf, drop } = kept(folder)

  /** When the last report of a company was begun, by a count. */
  const begunAt = new Map<number, number>()
  let begun = 0
  let plannedAt = Number.NEGATIVE_INFINITY
  const plan = async () => {
    plannedAt = clock()
    await planRuns(database, plannedAt)
  }
  /** The oldest of the company with the fewest reports under way; among such, of the one that has waited longest for its turn. */
  const claim = async () => {
    const now = clock()
    // Also while the reports of one company take hours.
    if (now - plannedAt >= planMs) await plan()
    const isWaiting = sql`(("Status" = 0 and ("RetryTime" is null or "RetryTime" <= ${new Date(now)})) or ("Status" = 1 and "LeaseUntil" <= ${new Date(now)}))`
    const companies = await db.rows<{ EnterpriseId: number; Running: number }>(sql`
      select "EnterpriseId", (count(*) filter (where "Status" = 1 and "LeaseUntil" > ${new Date(now)}))::int as "Running" from report_run
      where "Status" in (0, 1) group by 1 having bool_or(${isWaiting})`)
    const turn = (of: (typeof companies)[number]) => begunAt.get(of.EnterpriseId) ?? 0
    const [next] = companies.sort((a, b) => a.Running - b.Running || turn(a) - turn(b) || a.EnterpriseId - b.EnterpriseId)
    if (!next) return undefined
    begunAt.set(next.EnterpriseId, ++begun)
    const [run] = await db.rows<Claimed>(sql`
      update report_run set "Status" = 1, "LeaseBy" = ${name}, "LeaseUntil" = ${new Date(now + leaseMs)}, "StartTime" = ${new Date(now)}, "EndTime" = null where "Id" = (
        select "Id" from report_run where "EnterpriseId" = ${next.EnterpriseId} and ${isWaiting} order by "Id" limit 1 for update skip locked)
      returning "Id", "EnterpriseId", "ScheduleId", "UserId", "Format", "Language", "PeriodStart", "PeriodEnd", "Period", "ShiftName", "Version", "ByHand", "SendTo", "Content", "Tries"`)
    return run
  }
  const failed = failing(needs, { name, drop, isStopping: () => stop.signal.aborted })
  const counted = { made: 0, failed: 0 }
  const makeWaiting = async () => {
    while (!stop.signal.aborted) {
      const run = await claim()
      if (!run) return
      emit(run)
      await makeRun(needs, run, name, stop.signal).then(
        () => counted.made++,
        (error) => {
          counted.failed++
          return failed(run, error)
        },
      )
    }
  }
  const { work, idle } = openLanes(makeWaiting)

  const { markLate, prune, sweep } = housekeeping(needs, drop)
  let isSwept = false

  return {
    pathOf,
    drop,
    /** Everything that is due: the timer's work. Answers how many reports were made, and how many failed. */
    async tick() {
      Object.assign(counted, { made: 0, failed: 0 })
      if (!isSwept) await sweep()
      isSwept = true
      await plan()
      await work()
      await prune()
      await markLate()
      return { ...counted }
    },
    /** Begins to make what waits; the caller does not wait for it. */
    begin: () => void Promise.resolve(work()).catch((err) => log.warn({ err }, 'reports not made')),
    async runNow(schedule: number, of: ByHand = {}) {
      await db.tx((db) => addLastRun(db, schedule, clock(), of))
      this.begin()
    },
    async close() {
      stop.abort()
      await idle()
    },
  }
}
export type ReportRuns = ReturnType<typeof openReportRuns>
