import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Answer } from '../../contract/call.ts'
import { type ParaInfo, telemetryCalls } from '../../contract/telemetry.ts'
import { type Latest, latestOf, listen, watchPoints } from '../live/points.ts'
import { type Fault, invoke } from '../session/request.ts'
import { useSettled } from '../theme/useSettled.ts'
import { assemble, type Line } from './assemble.ts'
import { seriesIn } from './deltas.ts'
import { bucketCount, type Range } from './ranges.ts'

/** Maximum live readings appended to the stored ones before a refetch. */
const longestTail = 2000

/** Live readings since the screen was opened, by point. */
const useTail = (points: readonly ParaInfo[], live: boolean) => {
  const tail = useRef(new Map<number, Latest[]>())
  const [grown, setGrown] = useState(0)
  // Formula points are computed on demand and have no live updates.
  const ids = points
    .filter((p) => p.DeviceId > 0)
    .map((p) => p.ParaId)
    .join(',')
  useEffect(() => {
    tail.current = new Map()
    if (!live || !ids) return
    const list = ids.split(',').map(Number)
    const hear = (id: number) => () => {
      const reading = latestOf(id)
      const kept = tail.current.get(id) ?? []
      if (!reading || reading.Time <= (kept.at(-1)?.Time ?? 0)) return
      tail.current.set(id, [...kept.slice(1 - longestTail), reading])
      setGrown((n) => n + 1)
    }
    const off = [watchPoints(list), ...list.map((id) => listen(id, hear(id)))]
    return () => {
      for (const stop of off) stop()
    }
  }, [ids, live])
  return [tail, grown] as const
}

/** Start times of other ranges to compare with. */
export type Earlier = { key: string; startsOf: (range: Range) => number[] }
const alone: Earlier = { key: '', startsOf: () => [] }

/** Lines of earlier ranges, shifted onto this one. */
const overlaid = (data: Answer<typeof telemetryCalls.data>, points: readonly ParaInfo[], buckets: number): Line[][] =>
  (data.Compared ?? []).map((of) => {
    const shift = data.Start - of.Start
    const step = of.Step || (of.End - of.Start) / buckets
    const found = new Map(seriesIn(of).map((s) => [s.ParaId, s]))
    return points.flatMap((p) => {
      const s = found.get(p.ParaId)
      if (!s) return []
      const line = assemble(s, p, step)
      return [{ ...line, Time: line.Time.map((at) => at + shift) }]
    })
  })

/** Stored data of a range, in plot resolution; for a live range, followed by live readings. */
export const useTrend = (points: readonly ParaInfo[], range: Range, live: boolean, width: number, earlier: Earlier = alone) => {
  const buckets = bucketCount(width)
  const [tail, grown] = useTail(points, live)
  const exact = range.end - range.start
  // A live range is refetched when the newest bucket is complete, at the earliest after ten seconds; a growing range in steps.
  const every = Math.min(320_000, 10_000 * 2 ** Math.max(0, Math.round(Math.log2(((exact / buckets) * 4) / 10_000))))
  const span = live ? Math.ceil(exact / every) * every : exact
  const anchor = live ? Math.floor(range.end / every) * every : range.end
  const asked = useSettled(`${anchor - span},${anchor}`, 120, true)
  const [start = 0, end = 0] = asked.split(',').map(Number)
  const ids = points.map((p) => p.ParaId)
  const query = useQuery<Answer<typeof telemetryCalls.data>, Fault>({
    queryKey: [[], 'trend', ids, asked, buckets, live, earlier.key],
    queryFn: () => {
      const [Start, End] = [Math.round(start), Math.round(live ? end + every : end)]
      const starts = earlier.startsOf({ start: Start, end: End })
      return invoke(telemetryCalls.data, {
        body: { ParaIds: ids, Start, End, Buckets: buckets, Shape: 'deltas', ...(starts.length ? { Compare: starts } : {}) },
      })
    },
    enabled: ids.length > 0 && width > 0,
    placeholderData: keepPreviousData,
    staleTime: live ? 0 : 60_000,
  })
  const { data } = query
  const lines = useMemo((): Line[] => {
    if (!data || grown < 0) return []
    const step = data.Step || (data.End - data.Start) / buckets
    const found = new Map(seriesIn(data).map((s) => [s.ParaId, s]))
    return points.flatMap((p) => {
      const s = found.get(p.ParaId)
      return s ? [assemble(s, p, step, tail.current.get(p.ParaId))] : []
    })
  }, [data, grown, points, buckets, tail])
  const compared = useMemo(() => (data ? overlaid(data, points, buckets) : []), [data, points, buckets])
  return { lines, compared, drawn: points.filter((p) => lines.some((l) => l.ParaId === p.ParaId)), query }
}
