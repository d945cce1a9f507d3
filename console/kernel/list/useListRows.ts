import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { refreshMs, rowsQuery } from '../api.ts'
import { toQuery } from './listState.ts'
import type { Arrangement } from './useArrangement.ts'

/**
 * Queries the rows of a list. Prefetches them by the address while the arrangement loads.
 * They show when it has loaded, unless a default view then changes the query.
 */
export const useListRows = <R extends Resource>(r: R, { state, fixed, loading, waits, columns }: Arrangement) => {
  const client = useQueryClient()
  const rows = useMemo(() => rowsQuery(r, toQuery(r, state, fixed)), [r, state, fixed])
  useEffect(() => {
    if (loading) void client.prefetchQuery(rows)
  }, [client, loading, rows])
  // A disabled query of its own, so that prefetched rows do not show before those of a default view.
  const refetchInterval = refreshMs(
    r,
    columns.map((c) => c.Field),
  )
  return useQuery({ ...rows, refetchInterval, ...(waits ? { queryKey: [[r.name], 'waits'], enabled: false } : {}) })
}
