import { Cron } from 'croner'
import { cronerOptions, forCroner } from '../../contract/cron.ts'

/** The next times of an expression in a time zone, epoch ms; fewer if it ends before. Throws RangeError for an invalid one. */
export const nextFires = (expression: string, timezone: string, from: number, count = 5): number[] =>
  new Cron(forCroner(expression), { ...cronerOptions, timezone, paused: true }).nextRuns(count, new Date(from)).map(Number)
