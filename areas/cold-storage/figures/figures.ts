// Figures of a room over a time, from corrected readings. A reading holds until the next one, but no longer than `holdMs`.
import { activationEnergy, excursionsOf, meanKinetic, type Reading } from '../excursions/excursions.ts'

export type Span = { start: number; end: number }
export type Judging = Span & { holdMs: number; low: number | null; high: number | null; energy?: number }
type Held = { value: number; from: number; to: number }

/** What is known of a point, as pieces of one value each within the span. */
export const piecesOf = (readings: readonly Reading[], { start, end, holdMs }: Span & { holdMs: number }): Held[] =>
  readings.flatMap(({ time, value }, i) => {
    const from = Math.max(time, start)
    const to = Math.min(readings[i + 1]?.time ?? Number.POSITIVE_INFINITY, time + holdMs, end)
    return value === null || to <= from ? [] : [{ value, from, to }]
  })

const thousandths = (value: number) => Math.round(value * 1000) / 1000
const none = { Min: null, MinTime: null, Max: null, MaxTime: null, Avg: null, Std: null, InBandPercent: null, KnownPercent: 0 }

export const pointFigures = (readings: readonly Reading[], judging: Judging) => {
  const { start, end, low, high, energy = activationEnergy } = judging
  const pieces = piecesOf(readings, judging)
  const excursions = excursionsOf(
    pieces.map(({ value, from }) => ({ time: from, value })),
    () => ({ low, high }),
    end,
  )
  const known = pieces.reduce((sum, { from, to }) => sum + to - from, 0)
  if (!known) return { ...none, OutsideMinutes: 0, LongestMinutes: 0, DegreeMinutes: 0, Mkt: null }
  let [sum, squares, outside, degreeMs] = [0, 0, 0, 0]
  let [min, max] = [pieces[0]!, pieces[0]!]
  for (const piece of pieces) {
    const { value, from, to } = piece
    sum += value * (to - from)
    const beyond = Math.max(0, high === null ? 0 : value - high, low === null ? 0 : low - value)
    if (beyond) outside += to - from
    degreeMs += beyond * (to - from)
    if (value < min.value) min = piece
    if (value > max.value) max = piece
  }
  const avg = sum / known
  for (const { value, from, to } of pieces) squares += (value - avg) ** 2 * (to - from)
  return {
    ...{
      Min: min.value,
      MinTime: min.from,
      Max: max.value,
      MaxTime: max.from,
      Avg: thousandths(avg),
      Std: thousandths(Math.sqrt(squares / known)),
    },
    InBandPercent: thousandths(100 - (100 * outside) / known),
    KnownPercent: thousandths((100 * known) / (end - start)),
    OutsideMinutes: thousandths(outside / 60_000),
    LongestMinutes: thousandths(Math.max(0, ...excursions.map((of) => of.end - of.begin)) / 60_000),
    DegreeMinutes: thousandths(degreeMs / 60_000),
    Mkt: thousandths(
      meanKinetic(
        pieces.map(({ value, from, to }) => ({ value, weight: to - from })),
        energy,
      )!,
    ),
  }
}

/** The mean over time of the difference between the warmest and the coldest point, where at least two are known. */
export const uniformityOf = (points: readonly (readonly Held[])[]): number | null => {
  const edges = [...new Set(points.flat().flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const at = points.map(() => 0)
  let [sum, time] = [0, 0]
  for (const [k, from] of edges.entries()) {
    const to = edges[k + 1]
    if (to === undefined) break
    let [low, high, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
    for (const [i, pieces] of points.entries()) {
      while (at[i]! < pieces.length && pieces[at[i]!]!.to <= from) at[i]!++
      const piece = pieces[at[i]!]
      if (!piece || piece.from > from) continue
      count++
      low = Math.min(low, piece.value)
      high = Math.max(high, piece.value)
    }
    if (count < 2) continue
    sum += (high - low) * (to - from)
    time += to - from
  }
  return time ? thousandths(sum / time) : null
}

/** What a two-valued point did: how often it went on, and for how long. */
export const switchedOf = (series: readonly (readonly Reading[])[], span: Span & { holdMs: number }) => {
  let [Count, total, longest, known] = [0, 0, 0, 0]
  for (const readings of series) {
    let running = 0
    let last: Held | undefined
    for (const piece of piecesOf(readings, span)) {
      known += piece.to - piece.from
      if (piece.value === 0) running = 0
      else {
        const goesOn = last !== undefined && last.value !== 0 && last.to === piece.from
        if (!goesOn) Count++
        running = (goesOn ? running : 0) + piece.to - piece.from
        total += piece.to - piece.from
        longest = Math.max(longest, running)
      }
      last = piece
    }
  }
  return { Count, TotalS: total / 1000, LongestS: longest / 1000, Percent: known ? thousandths((100 * total) / known) : null }
}
