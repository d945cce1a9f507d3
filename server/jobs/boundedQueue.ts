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
/** A tenant, or what else takes turns. */
type Key = number | string
type Waiter = { key: Key; admitted: boolean; begin: () => void; refuse: () => void }

/**
 * Runs at most `concurrency` jobs at a time. Waiting jobs of a key keep their order.
 * A key runs at most `perKey` jobs at a time. The key with the fewest running jobs goes next; on a tie, the one
 * served least recently. A full backlog refuses the new job, or the newest job of a key with more jobs waiting.
 * Parts of a running job are `admitted`: they wait, but are never refused.
 */
export const boundedQueue = ({ concurrency, backlog, perKey = concurrency, maxWaitMs, refusal = 'busy' }: QueueLimits) => {
  let running = 0
  let served = 0
  const runningOf = new Map<Key, number>()
  const servedAt = new Map<Key, number>()
  const waiting: Waiter[] = []
  const count = (key: Key) => runningOf.get(key) ?? 0
  const mayRun = (key: Key) => running < concurrency && count(key) < perKey
  const remove = (waiter: Waiter) => void waiting.splice(waiting.indexOf(waiter), 1)
  const enter = (key: Key) => {
    running++
    runningOf.set(key, count(key) + 1)
    servedAt.set(key, ++served)
  }
  const leave = (key: Key) => {
    running--
    const left = count(key) - 1
    if (left) runningOf.set(key, left)
    else runningOf.delete(key)
    if (!left && !waiting.some((waiter) => waiter.key === key)) servedAt.delete(key)
  }
  const goesBefore = (one: Key, other: Key) => {
    const fewer = count(one) - count(other)
    return fewer ? fewer < 0 : (servedAt.get(one) ?? 0) < (servedAt.get(other) ?? 0)
  }
  const next = () => {
    let found: Waiter | undefined
    for (const waiter of waiting) if (mayRun(waiter.key) && (!found || goesBefore(waiter.key, found.key))) found = waiter
    return found
  }
  /** Whether the backlog accepts a job of a key, possibly by evicting a job of a key that uses more of it. */
  const makeRoom = (key: Key) => {
    if (waiting.length < backlog) return true
    const jobs = Map.groupBy(waiting, (waiter) => waiter.key)
    const [most = []] = [...jobs.values()].sort((a, b) => b.length - a.length)
    const newest = most.findLast((waiter) => !waiter.admitted)
    if (!newest || most.length <= (jobs.get(key)?.length ?? 0) + 1) return false
    newest.refuse()
    return true
  }
  const wait = (key: Key, admitted: boolean) =>
    new Promise<void>((begin, fail) => {
      const end = (how: () => void) => () => {
        clearTimeout(timer)
        remove(waiter)
        how()
      }
      const waiter: Waiter = { key, admitted, begin: end(begin), refuse: end(() => fail(new Fault(refusal))) }
      waiting.push(waiter)
      const timer = maxWaitMs === undefined ? undefined : setTimeout(waiter.refuse, maxWaitMs)
    })
  return async <T>(job: () => Promise<T>, { admitted = false, key = 0 }: { admitted?: boolean; key?: Key } = {}): Promise<T> => {
    if (mayRun(key)) enter(key)
    else if (!admitted && !makeRoom(key)) throw new Fault(refusal)
    // A job that ends passes its place on.
    else await wait(key, admitted)
    try {
      return await job()
    } finally {
      leave(key)
      const waiter = next()
      if (waiter) {
        enter(waiter.key)
        waiter.begin()
      }
    }
  }
}

/** Who waits: a person of a tenant. */
export type Waiting = { EnterpriseId: number; UserId: number }
/** Tenants take turns, and so do the people of each: a person runs one job at a time, whatever else of theirs waits. */
export const queueByPerson = (limits: QueueLimits) => {
  const ofTenant = boundedQueue(limits)
  const ofPerson = boundedQueue({ ...limits, concurrency: Number.POSITIVE_INFINITY, perKey: 1 })
  return <T>(job: () => Promise<T>, { EnterpriseId, UserId }: Waiting): Promise<T> =>
    ofPerson(() => ofTenant(job, { key: EnterpriseId }), { key: UserId })
}
