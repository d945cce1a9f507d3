import { useMemo } from 'react'
import type { Range } from '../../../../../console/chart/ranges.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { type ChartKind, type ChartUnit, isDivided } from '../../../charts/contract.ts'
import { analysisCalls, mostSpread } from '../../../telemetry/contract.ts'
import { builtOfDistribution, builtOfStatistics } from './built.ts'

export const isSpread = (kind: ChartKind) => kind === 'histogram' || kind === 'duration' || kind === 'box'

/** The charts of a kind that these points come to. `since`: start of the readings that are still kept, where that is within the range. */
export const useCharts = (all: readonly ParaInfo[], range: Range, kind: ChartKind, unit: ChartUnit) => {
  const t = useWords()
  const locale = language()
  // A counter reading is not a consumption.
  const points = useMemo(() => (isSpread(kind) ? all.filter((p) => p.CalDataType !== 1) : all), [all, kind])
  const ids = points.map((p) => p.ParaId)
  const asked = { Start: range.start, End: range.end }
  const spread = isSpread(kind)
  const divided = isDivided(kind) ? unit : 'none'
  const By = kind === 'heat' ? 'weekday-hour' : kind === 'calendar' ? 'day' : divided
  // Types of points and answers to meter events change what is counted.
  const of = By === 'shift' ? ['point', 'shiftPlan'] : ['point']
  const statistics = useCall(analysisCalls.statistics, {
    query: { ParaIds: ids.join(), ...asked, By },
    of,
    enabled: ids.length > 0 && !spread,
  })
  const distribution = useCall(analysisCalls.distribution, {
    body: { ParaIds: ids.slice(0, mostSpread), ...asked, By: divided },
    of,
    enabled: ids.length > 0 && spread,
  })
  // While another question is under way, the last answer may be to one of another kind.
  const figures = statistics.data?.By === By ? statistics.data : undefined
  const charts = useMemo(() => {
    if (spread) return distribution.data ? builtOfDistribution(kind, points, distribution.data, unit, t) : []
    return figures ? builtOfStatistics(kind, points, figures, unit, t, locale) : []
  }, [spread, kind, points, unit, distribution.data, figures, t, locale])
  const none = { data: points.length === 0 && all.length > 0 ? true : undefined, error: null, refetch: () => undefined }
  if (none.data) return { answer: none, charts: [], since: 0 }
  const since = spread ? Math.max(0, ...(distribution.data?.Points ?? []).map((p) => p.ReadingsSince ?? 0)) : 0
  return { answer: spread ? distribution : { ...statistics, data: figures }, charts, since }
}
