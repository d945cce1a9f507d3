import { assemble, type Line } from '../../../../console/chart/assemble.ts'
import type { ParaInfo, SeriesAnswer } from '../../../../contract/telemetry.ts'

type Series = SeriesAnswer['Series'][number]
const percent = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : 100 * value))

/** States in buckets: the share of time on, as in the table beside the chart. */
const shareOn = (point: ParaInfo): ParaInfo => ({ ...point, ParaUnitName: '%', DecimalDigits: 1, AlarmLow: null, AlarmHigh: null })

/** What a counter counted, the share of the time on, and otherwise the mean over time with what lay below and above. */
const shownOf = (p: ParaInfo, s: Series): { point: ParaInfo; series: Series } => {
  const mean = s.Mean?.some((value) => value !== null) ? s.Mean : s.Avg
  if (p.CalDataType === 1 || p.CalDataType === 2) {
    const sums = s.Sum ?? s.Avg
    return { point: { ...p, AlarmLow: null, AlarmHigh: null }, series: { ...s, Avg: sums, Min: sums, Max: sums } }
  }
  // The mean of states other than 0 and 1 has no meaning.
  if (p.CalDataType === 3 && !s.Max.some((value) => value !== null && value > 1)) {
    const share = percent(mean)
    return { point: shareOn(p), series: { ...s, Avg: share, Min: share, Max: share } }
  }
  return { point: p, series: { ...s, Avg: mean } }
}

/** The points that have curves in an answer, and these. */
export const curvesOf = (answer: SeriesAnswer | undefined, points: readonly ParaInfo[], step: number) => {
  const series = new Map((answer?.Series ?? []).map((s) => [s.ParaId, s]))
  const [drawn, lines]: [ParaInfo[], Line[]] = [[], []]
  for (const p of points) {
    const s = series.get(p.ParaId)
    if (!s) continue
    const shown = s.Raw ? { point: p, series: s } : shownOf(p, s)
    drawn.push(shown.point)
    lines.push(assemble(shown.series, shown.point, step))
  }
  return { drawn, lines }
}
