import { Cron } from 'croner'
import { cronerOptions, forCroner } from '../../contract/cron.ts'

/** The next times, epoch ms, at which an expression fires by the clock of a zone; fewer when it stops before. Throws RangeError for a faulty one. */
export const nextFires = (expression: string, timezone: string, from: number, count = 5): number[] =>
  new Cron(forCroner(expression), { ...cronerOptions, timezone, paused: true }).nextRuns(count, new Date(from)).map(Number)
