import { Cron } from 'croner'
import { cronerOptions, forCroner } from '../../contract/cron.ts'

const by = (expression: string, timezone: string) => new Cron(forCroner(expression), { ...cronerOptions, timezone, paused: true })

/** The first time after a moment, or nothing when the expression has come to its end. */
export const nextFire = (expression: string, zone: string, after: number): Date | undefined =>
  by(expression, zone).nextRun(new Date(after)) ?? undefined

/** The times from a first one up to a moment, both included; at most a thousand. */
export const firesFrom = (expression: string, zone: string, first: number, until: number): number[] => {
  const cron = by(expression, zone)
  const times = [first]
  for (let at = cron.nextRun(new Date(first)); at && at.getTime() <= until && times.length < 1000; at = cron.nextRun(at))
    times.push(at.getTime())
  return times
}

/** How many times lie between a first one and a moment, both included; counted up to a thousand. */
export const firesBetween = (expression: string, zone: string, first: number, until: number): number =>
  firesFrom(expression, zone, first, until).length

/** The least seconds between two of the next times, looked at over enough of them to see the dense part of a day. */
export const leastSeconds = (expression: string, zone: string, from: number): number => {
  const times = by(expression, zone)
    .nextRuns(100, new Date(from))
    .map((at) => at.getTime())
  return times.slice(1).reduce((least, at, i) => Math.min(least, (at - times[i]!) / 1000), Number.POSITIVE_INFINITY)
}
