import type { Answer } from '../../../../contract/call.ts'
import { inSlices } from '../../../../server/jobs/ownTurn.ts'
import type { Run } from '../../../../server/telemetry/meaning/hold.ts'
import type { Meaning, StatisticsOf } from '../../../../server/telemetry/meaning/statistics.ts'
import { type analysisCalls, type DistributionRow, mostReadingsHeld, quantileShares } from '../contract.ts'
import { engineOf, type Reader } from './analysis.ts'
import { type Asked, assertFits, type Divided, divided } from './divided.ts'
import { meaningsOf } from './meaning.ts'
import { eachRun } from './runs.ts'

type Held = { value: number; ms: number }

/** For how long each value held, ascending. */
const heldOf = async (runs: readonly Run[], start: number, end: number): Promise<Held[]> => {
  const held = new Map<number, number>()
  await eachRun(runs, (run) => {
    const ms = Math.min(run.end, end) - Math.max(run.start, start)
    if (run.value !== null && ms > 0) held.set(run.value, (held.get(run.value) ?? 0) + ms)
  })
  // A million objects take a second to sort, a million numbers a tenth of it.
  const values = Float64Array.from(held.keys()).sort()
  const answer: Held[] = []
  await inSlices(values.length, (from, to) => {
    for (let i = from; i < to; i++) answer.push({ value: values[i]!, ms: held.get(values[i]!)! })
  })
  return answer
}

/** The values that were not exceeded for these shares of the time. */
export const quantilesOf = (held: readonly Held[], shares: readonly number[]) => {
  const all = held.reduce((sum, { ms }) => sum + ms, 0)
  let [at, before] = [0, 0]
  return shares.map((share) => {
    while (at < held.length - 1 && before + held[at]!.ms < share * all) before += held[at++]!.ms
    return held[at]!.value
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

const binsOf = (held: readonly Held[], wanted: number) => {
  const [first, last] = [held[0], held.at(-1)]
  if (!first || !last) return { Low: 0, Width: 1, Ms: [] }
  const { low, width, count } = stepsOf(first.value, last.value, wanted)
  const Ms = Array.from({ length: count }, () => 0)
  for (const { value, ms } of held) Ms[Math.min(count - 1, Math.max(0, Math.floor((value - low) / width + 1e-9)))]! += ms
  return { Low: low, Width: width, Ms }
}

/** Stretches sorted by time that touch a part; the next part begins where this one ended. */
const within = (runs: readonly Run[], start: number, end: number, from: number) => {
  let first = from
  while (first < runs.length && runs[first]!.end <= start) first++
  let last = first
  while (last < runs.length && runs[last]!.start < end) last++
  return { of: runs.slice(first, last), next: first }
}

/** The parts of a range. */
type Parts = Pick<Divided, 'nameOf' | 'partialOf'> & { periods: Pick<Divided['periods'], 'edges'> }
type Points = Answer<typeof analysisCalls.distribution>['Points']

/** For how long points were at which values, as a whole and in each part that has a name. @throws Fault for too many readings */
export const distributionOf = async (
  statistics: Pick<StatisticsOf, 'runs' | 'since'>,
  meanings: readonly Meaning[],
  { periods: { edges }, nameOf, partialOf }: Parts,
  bins = 20,
) => {
  const points: Points = []
  for await (const { point: meaning, parts, runs } of statistics.runs(meanings, edges, mostReadingsHeld)) {
    const whole = await heldOf(runs, edges[0]!, edges.at(-1)!)
    const Rows: DistributionRow[] = []
    let at = 0
    for (const part of parts) {
      const name = nameOf(part)
      const { of, next } = within(runs, part.start, part.end, at)
      at = next
      if (!name) continue
      const held = await heldOf(of, part.start, part.end)
      const box = held.length ? quantilesOf(held, [0, 0.25, 0.5, 0.75, 1]) : null
      Rows.push({ Start: part.start, End: part.end, ...name, Partial: partialOf(part), Box: box })
    }
    const since = statistics.since(meaning.id) ?? edges[0]!
    points.push({
      ...{ ParaId: meaning.id, HeldMs: whole.reduce((sum, { ms }) => sum + ms, 0) },
      ReadingsSince: since > edges[0]! ? since : null,
      Quantiles: whole.length ? quantilesOf(whole, quantileShares) : [],
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
