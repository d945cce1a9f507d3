import { useQuery } from '@tanstack/react-query'
import { telemetryCalls } from '../../contract/telemetry.ts'
import { invoke } from '../session/request.ts'
import { seriesIn } from './deltas.ts'
import { fit, type Range } from './ranges.ts'

/** Readings cannot be older (protocol). */
const oldest = Date.UTC(2000, 0, 1)
const steps = 100

/** Time of the first reading of these points in a range, ms; undefined without any. */
const firstIn = async (ParaIds: number[], Start: number, End: number, Buckets: number): Promise<number | undefined> => {
  const answer = await invoke(telemetryCalls.data, {
    body: { ParaIds, Start: Math.round(Start), End: Math.round(End), Buckets, Shape: 'deltas' },
  })
  const starts = seriesIn(answer).flatMap(({ Time }) => Time.slice(0, 1))
  return starts.length ? Math.min(...starts) : undefined
}

/** Start of collection, if it is inside the range and nothing is stored before it; otherwise null. */
const findSince = async (ids: number[], { start, end }: Range): Promise<number | null> => {
  const step = (end - start) / steps
  const coarse = await firstIn(ids, start, end, steps)
  if (coarse === undefined || coarse < start + 3 * step) return null
  if ((await firstIn(ids, oldest, start, 1)) !== undefined) return null
  return (await firstIn(ids, coarse - 1, Math.min(end, coarse + 2 * step), 10_000)) ?? null
}

/** The range without the time before the first reading of its points, and that time. `key` changes with the requested range. */
export const useSince = (ids: number[], range: Range, key: unknown, enabled = true) => {
  const { data } = useQuery({
    queryKey: [[], 'since', ids, key],
    queryFn: () => findSince(ids, range),
    enabled: enabled && ids.length > 0,
    staleTime: 300_000,
    meta: { quiet: true },
  })
  const since = enabled && data ? data : undefined
  return { since, fitted: since === undefined ? range : fit(range, since) }
}
