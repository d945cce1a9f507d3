import { performance } from 'node:perf_hooks'
import { Fault } from '../http/faults.ts'

/** As long as a statement may take (connect.ts): the last caller waits for the others as well. */
const longestWait = 30_000
/** One works, the next one waits at the row's lock already, and has it with the first one's commit without a round trip. */
const concurrency = 2
type Queue = { running: number; waiting: (() => void)[] }

/**
 * Queues work by its key before it takes a connection. So a row that many people change, or that somebody locks, takes two connections
 * and leaves the others to lists. Fault `unavailable` when the queue of a key is full, and after too long a wait.
 */
export const keyedQueue = (most = 100) => {
  const queues = new Map<string, Queue>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    if (queue.running + queue.waiting.length >= most) throw new Fault('unavailable')
    queues.set(key, queue)
    const from = performance.now()
    // Who ends hands the place to the next one.
    if (queue.running < concurrency) queue.running++
    else await new Promise<void>((start) => queue.waiting.push(start))
    try {
      if (performance.now() - from > longestWait) throw new Fault('unavailable')
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (!--queue.running) queues.delete(key)
    }
  }
}
