// Two weeks of points, side by side. Pure.
import type { ParaInfo, Series } from '../../../../../contract/telemetry.ts'

export type WeekOf = {
  point: ParaInfo
  /** Readings a day in the last seven days, and those of the last day. */
  perDay: number
  lastDay: number
  /** Means of the days of this week and of the one before, and how far the latter lie from each other. */
  now: number | null
  before: number | null
  spread: number | null
}
const dayMs = 86_400_000
/** Of a mean: what moved less is not worth a look. */
const leastShare = 0.01
const mean = (of: readonly number[]) => (of.length ? of.reduce((a, b) => a + b, 0) / of.length : null)

/** From readings by the day: seven days until `end`, and the seven before. */
export const weekOf = (point: ParaInfo, s: Series | undefined, end: number): WeekOf => {
  const [now, before]: [number[], number[]] = [[], []]
  let [readings, lastDay] = [0, 0]
  for (const [i, time] of (s?.Time ?? []).entries()) {
    const age = Math.floor((end - 1 - time) / dayMs)
    if (age < 0 || age > 13) continue
    const value = s!.Avg[i]
    if (age < 7) readings += s!.Count[i]!
    if (age === 0) lastDay += s!.Count[i]!
    if (typeof value === 'number') (age < 7 ? now : before).push(value)
  }
  const middle = mean(before)
  const spread = middle === null || before.length < 3 ? null : Math.sqrt(mean(before.map((value) => (value - middle) ** 2))!)
  return { point, perDay: readings / 7, lastDay, now: mean(now), before: middle, spread }
}

export const summaryOf = (weeks: readonly WeekOf[]) => {
  const heard = weeks.filter(({ lastDay }) => lastDay > 0)
  const byReadings = heard.toSorted((a, b) => b.perDay - a.perDay)
  return {
    heard: heard.length,
    silent: weeks.filter(({ lastDay }) => lastDay === 0),
    perDay: weeks.reduce((sum, { perDay }) => sum + perDay, 0),
    busiest: byReadings.slice(0, 10),
    quietest: byReadings.toReversed().slice(0, 10),
  }
}

/** Levels whose mean has moved by more than twice of what days of the week before differed; those first that have moved the furthest. */
export const mostChanged = (weeks: readonly WeekOf[]): WeekOf[] =>
  weeks
    .flatMap((week) => {
      const { now, before, spread, point } = week
      // A counter always rises; a state has no mean worth the name.
      if (now === null || before === null || spread === null || ![0, 4].includes(point.CalDataType)) return []
      const step = 10 ** -point.DecimalDigits
      const moved = Math.abs(now - before)
      return moved > step && moved > 2 * spread && moved > leastShare * Math.abs(before)
        ? [{ week, by: moved / Math.max(spread, step) }]
        : []
    })
    .sort((a, b) => b.by - a.by)
    .map(({ week }) => week)

/** Coverage by point where known: the mean, and the points below the threshold, lowest first. */
export const coverageOf = (weeks: readonly WeekOf[], known: ReadonlyMap<number, number>, percent: number) => {
  const shares = weeks.flatMap((week) => {
    const share = known.get(week.point.ParaId)
    return share === undefined ? [] : [{ week, share }]
  })
  const little = shares.filter(({ share }) => share < percent / 100)
  return {
    mean: mean(shares.map(({ share }) => share)),
    unknown: weeks.length - shares.length,
    little: little.sort((a, b) => a.share - b.share).map(({ week }) => week),
  }
}
