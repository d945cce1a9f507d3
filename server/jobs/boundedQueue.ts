import type { FaultKey } from '../../contract/faults.ts'
import { Fault } from '../http/faults.ts'

export type QueueLimits = {
  /** Jobs that run together. */
  concurrency: number
  /** Jobs that may wait. */
  backlog: number
  /** Jobs of one key, such as a tenant, that run together. */
  perKey?: number
  /** A job that waits longer is refused. */
  maxWaitMs?: number
  /** What a job is refused with when the backlog is full, or after `maxWaitMs`. */
  refusal?: FaultKey
}

/**
 * Runs at most `concurrency` jobs together. The others wait in order, and a full backlog refuses the next.
 * A job whose key runs `perKey` jobs already lets the jobs of other keys pass, and a key that runs fewer goes first.
 * Parts of a job that has begun are `admitted`: they wait, but are never refused.
 */
export const boundedQueue = ({ concurrency, backlog, perKey = concurrency, maxWaitMs, refusal = 'busy' }: QueueLimits) => {
  let running = 0
  const runningOf = new Map<number, number>()
  const waiting: { key: number; begin: () => void }[] = []
  const count = (key: number) => runningOf.get(key) ?? 0
  const mayRun = (key: number) => running < concurrency && count(key) < perKey
  const enter = (key: number) => {
    running++
    runningOf.set(key, count(key) + 1)
  }
  const leave = (key: number) => {
    running--
    const left = count(key) - 1
    if (left) runningOf.set(key, left)
    else runningOf.delete(key)
  }
  const wait = (key: number) =>
    new Promise<void>((begin, refuse) => {
      const waiter = { key, begin }
      waiting.push(waiter)
      if (maxWaitMs === undefined) return
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        refuse(new Fault(refusal))
      }, maxWaitMs)
      waiter.begin = () => {
        clearTimeout(timer)
        begin()
      }
    })
  return async <T>(job: () => Promise<T>, { admitted = false, key = 0 } = {}): Promise<T> => {
    if (mayRun(key)) enter(key)
    else if (!admitted && waiting.length >= backlog) throw new Fault(refusal)
    // A job that ends passes its place on.
    else await wait(key)
    try {
      return await job()
    } finally {
      leave(key)
      // Of equals the first that came.
      const [next] = waiting.filter(({ key }) => mayRun(key)).sort((a, b) => count(a.key) - count(b.key))
      if (next) {
        waiting.splice(waiting.indexOf(next), 1)
        enter(next.key)
        next.begin()
      }
    }
  }
}
