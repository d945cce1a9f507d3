import { useMemo } from 'react'
import { type ParaInfo, telemetryCalls } from '../../contract/telemetry.ts'
import { useCall } from '../kernel/api.ts'
import { assemble } from './assemble.ts'
import { seriesIn } from './deltas.ts'
import { bucketCount, type Range } from './ranges.ts'

export type Limits = Pick<ParaInfo, 'AlarmLow' | 'AlarmHigh'>

/** What a plot shows of one point: the point, with other limits than its own where they are given, and its line; nothing until both are there. */
export const usePointCurve = (id: number, { start, end }: Range, width: number, limits: Limits | undefined) => {
  const info = useCall(telemetryCalls.allParaInfo, { query: {}, of: ['point', 'device'] })
  const data = useCall(telemetryCalls.data, {
    body: { ParaIds: [id], Start: start, End: end, Buckets: bucketCount(width), Shape: 'deltas' },
  })
  const own = info.data?.find((p) => p.ParaId === id) as ParaInfo | undefined
  const { AlarmLow, AlarmHigh } = limits ?? own ?? { AlarmLow: null, AlarmHigh: null }
  return useMemo(() => {
    const series = data.data && seriesIn(data.data)
    if (!own || !data.data || !series?.length) return
    const point: ParaInfo = { ...own, AlarmLow, AlarmHigh }
    return { points: [point], lines: series.map((s) => assemble(s, point, data.data.Step)) }
  }, [own, AlarmLow, AlarmHigh, data.data])
}
