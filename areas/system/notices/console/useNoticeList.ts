import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import type { Page } from '../../../../contract/call.ts'
import { type NoticeTab, noticeCalls, noticeLimits, noticeTabs } from '../contract.ts'
import { asRead, moved, type Notice, useNotices } from './notices.ts'
import { ownChange } from './useNoticePoll.ts'

type Loaded = InfiniteData<Page<Notice>, number>

/** Everything loaded of a list, on its first page; new notices push older ones to the next page, where they appear again. */
const itemsOf = (data: Loaded | undefined) => [...new Map(data?.pages.flatMap((p) => p.Items.map((n) => [n.Id, n] as const))).values()]

/** One tab's notices as far as they were asked for, and what can be done with one. */
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
  const edit = (change: (items: Notice[]) => Notice[]) =>
    client.setQueryData<Loaded>(queryKey, (old) => {
      if (!old) return old
      const Items = change(itemsOf(old))
      return { ...old, pages: old.pages.map((p, i) => ({ ...p, Items: i ? [] : Items })) }
    })
  const ask = () => client.invalidateQueries({ queryKey })
  const own = useRef({ sent: 0, isStale: false }).current
  /** Shows a change before the server answers. The list is read again once no change is on its way: earlier answers would undo the last one. */
  const shown = async (change: (items: Notice[]) => Notice[], tell: () => Promise<unknown>) => {
    ownChange()
    own.sent++
    own.isStale ||= client.isFetching({ queryKey }) > 0
    await client.cancelQueries({ queryKey })
    edit(change)
    const updates = () => client.getQueryState(queryKey)?.dataUpdateCount
    const edited = updates()
    /** Another refetch may have finished first, with a list that lacks the change, too. */
    const readAgain = () => client.isFetching({ queryKey }) > 0 || updates() !== edited
    await tell().then(
      () => {
        own.isStale ||= readAgain()
      },
      () => {
        own.isStale = true
      },
    )
    if (--own.sent || !own.isStale) return
    own.isStale = false
    await ask()
  }
  return {
    ...query,
    items: itemsOf(query.data),
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
