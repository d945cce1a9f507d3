// Computes statistics of many points and periods in batches.
import { ownTurn } from '../../jobs/ownTurn.ts'
import { type Meaning, mostReadings, rowsOf, type Statistics, type StatisticsOf } from './statistics.ts'

/** Maximum parts per batch. A part takes about 300 bytes; a million would block the event loop for seconds. */
export const partsTogether = 5000
/** Of roll-ups more fit, and each question of the store opens every file of the range. */
const briefTogether = 10_000

type Engine = Pick<StatisticsOf, 'of' | 'days'>

/**
 * Statistics of points between edges, some points and periods at a time; each answer has the parts of one point in order. The whole
 * range decides whether single readings or roll-ups answer; `isBrief`: roll-ups, wherever they know. Parts before the first reading of all points may be left out.
 */
export async function* statisticsInPieces(
  statistics: Engine,
  points: readonly Meaning[],
  edges: readonly number[],
  isBrief = false,
): AsyncGenerator<Statistics> {
  const count = edges.length - 1
  const most = isBrief ? briefTogether : partsTogether
  if (points.length * count <= most) return yield* await statistics.of(points, { edges: [...edges] }, undefined, isBrief)
  const days = await statistics.days(
    points.map(({ id }) => id),
    edges[0]!,
    edges.at(-1)!,
  )
  const mostRead = rowsOf(days) > mostReadings ? -1 : Number.POSITIVE_INFINITY
  const together = Math.max(1, Math.floor(most / count))
  for (let i = 0; i < points.length; i += together) {
    const some = points.slice(i, i + together)
    const since = Math.min(...some.map(({ id }) => days.get(id)?.time[0] ?? Number.POSITIVE_INFINITY))
    for (let from = 0; from < count; from += most) {
      const of = edges.slice(from, from + most + 1)
      // A value from before the range may still hold at its start.
      if (from && of.at(-1)! <= since) continue
      yield* await statistics.of(some, { edges: of }, mostRead, isBrief)
      await ownTurn()
    }
  }
}
