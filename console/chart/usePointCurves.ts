import { useMemo } from 'react'
import { type ParaInfo, telemetryCalls } from '../../contract/telemetry.ts'
import { useCall } from '../kernel/api.ts'
import { assemble } from './assemble.ts'
import { seriesIn } from './deltas.ts'
import { bucketCount, type Range } from './ranges.ts'

export type Limits = Pick<ParaInfo, 'AlarmLow' | 'AlarmHigh'>

/** Data of a plot: points, optionally with different limits, and their lines; undefined until everything is loaded. */
export const usePointCurves = (ids: number[], { start, end }: Range, width: number, limitsOf: (id: number) => Limits | undefined) => {
  const info = useCall(telemetryCalls.allParaInfo, { query: { ParaIds: ids.join() }, of: ['point', 'device'], enabled: ids.length > 0 })
  const { data } = useCall(telemetryCalls.data, {
    body: { ParaIds: ids, Start: start, End: end, Buckets: bucketCount(width), Shape: 'deltas' },
    enabled: ids.length > 0,
  })
  return useMemo(() => {
    if (!info.data || !data) return
    const found = seriesIn(data).flatMap((series) => {
      const own = info.data.find((p) => p.ParaId === series.ParaId)
      return own ? [{ point: { ...own, ...limitsOf(own.ParaId) }, line: assemble(series, own, data.Step) }] : []
    })
    return found.length ? { points: found.map((f) => f.point), lines: found.map((f) => f.line) } : undefined
  }, [info.data, data, limitsOf])
}
