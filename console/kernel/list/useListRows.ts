import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { rowsQuery } from '../api.ts'
import { toQuery } from './listState.ts'
import type { Arrangement } from './useArrangement.ts'

/**
 * The rows of a list as its person arranged it. What its address says is asked for together with the arrangement, and shown when that
 * has come; only where a default view says otherwise, other rows are asked for then.
 */
export const useListRows = <R extends Resource>(r: R, { state, fixed, loading, waits }: Arrangement) => {
  const client = useQueryClient()
  const rows = useMemo(() => rowsQuery(r, toQuery(r, state, fixed)), [r, state, fixed])
  useEffect(() => {
    if (loading) void client.prefetchQuery(rows)
  }, [client, loading, rows])
  // While it waits, under a key of its own: rows that have come meanwhile are not shown before those of a default view.
  return useQuery({ ...rows, ...(waits ? { queryKey: [[r.name], 'waits'], enabled: false } : {}) })
}
