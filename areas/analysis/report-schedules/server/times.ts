// When a schedule is due: by the clock of its company, or at the end of each shift of a project.
import type { Db } from '../../../../server/database/db.ts'
import { firesFrom, nextFire } from '../../../../server/jobs/cronTimes.ts'
import { type Shift, shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { lastWhole } from '../../reports/server/service.ts'
import { shiftPlansIn } from '../../shifts/server/service.ts'

const dayMs = 86_400_000
/** Days in which the next shift is looked for; where there is none, it is looked for again a day later. */
const aheadDays = 31
/** How many days back a manual run looks for the last shift. */
const backDays = 366

type When = { Trigger: 'clock' | 'shift'; Cron: string; ProjectId: number | null; Zone: string }
/** Calendar unit, or a shift of the project. */
export type Unit = Parameters<typeof lastWhole>[0] | 'shift'
/** What a report is about, ms since 1970. */
export type Period = { start: number; end: number; unit: Unit; shift?: string }

const ending = async (db: Db, { ProjectId, Zone }: Pick<When, 'ProjectId' | 'Zone'>, from: number, until: number): Promise<Shift[]> => {
  const plans = ProjectId ? await shiftPlansIn(db, ProjectId) : []
  return shiftsIn(plans, from - 1, until + 1, Zone).filter(({ end }) => end >= from && end <= until)
}
const periodOf = ({ start, end, name }: Shift): Period => ({ start, end, unit: 'shift', shift: name })

/** The next time after a moment; undefined where there is none. */
export const nextTime = async (db: Db, when: When, after: number): Promise<Date | undefined> => {
  if (when.Trigger === 'clock') return nextFire(when.Cron, when.Zone, after)
  const [next] = await ending(db, when, after + 1, after + aheadDays * dayMs)
  return new Date(next?.end ?? after + dayMs)
}

type Last = Pick<When, 'ProjectId' | 'Zone'> & { Period: Unit }
/** The last completed period before a moment; undefined if no shift has ended yet. */
export const lastPeriod = async (db: Db, { Period: unit, ...when }: Last, at: number): Promise<Period | undefined> => {
  if (unit !== 'shift') return { ...lastWhole(unit, at, when.Zone), unit }
  const last = (await ending(db, when, at - backDays * dayMs, at)).at(-1)
  return last && periodOf(last)
}

/** Periods whose reports became due from a first moment up to another, both included, in order: the last `most`. */
export const periodsDue = async (db: Db, when: When & Last, [first, until]: [number, number], most: number): Promise<Period[]> => {
  if (when.Trigger === 'shift') return (await ending(db, when, first, until)).slice(-most).map(periodOf)
  const periods: Period[] = []
  for (const at of firesFrom(when.Cron, when.Zone, first, until).slice(-most)) {
    const period = await lastPeriod(db, when, at)
    if (period) periods.push(period)
  }
  return periods
}
