import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { invoke } from '../../../../../console/session/request.ts'
import { type ParaInfo, telemetryCalls } from '../../../../../contract/telemetry.ts'
import { analysisCalls } from '../../../telemetry/contract.ts'
import { weekOf } from './weeks.ts'

const dayMs = 86_400_000
/** Points of one question, and questions of one screen. */
const [atOnce, mostPages] = [100, 10]

/** Two weeks of the first points by whole days until now, from roll-ups. */
export const useWeeks = (points: readonly ParaInfo[] | undefined, now: number) => {
  // Days of 24 hours until the full hour, so that an answer holds for an hour.
  const end = Math.floor(now / 3_600_000) * 3_600_000
  const pages = useMemo(
    () =>
      Array.from({ length: Math.min(mostPages, Math.ceil((points?.length ?? 0) / atOnce)) }, (_, i) =>
        points!.slice(i * atOnce, (i + 1) * atOnce),
      ),
    [points],
  )
  const answers = useQueries({
    queries: pages.map((page) => {
      const body = { ParaIds: page.map((p) => p.ParaId), Start: end - 14 * dayMs, End: end, Width: dayMs }
      return { queryKey: [['point'], 'weeks', body], queryFn: () => invoke(telemetryCalls.data, { body }), staleTime: 600_000 }
    }),
  })
  const isDone = answers.length > 0 && answers.every(({ data }) => data)
  const weeks = isDone
    ? pages.flatMap((page, i) =>
        page.map((p) =>
          weekOf(
            p,
            answers[i]!.data!.Series.find(({ ParaId }) => ParaId === p.ParaId),
            end,
          ),
        ),
      )
    : []
  return {
    weeks,
    error: answers.find(({ error }) => error)?.error ?? null,
    retry: () => Promise.all(answers.map(({ refetch }) => refetch())),
  }
}

/** A day is settled by so long after its end: of it, roll-ups tell everything. */
const settledMs = 3_600_000
/**
 * The share of the time with good readings in the last seven whole days (UTC), by point: days that are settled cost no single reading. Asked
 * page by page, after everything else. Points are missing whose roll-ups do not know it.
 */
export const useCoverage = (ids: readonly number[], now: number) => {
  const end = Math.floor((now - settledMs) / dayMs) * dayMs
  const ask = async () => {
    const known = new Map<number, number>()
    for (let i = 0; i < ids.length; i += atOnce) {
      const query = { ParaIds: ids.slice(i, i + atOnce).join(), Start: end - 7 * dayMs, End: end, Brief: 1 as const }
      for (const { ParaId, Rows } of (await invoke(analysisCalls.statistics, { query })).Points) {
        const share = Rows[0]?.Coverage
        if (typeof share === 'number') known.set(ParaId, share)
      }
    }
    return known
  }
  const answer = useQuery({ queryKey: [['point'], 'coverage', ids, end], queryFn: ask, enabled: ids.length > 0, staleTime: 600_000 })
  return { known: answer.data, error: answer.error, retry: answer.refetch, end }
}
