import { useMemo } from 'react'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import type { Answer } from '../../../../contract/call.ts'
import { type SeriesAnswer, telemetryCalls } from '../../../../contract/telemetry.ts'
import { seriesOfRows, shiftTitle } from '../../history/figure.ts'
import { analysisCalls } from '../../telemetry/contract.ts'

export const computedUnits = ['hour', 'minute', 'shift', 'day'] as const
export const units = ['hour', 'raw', 'minute', 'shift', 'day'] as const
/** In which they are offered. */
export const unitOrder = ['raw', 'minute', 'hour', 'shift', 'day'] as const
export type Unit = (typeof units)[number]
const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const calls = { raw: telemetryCalls.data, minute: telemetryCalls.minutes, hour: telemetryCalls.hours, day: telemetryCalls.days }
const { computedMinutes, computedHours, computedDays } = telemetryCalls
const ofTypes = { minute: computedMinutes, hour: computedHours, day: computedDays }
const columns = ['Min', 'Max', 'Avg', 'First', 'Last', 'Count', 'Mean', 'Coverage', 'Sum'] as const
const drawnBuckets = 1000

type Statistics = Answer<typeof analysisCalls.statistics>
/** Statistics by shift as series, so that charts and tables take both. */
const seriesOf = ({ Start, End, TimeZone, Points }: Statistics): SeriesAnswer => ({
  ...{ Start, End, TimeZone, Step: 0 },
  Series: Points.map(({ ParaId, Rows }) => seriesOfRows(ParaId, Rows)),
})

/** The longest of the shifts of an answer, ms: a line is drawn through the time between two that follow each other. */
const longestShift = ({ Points }: Statistics) => Math.max(0, ...Points.flatMap(({ Rows }) => Rows.map((row) => row.End - row.Start)))

/** Points over a range in single readings, units or shifts, with what names each shift. */
export const useBuckets = (ids: number[], range: Range, unit: Unit, computed = false) => {
  const asked = { Start: range.start, End: range.end }
  const named = unit === 'shift' ? 'hour' : unit
  const series = useCall(computed && named !== 'raw' ? ofTypes[named] : calls[named], {
    body: { ParaIds: ids, ...asked, ...(unit === 'raw' ? { Buckets: drawnBuckets } : { Columns: [...columns] }) },
    of: ['point'],
    enabled: ids.length > 0 && unit !== 'shift',
  })
  const shifts = useCall(analysisCalls.statistics, {
    query: { ParaIds: ids.join(), ...asked, By: 'shift' },
    of: ['shiftPlan', 'point'],
    enabled: ids.length > 0 && unit === 'shift',
  })
  const byShift = useMemo(() => {
    const rows = shifts.data?.Points.flatMap(({ Rows }) => Rows) ?? []
    return {
      data: shifts.data && seriesOf(shifts.data),
      step: shifts.data ? longestShift(shifts.data) : 0,
      labels: new Map(rows.map((row) => [row.Start, shiftTitle(row)])),
    }
  }, [shifts.data])
  if (unit === 'shift') return { answer: shifts, ...byShift }
  return { answer: series, data: series.data, step: unit === 'raw' ? (series.data?.Step ?? 0) : lengths[unit], labels: undefined }
}
