// Figures of a report. Its blocks ask for the same ones again and again: each is worked out once.
import type { Periods } from '../../../../server/telemetry/meaning/periods.ts'
import type { Meaning, Statistics, StatisticsOf } from '../../../../server/telemetry/meaning/statistics.ts'
import type { Query } from '../../../../server/telemetry/query.ts'

/** `moments`: also when something was, for how long it was out of its limits, and the longest time on. These take every single reading. */
type Needs = 'figures' | 'moments'
type Remembered = { needs: Needs; statistics: Statistics }

/** Parts in memory, of some 300 bytes each; further ones are worked out again. */
const mostParts = 50_000
/** Cached curve results: 400 buckets a point. */
const mostCurves = 8

export const rememberFigures = (statistics: Pick<StatisticsOf, 'of'>) => {
  const known = new Map<string, Map<number, Remembered>>()
  let parts = 0
  return async (meanings: readonly Meaning[], { edges }: Pick<Periods, 'edges'>, needs: Needs = 'figures'): Promise<Statistics[]> => {
    const key = edges.join()
    const of = known.get(key) ?? new Map<number, Remembered>()
    const isKnown = ({ id }: Meaning) => of.has(id) && (needs === 'figures' || of.get(id)!.needs === 'moments')
    const missing = meanings.filter((meaning) => !isKnown(meaning))
    const asked = missing.length ? await statistics.of(missing, { edges }, undefined, needs === 'figures') : []
    const found = new Map(asked.map((one) => [one.id, one]))
    const answer = meanings.map(({ id }) => found.get(id) ?? of.get(id)!.statistics)
    const more = asked.length * (edges.length - 1)
    if (parts + more > mostParts) return answer
    parts += more
    for (const one of asked) of.set(one.id, { needs, statistics: one })
    known.set(key, of)
    return answer
  }
}
export type FiguresOf = ReturnType<typeof rememberFigures>

/** The same for curves. */
export const rememberCurves = <T extends Pick<Query, 'series'>>(query: T): T => {
  const known = new Map<string, ReturnType<Query['series']>>()
  const series: Query['series'] = (asked) => {
    const key = JSON.stringify(asked)
    const answer = known.get(key) ?? query.series(asked)
    if (known.size < mostCurves) known.set(key, answer)
    return answer
  }
  return { ...query, series }
}
