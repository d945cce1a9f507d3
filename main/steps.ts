import type { Logger } from 'pino'

/** A start above this limit is logged as a warning with the time of each step. ms. */
const longMs = 5000

/** Times the steps of a start: `over` ends a step and begins the next; `waited` ends a wait, which is no step. `now`: monotonic clock, ms. */
export const timeSteps = (log: Pick<Logger, 'info' | 'warn'>, now: () => number, onStep: (step: string) => void = () => undefined) => {
  const began = now()
  const took: Record<string, number> = {}
  let from = began
  let wait = 0
  return {
    over: (step: string) => {
      const at = now()
      took[step] = Math.round(at - from)
      from = at
      onStep(step)
    },
    waited: () => {
      const at = now()
      wait += at - from
      from = at
    },
    /** Ends all steps. The first start creates everything, so it prints no warnings. */
    tell: (isFirst: boolean) => {
      const all = Math.round(from - began - wait)
      if (all > longMs && !isFirst) log.warn({ ms: all, took }, 'the start took long')
      else log.info({ ms: all, took }, 'started')
    },
  }
}
