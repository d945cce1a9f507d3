import type { Answer } from '../../../../contract/call.ts'
import { pausing } from '../../../../server/jobs/ownTurn.ts'
import type { Meaning, StatisticsOf } from '../../../../server/telemetry/meaning/statistics.ts'
import { allTimes, type Times } from '../../../../server/telemetry/store/heldTimes.ts'
import { type analysisCalls, type DistributionRow, mostReadingsHeld, quantileShares } from '../contract.ts'
import { engineOf, type Reader } from './analysis.ts'
import { type Asked, assertFits, type Divided, divided } from './divided.ts'
import { meaningsOf } from './meaning.ts'

const sumOf = (ms: Float64Array) => {
  let sum = 0
  for (const one of ms) sum += one
  return sum
}

/** The values that were not exceeded for these shares of the time. */
export const quantilesOf = ({ value, ms }: Times, shares: readonly number[]) => {
  const all = sumOf(ms)
  let [at, before] = [0, 0]
  return shares.map((share) => {
    while (at < value.length - 1 && before + ms[at]! < share * all) before += ms[at++]!
    return value[at]!
  })
}

/** Round steps that hold all values; a single value has one step. */
export const stepsOf = (low: number, high: number, wanted: number) => {
  if (low === high) return { low, width: 1, count: 1 }
  const rough = (high - low) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const width = Number(([1, 2, 2.5, 5, 10].find((n) => n * power >= rough * (1 - 1e-9)) ?? 10) * power)
  const first = Math.floor(low / width + 1e-9)
  const count = Math.floor(high / width + 1e-9) - first + 1
  return { low: Number((first * width).toPrecision(12)), width: Number(width.toPrecision(12)), count }
}

const binsOf = ({ value, ms }: Times, wanted: number) => {
  if (!value.length) return { Low: 0, Width: 1, Ms: [] }
  const { low, width, count } = stepsOf(value[0]!, value.at(-1)!, wanted)
  const Ms = Array.from({ length: count }, () => 0)
  for (const [i, one] of value.entries()) Ms[Math.min(count - 1, Math.max(0, Math.floor((one - low) / width + 1e-9)))]! += ms[i]!
  return { Low: low, Width: width, Ms }
}

/** The parts of a range. */
type Parts = Pick<Divided, 'nameOf' | 'partialOf'> & { periods: Pick<Divided['periods'], 'edges'> }
type Points = Answer<typeof analysisCalls.distribution>['Points']

/** For how long points were at which values, as a whole and in each part that has a name. @throws Fault for too many readings */
export const distributionOf = async (
  statistics: Pick<StatisticsOf, 'heldTimes' | 'since'>,
  meanings: readonly Meaning[],
  { periods: { edges }, nameOf, partialOf }: Parts,
  bins = 20,
) => {
  const points: Points = []
  for await (const { point: meaning, parts } of statistics.heldTimes(meanings, edges, mostReadingsHeld)) {
    const whole = await allTimes(parts)
    const Rows: DistributionRow[] = []
    const pause = pausing()
    for (const [i, times] of parts.entries()) {
      const part = { start: edges[i]!, end: edges[i + 1]! }
      const name = nameOf(part)
      if (!name) continue
      const box = times.value.length ? quantilesOf(times, [0, 0.25, 0.5, 0.75, 1]) : null
      Rows.push({ Start: part.start, End: part.end, ...name, Partial: partialOf(part), Box: box })
      await pause()
    }
    const since = statistics.since(meaning.id) ?? edges[0]!
    points.push({
      ...{ ParaId: meaning.id, HeldMs: sumOf(whole.ms) },
      ReadingsSince: since > edges[0]! ? since : null,
      Quantiles: whole.value.length ? quantilesOf(whole, quantileShares) : [],
      ...{ Bins: binsOf(whole, bins), Rows },
    })
  }
  return points
}

/** How values spread over time. */
export const readDistribution = async ({ db, actor, telemetry }: Reader, asked: Asked, bins?: number) => {
  assertFits(asked)
  const { zone, meanings, formulas } = await meaningsOf(db, actor, asked.ids)
  const now = telemetry.clock()
  const division = await divided(db, asked, zone, now)
  const Points = division ? await distributionOf(engineOf(telemetry, formulas).statistics, meanings, division, bins) : []
  return { Start: asked.Start, End: asked.End, TimeZone: zone, Points }
}
