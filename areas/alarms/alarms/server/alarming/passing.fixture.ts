import type { Stored } from '../../../../../server/telemetry/sample.ts'

type Judging<E> = {
  passes(reading: Stored): boolean
  judge(readings: readonly Stored[]): E[]
  advance(count: number, to: number): void
}

/**
 * Feeds readings in batches of `cuts`: those without effect pass, the others are queued and evaluated once more than `patience` batches
 * are queued. Returns the events, and the number of passed readings.
 */
export const judgeBehind = <E>(engine: Judging<E>, samples: readonly Stored[], cuts: readonly number[], patience: number) => {
  const events: E[] = []
  let passed = 0
  let waiting: Stored[] = []
  const judge = () => {
    events.push(...engine.judge(waiting))
    engine.advance(waiting.length, 0)
    waiting = []
  }
  for (let rest = samples, i = 0; rest.length; rest = rest.slice(cuts[i++]!)) {
    const batch = rest.slice(0, cuts[i]!)
    const loud = batch.filter((reading) => !engine.passes(reading))
    passed += batch.length - loud.length
    waiting.push(...loud)
    if (cuts[i]! > patience) judge()
  }
  judge()
  return { events, passed }
}
