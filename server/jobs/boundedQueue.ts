import type { FaultKey } from '../../contract/areas/faults.ts'
import { Fault } from '../http/faults.ts'

export type QueueLimits = {
  /** Jobs that run together. */
  concurrency: number
  /** Jobs that may wait. */
  backlog: number
  /** What a job is refused with when the backlog is full. */
  refusal?: FaultKey
}

/**
 * Runs at most `concurrency` jobs together. The others wait in the order in which they came, and a full backlog refuses the next.
 * Parts of a job that has begun are `admitted`: they wait, but are never refused.
 */
export const boundedQueue = ({ concurrency, backlog, refusal = 'busy' }: QueueLimits) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(job: () => Promise<T>, { admitted = false } = {}): Promise<T> => {
    if (running < concurrency) running++
    else if (!admitted && waiting.length >= backlog) throw new Fault(refusal)
    // A job that ends passes its place on.
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
