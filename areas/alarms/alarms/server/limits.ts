// Limits of the point table, as watches of the engine.

import type { PointMeta } from '../../../../server/telemetry/sample.ts'
import type { Watch } from './alarming/condition.ts'

const width = (low?: number | null, high?: number | null) => (low != null && high != null && high > low ? high - low : null)
export const hasLimits = (meta: PointMeta) => meta.AlarmLow !== null || meta.AlarmHigh !== null
export const watchOf = (meta: PointMeta): Watch => ({
  point: meta.Id,
  low: meta.AlarmLow,
  high: meta.AlarmHigh,
  range: width(meta.ProjectLow, meta.ProjectHigh) ?? width(meta.AxisMin, meta.AxisMax),
  binary: meta.ParaDataType === 0,
})
