import { Fault } from '../../http/faults.ts'

/**
 * At most `atOnce` pieces of work run; others wait, in the order in which they came. One that may be refused is, with tooMany, when
 * `waiting` others wait already.
 */
export const openTurns = (atOnce: number, waiting: number) => {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>, { refusable = false } = {}): Promise<T> => {
    if (running < atOnce) running++
    else if (refusable && queue.length >= waiting) throw new Fault('tooMany')
    // Whoever is over hands its place on.
    else await new Promise<void>((begin) => queue.push(begin))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
