import { performance } from 'node:perf_hooks'
import { Fault } from '../http/faults.ts'

/** As long as a statement may take (connect.ts): whoever makes the call waits so long for the others as well. */
const patience = 30_000
/** One works, the next one stands at the row's lock already and has it with the other's commit, without a round trip of its own. */
const atOnce = 2
type Line = { inside: number; queue: (() => void)[] }

/**
 * Those who would wait for one row's lock wait for their turn here, before they take a connection: a row that many people change at
 * once, or that somebody else holds, takes two connections and leaves the others to lists. Fault `unavailable` for whoever comes when
 * `most` are there already, or whose turn comes too late.
 */
export const openTurns = (most = 100) => {
  const lines = new Map<string, Line>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { inside: 0, queue: [] }
    if (line.inside + line.queue.length >= most) throw new Fault('unavailable')
    lines.set(key, line)
    const from = performance.now()
    // Whoever leaves hands his place on.
    if (line.inside < atOnce) line.inside++
    else await new Promise<void>((enter) => line.queue.push(enter))
    try {
      if (performance.now() - from > patience) throw new Fault('unavailable')
      return await work()
    } finally {
      const next = line.queue.shift()
      if (next) next()
      else if (!--line.inside) lines.delete(key)
    }
  }
}
