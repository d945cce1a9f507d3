import type { FaultKey } from '../../contract/areas/faults.ts'
import { Fault } from '../http/faults.ts'

export type QueueLimits = {
  /** Jobs that run together. */
  concurrency: number
  /** Jobs that may wait. */
  backlog: number
  /** Jobs of one key, such as a tenant, that run together. */
  perKey?: number
  /** What a job is refused with when the backlog is full. */
  refusal?: FaultKey
}

/**
 * Runs at most `concurrency` jobs together. The others wait in the order in which they came, and a full backlog refuses the next.
 * A job whose key runs `perKey` jobs already lets the jobs of other keys pass.
 * Parts of a job that has begun are `admitted`: they wait, but are never refused.
 */
export const boundedQueue = ({ concurrency, backlog, perKey = concurrency, refusal = 'busy' }: QueueLimits) => {
  let running = 0
  const runningOf = new Map<number, number>()
  const waiting: { key: number; begin: () => void }[] = []
  const mayRun = (key: number) => running < concurrency && (runningOf.get(key) ?? 0) < perKey
  const enter = (key: number) => {
    running++
    runningOf.set(key, (runningOf.get(key) ?? 0) + 1)
  }
  const leave = (key: number) => {
    running--
    const left = runningOf.get(key)! - 1
    if (left) runningOf.set(key, left)
    else runningOf.delete(key)
  }
  return async <T>(job: () => Promise<T>, { admitted = false, key = 0 } = {}): Promise<T> => {
    if (mayRun(key)) enter(key)
    else if (!admitted && waiting.length >= backlog) throw new Fault(refusal)
    // A job that ends passes its place on.
    else await new Promise<void>((begin) => waiting.push({ key, begin }))
    try {
      return await job()
    } finally {
      leave(key)
      const at = waiting.findIndex((next) => mayRun(next.key))
      if (at >= 0) {
        const [next] = waiting.splice(at, 1)
        enter(next!.key)
        next!.begin()
      }
    }
  }
}
