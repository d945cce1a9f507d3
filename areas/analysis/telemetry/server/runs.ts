// Evaluates large numbers of runs without blocking the event loop.
import { pausing } from '../../../../server/jobs/ownTurn.ts'
import type { Run } from '../../../../server/telemetry/meaning/hold.ts'

/** The runs, with what is unknown between and around them. */
export function* withUnknown(runs: readonly Run[], start: number, end: number): Generator<Run> {
  let at = start
  for (const run of runs) {
    if (run.start > at) yield { start: at, end: run.start, value: null }
    yield run
    at = run.end
  }
  if (at < end) yield { start: at, end, value: null }
}

/** Runs between two looks at the clock. */
const runsTogether = 1000
/** Calls `take` with each run, yielding to the event loop in between. */
export const eachRun = async (runs: Iterable<Run>, take: (run: Run) => void) => {
  const pause = pausing()
  let count = 0
  for (const run of runs) {
    take(run)
    if (++count % runsTogether === 0) await pause()
  }
}

/** How many gaps there are, and the longest ones in the order of time. */
export const gapsOf = async (runs: Iterable<Run>) => {
  let [count, longest]: [number, Run[]] = [0, []]
  const prune = () => {
    longest = longest.sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, mostGaps)
  }
  await eachRun(runs, (run) => {
    if (run.value !== null) return
    count++
    if (longest.push(run) > 10 * mostGaps) prune()
  })
  prune()
  return { count, longest: longest.sort((a, b) => a.start - b.start) }
}

/** Gaps of a point that an answer shows. */
const mostGaps = 20
/** A value is flat that has not changed for so many times its longest rest before. */
const flatTimes = 3
const leastChanges = 3

/** Since when a value has not changed, where that is longer than usual. */
export const flatSince = (runs: readonly Run[], end: number): number | null => {
  let [changes, longest, last] = [0, 0, 0]
  for (let i = 1; i < runs.length; i++) {
    if (runs[i]!.value === runs[i - 1]!.value) continue
    if (changes++) longest = Math.max(longest, runs[i]!.start - last)
    last = runs[i]!.start
  }
  return changes >= leastChanges && end - last > flatTimes * longest ? last : null
}
