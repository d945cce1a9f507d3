import type { Connection } from './connection.ts'
import type { Limits } from './limits.ts'

type Needs = {
  limits: Pick<Limits, 'rechecksAtOnce' | 'recheckRestMs'>
  /** Looks at connections of one person. */
  check: (connections: readonly Connection[]) => Promise<unknown>
  failed: (err: unknown) => void
}

/**
 * A queue of people whose connections must be checked again. Each person is in it once, however often something changes: a check covers
 * all connections that became due before it. People take turns, and a person who was just checked rests first.
 */
export const createRechecks = ({ limits, check, failed }: Needs) => {
  const queue = new Map<number, Set<Connection>>()
  const running = new Set<number>()
  const resting = new Set<number>()
  let idle = Promise.withResolvers<void>()
  let done = 0

  const next = () => {
    if (!queue.size && !running.size) {
      idle.resolve()
      idle = Promise.withResolvers()
    }
    for (const [UserId, due] of queue) {
      if (running.size >= limits.rechecksAtOnce) return
      if (running.has(UserId) || resting.has(UserId)) continue
      queue.delete(UserId)
      void run(UserId, [...due])
    }
  }
  const run = async (UserId: number, due: readonly Connection[]) => {
    running.add(UserId)
    done++
    await check(due.filter(({ open }) => open)).catch(failed)
    running.delete(UserId)
    resting.add(UserId)
    setTimeout(() => {
      resting.delete(UserId)
      next()
    }, limits.recheckRestMs).unref()
    next()
  }

  return {
    /** Resolves when the queue is empty. */
    add(connections: Iterable<Connection>): Promise<void> {
      for (const connection of connections) {
        const { UserId } = connection.actor
        const due = queue.get(UserId)
        if (due) due.add(connection)
        else queue.set(UserId, new Set([connection]))
      }
      const over = idle.promise
      next()
      return over
    },
    remove(connection: Connection) {
      const { UserId } = connection.actor
      const due = queue.get(UserId)
      if (!due?.delete(connection) || due.size) return
      queue.delete(UserId)
      next()
    },
    stats: () => ({ done, waiting: queue.size }),
  }
}
