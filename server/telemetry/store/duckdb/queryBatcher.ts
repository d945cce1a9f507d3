import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Buckets, day, type Step } from '../store.ts'
import { type Asked, grainsOf, known, readTogether, type Sources } from './buckets.ts'

/** A day of single readings of so many points, one a second, settles in the memory there is. */
const pointsAtOnce = 20
const rowsAtOnce = pointsAtOnce * 86_400
const mostAtOnce = 400
/** ms; after a look for many the next one waits twice as long as that took, but no longer than this. */
const longestRest = 250

type Group = { questions: Asked[]; points: number; answers: Promise<Buckets[][]> }

/**
 * Charts from the cheapest sources, exact to the reading. Queries that wait for a connection of DuckDB form a batch when their step and
 * whole grains are the same, and one look answers it: forty charts of a day cost little more than one. Under load the batcher pauses
 * between looks, so that batches grow and most of the processor is left to others. A single query never waits.
 */
export const queryBatcher = (sources: Sources) => {
  const waiting = new Map<string, Group>()
  /** Recent readings per point: decides how many points settle in memory. */
  let rowsPerPoint = rowsAtOnce / pointsAtOnce
  let restsUntil = 0

  const keyOf = (asked: Asked) => {
    const { grain, from, to } = grainsOf(asked)
    return JSON.stringify([asked.step, asked.few, grain ? [from, to] : [asked.start, asked.end].map((time) => Math.floor(time / day))])
  }
  const open = (key: string): Group => {
    const questions: Asked[] = []
    const look = async () => {
      const rest = restsUntil - performance.now()
      if (rest > 0) await sleep(rest)
      let began = 0
      const { answers, rows } = await sources.engine[sources.by ?? 'read'](
        (db, manifest) => readTogether(sources, questions, db, manifest),
        () => {
          began = performance.now()
          // An answer must contain everything committed before its question, so no question joins a snapshot taken earlier.
          if (waiting.get(key) === group) waiting.delete(key)
        },
      )
      if (rows) rowsPerPoint = Math.max(rows / group.points, rowsPerPoint / 2)
      if (questions.length > 1) restsUntil = performance.now() + Math.min(2 * (performance.now() - began), longestRest)
      return answers
    }
    const answers = look()
    const group: Group = { questions, points: 0, answers }
    waiting.set(key, group)
    // Refused before it started, so the next caller must not see that error.
    answers.catch(() => waiting.get(key) === group && waiting.delete(key))
    return group
  }
  const ask = async (asked: Asked): Promise<Buckets[]> => {
    const key = keyOf(asked)
    const room = Math.min(mostAtOnce, Math.max(pointsAtOnce, Math.floor(rowsAtOnce / rowsPerPoint)))
    const there = waiting.get(key)
    const group = there && there.points + asked.points.length <= room ? there : open(key)
    const place = group.questions.push(asked) - 1
    group.points += asked.points.length
    return (await group.answers)[place]!
  }

  return async (points: readonly number[], start: number, end: number, step: Step, few = 0): Promise<Buckets[]> => {
    const sorted = [...new Set(points)].sort((a, b) => a - b)
    // Buckets are aligned to fixed instants, not to the range, so that cached ones serve the next range, too.
    const even = 'ms' in step ? { ms: step.ms, origin: step.origin % step.ms } : step
    const answer: Buckets[] = []
    for (let i = 0; i < sorted.length; i += pointsAtOnce) {
      const asked = { points: sorted.slice(i, i + pointsAtOnce), start, end, step: even, few }
      answer.push(...(known(sources, asked) ?? (await ask(asked))))
    }
    return answer
  }
}
