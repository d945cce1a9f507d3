import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import type { Page } from '../../../../contract/call.ts'
import { type NoticeTab, noticeCalls, noticeLimits, noticeTabs } from '../contract.ts'
import { asRead, moved, type Notice, useNotices } from './notices.ts'
import { ownChange } from './useNoticePoll.ts'

type Loaded = InfiniteData<Page<Notice>, number>
type Edit = (items: Notice[]) => Notice[]

/** All loaded items of a list, without duplicates: new notices push older ones to the next page, where they appear again. */
const itemsOf = (data: Loaded | undefined) => [...new Map(data?.pages.flatMap((p) => p.Items.map((n) => [n.Id, n] as const))).values()]

/** The loaded notices of a tab, and the actions on them. */
export const useNoticeList = (tab: NoticeTab, { search = '', unreadOnly = false, enabled = true } = {}) => {
  const client = useQueryClient()
  const queryKey = [['notice'], 'own', tab, search, unreadOnly]
  const query = useInfiniteQuery<Page<Notice>, Fault, Loaded, typeof queryKey, number>({
    queryKey,
    queryFn: ({ pageParam }) =>
      invoke(noticeCalls.postedList, {
        body: {
          PageIndex: pageParam,
          PageSize: noticeLimits.page,
          OrderColumn: 'CreateTime',
          OrderType: 'descending',
          BizTypeList: noticeTabs[tab].types,
          ...(search ? { Search: search } : {}),
          ...(unreadOnly ? { ReadStatus: 1 } : {}),
        },
      }) as Promise<Page<Notice>>,
    initialPageParam: 1,
    getNextPageParam: (last) => (last.HasNextPages ? last.PageIndex + 1 : undefined),
    enabled,
  })
  const edit = (change: Edit) =>
    client.setQueryData<Loaded>(queryKey, (old) => {
      if (!old) return old
      const Items = change(itemsOf(old))
      return { ...old, pages: old.pages.map((p, i) => ({ ...p, Items: i ? [] : Items })) }
    })
  const ask = () => client.invalidateQueries({ queryKey })
  /** Optimistic updates that the server has not confirmed yet. They are applied to each list response. */
  const [pending, setPending] = useState<readonly Edit[]>([])
  const shown = async (change: Edit, tell: () => Promise<unknown>) => {
    ownChange()
    setPending((now) => [...now, change])
    const isHeard = await tell().then(
      () => true,
      () => false,
    )
    // A running query may return older data.
    const isLate = client.isFetching({ queryKey }) > 0
    await client.cancelQueries({ queryKey })
    if (isHeard) edit(change)
    setPending((now) => now.filter((one) => one !== change))
    if (isLate || !isHeard) await ask()
  }
  return {
    ...query,
    items: pending.reduce((items, change) => change(items), itemsOf(query.data)),
    total: query.data?.pages.at(-1)?.TotalCount,
    async open({ Id, BizType, ReadStatus }: Notice) {
      if (ReadStatus === 2) return
      await shown(
        (items) => asRead(items, Id),
        () => invoke(noticeCalls.read, { body: { BizTypeList: [BizType], MsgIds: [Id], OPType: 1 } }),
      )
      useNotices.getState().refresh()
    },
    async pin({ Id, IsFirstPage }: Notice) {
      const value = IsFirstPage === 1 ? 0 : 1
      await shown(
        (items) => moved(items, Id, value),
        () => invoke(noticeCalls.pin, { body: { Id, IsFirstPage: value } }),
      )
    },
    async readAll() {
      ownChange()
      await invoke(noticeCalls.read, { body: { BizTypeList: [...noticeTabs[tab].types], OPType: 1 } }).catch(ask)
      await client.invalidateQueries({ queryKey: [['notice'], 'own'] })
      useNotices.getState().refresh()
    },
  }
}
