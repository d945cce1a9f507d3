import { performance } from 'node:perf_hooks'
import { Fault } from '../http/faults.ts'

/** As long as a statement may take (connect.ts): whoever makes the call waits so long for the others as well. */
const patience = 30_000
type Line = { waiting: number; tail: Promise<unknown> }

/**
 * Those who would wait for one row's lock wait for their turn here, before they take a connection: a row that many people change at
 * once, or that somebody else holds, takes one connection and leaves the others to lists. Fault `unavailable` for whoever comes when
 * `most` are waiting already, or whose turn comes too late.
 */
export const openTurns = (most = 100) => {
  const lines = new Map<string, Line>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { waiting: 0, tail: Promise.resolve() }
    if (line.waiting >= most) throw new Fault('unavailable')
    lines.set(key, line)
    line.waiting++
    const from = performance.now()
    const mine = line.tail.then(() => {
      if (performance.now() - from > patience) throw new Fault('unavailable')
      return work()
    })
    line.tail = mine.catch(() => {})
    try {
      return await mine
    } finally {
      if (!--line.waiting) lines.delete(key)
    }
  }
}
