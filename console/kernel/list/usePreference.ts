import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { preferenceCalls, rowHeights } from '../../../contract/preferences.ts'
import { hub } from '../../live/hub.ts'
import { invoke } from '../../session/request.ts'
import { useUser } from '../../session/session.ts'
import type { Preference } from './arrange.ts'

const own = ['ownTable']

/** The person's preferences of a list. Changes are optimistic here and reach the person's other browsers through the hub. */
export const usePreference = (MenuEncoding: string) => {
  const client = useQueryClient()
  const me = useUser()?.Id
  const queryKey = [own, MenuEncoding]
  const { data, isPending } = useQuery({
    queryKey,
    queryFn: () => invoke(preferenceCalls.menuTable, { query: { MenuEncoding } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(
    () =>
      hub.on('Changed', ({ Resource, Id }) => {
        const mine = Resource === 'tablePreference' && (Id === me || Id === 0)
        // A running mutation invalidates the query itself when it ends.
        if (mine && !client.isMutating({ mutationKey: own })) void client.invalidateQueries({ queryKey: [own] })
      }),
    [client, me],
  )
  const none = useMemo((): Preference => ({ MenuEncoding, RowHeight: rowHeights.standard, Columns: [], Views: [] }), [MenuEncoding])
  const preference = data ?? none

  const { mutate } = useMutation({
    mutationKey: own,
    // Serialised: each mutation writes the whole list, so the order decides.
    scope: { id: `${own} ${MenuEncoding}` },
    mutationFn: ({ Columns, RowHeight, Views, reset }: Partial<Preference> & { reset?: boolean }) => {
      if (reset) return invoke(preferenceCalls.resetHeader, { body: { MenuEncoding } })
      if (Columns) return invoke(preferenceCalls.header, { body: { MenuEncoding, Columns } })
      if (RowHeight) return invoke(preferenceCalls.rowHeight, { body: { MenuEncoding, RowHeight } })
      return invoke(preferenceCalls.views, { body: { MenuEncoding, Views: Views ?? [] } })
    },
    onMutate: async ({ reset, ...part }) => {
      const next = reset ? { Columns: [], RowHeight: rowHeights.standard } : part
      const show = () => client.setQueryData<Preference>(queryKey, (now = none) => ({ ...now, ...next }))
      show()
      // A query that started earlier would restore the old value. Cancelling it reverts the cache, so set the value again.
      await client.cancelQueries({ queryKey })
      show()
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: own }) === 1) void client.invalidateQueries({ queryKey })
    },
  })
  return { preference, loading: isPending, change: mutate }
}
