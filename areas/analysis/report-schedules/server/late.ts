// Readings that came after a report was made, and how far they move its figures.
import type { Language } from '../../../../contract/languages.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { prepareReport, type Reader, wholeFigures } from '../../reports/server/service.ts'
import type { LateFigure } from '../contract.ts'
import { type Needs, OwnerLost, ownerOf } from './owner.ts'

/** Readings of a point, and their plain mean: replaced readings change it alone. */
type Held = { rows: number; mean: number | null }
/** Reports of earlier versions have the number of readings alone. */
export type Counts = Record<string, Held | number>

/** Readings of each point in a range, stored ones alone. */
export const countReadings = async (
  { telemetry }: Pick<Reader, 'telemetry'>,
  ids: readonly number[],
  start: number,
  end: number,
): Promise<Record<string, Held>> => {
  const found = await telemetry.aside.buckets([...ids], start, end, { ms: end - start, origin: start })
  return Object.fromEntries(
    found.map(({ point, rows, count, avg }) => {
      const good = count.reduce((a, b) => a + b, 0)
      const sum = avg.reduce<number>((all, one, i) => all + (one ?? 0) * count[i]!, 0)
      return [point, { rows: rows.reduce((a, b) => a + b, 0), mean: good ? sum / good : null }]
    }),
  )
}

/** Roll-ups add up in another order than readings. */
const rounding = 1e-9
const isSame = (a: number | null, b: number | null) =>
  a === null || b === null ? a === b : Math.abs(a - b) <= rounding * Math.max(1, Math.abs(a), Math.abs(b))

/** Points of which more readings, or others, are there. Retention takes readings; these do not come. */
export const latePoints = (before: Counts, now: Record<string, Held>) =>
  Object.entries(now).flatMap(([id, held]) => {
    const was = before[id] ?? 0
    if (typeof was === 'number') return held.rows > was ? [Number(id)] : []
    return held.rows > was.rows || (held.rows === was.rows && !isSame(held.mean, was.mean)) ? [Number(id)] : []
  })

export type Figure = Awaited<ReturnType<typeof wholeFigures>>[number]
export const valuesOf = (figures: readonly Figure[]) => Object.fromEntries(figures.map(({ ParaId, Value }) => [ParaId, Value]))

type Marked = {
  UserId: number | null
  Language: Language
  PeriodStart: Date
  PeriodEnd: Date
  Figures: Record<string, number | null> | null
}
/** Figures that are kept with a mark. */
const mostFigures = 20
/** How far a figure moved, as a share of it; one that was not there moved furthest. */
const moved = ({ Before, After }: LateFigure) =>
  Before === null || After === null ? Number.POSITIVE_INFINITY : Math.abs(After - Before) / (Math.abs(Before) || 1)

/** Figures of late points, as they were in the file and as they are, those that moved furthest first. None where the owner may no longer see them. */
export const lateFigures = async (needs: Needs, run: Marked, ids: readonly number[]): Promise<LateFigure[]> => {
  const before = run.Figures ?? {}
  const ParaIds = ids.filter((id) => id in before)
  if (!ParaIds.length) return []
  try {
    const actor = await ownerOf(needs, run)
    const span = { start: run.PeriodStart.getTime(), end: run.PeriodEnd.getTime() }
    const figures = await wholeFigures(await prepareReport(needs, actor, { ParaIds, Language: run.Language, Period: 'range', span }))
    return figures
      .map(({ ParaId, Value, ...named }): LateFigure => ({ ...named, Before: before[ParaId] ?? null, After: Value }))
      .sort((a, b) => moved(b) - moved(a))
      .slice(0, mostFigures)
  } catch (error) {
    if (error instanceof OwnerLost || error instanceof Fault) return []
    throw error
  }
}
