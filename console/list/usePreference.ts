import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preferenceCalls, rowHeights } from '../../contract/areas/preferences.ts'
import { hub } from '../live/hub.ts'
import { invoke } from '../session/request.ts'
import { useUser } from '../session/session.ts'
import type { Preference } from './arrange.ts'

/** How this person has arranged a list; a change is shown here at once and in his other browsers when it is told. */
export const usePreference = (MenuEncoding: string) => {
  const client = useQueryClient()
  const me = useUser()?.Id
  const queryKey = [['ownTable'], MenuEncoding]
  const { data, isPending } = useQuery({
    queryKey,
    queryFn: () => invoke(preferenceCalls.menuTable, { query: { MenuEncoding } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(
    () =>
      hub.on('Changed', ({ Resource, Id }) => {
        if (Resource === 'tablePreference' && (Id === me || Id === 0)) void client.invalidateQueries({ queryKey: [['ownTable']] })
      }),
    [client, me],
  )
  const preference: Preference = data ?? { MenuEncoding, RowHeight: rowHeights.standard, Columns: [], Views: [] }

  const { mutate } = useMutation({
    mutationFn: ({ Columns, RowHeight, Views, reset }: Partial<Preference> & { reset?: boolean }) => {
      if (reset) return invoke(preferenceCalls.resetHeader, { body: { MenuEncoding } })
      if (Columns) return invoke(preferenceCalls.header, { body: { MenuEncoding, Columns } })
      if (RowHeight) return invoke(preferenceCalls.rowHeight, { body: { MenuEncoding, RowHeight } })
      return invoke(preferenceCalls.views, { body: { MenuEncoding, Views: Views ?? [] } })
    },
    onMutate: ({ reset, ...part }) => {
      const next = reset ? { Columns: [], RowHeight: rowHeights.standard } : part
      client.setQueryData(queryKey, { ...preference, ...next })
    },
    onError: () => void client.invalidateQueries({ queryKey }),
  })
  return { preference, loading: isPending, change: mutate }
}
