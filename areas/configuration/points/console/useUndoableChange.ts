import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useCallback } from 'react'
import { invalidate } from '../../../../console/kernel/api.ts'
import { useUndoToast } from '../../../../console/kernel/list/undo.tsx'
import { type Fault, request } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Page } from '../../../../contract/call.ts'
import type { Change, Resource } from '../../../../contract/resource.ts'

type Row = { Id: number; UpdateStamp?: number } & Record<string, unknown>

/** Updates a row in every cached list. Returns the function that reverts it. */
const foresee = (client: QueryClient, r: Resource, id: number, change: object) => {
  const lists = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => `${queryKey[0]}` === r.name && queryKey[1] === 'list' }
  const before = client.getQueriesData<Page<Row>>(lists)
  client.setQueriesData<Page<Row>>(
    lists,
    (page) => page && { ...page, Items: page.Items.map((row) => (row.Id === id ? { ...row, ...change } : row)) },
  )
  return () => {
    for (const [key, page] of before) client.setQueryData(key, page)
  }
}

/** Changes a row optimistically, with undo. An error reverts it. Undo fails when another person has changed the row since. */
export const useUndoableChange = (r: Resource) => {
  const client = useQueryClient()
  const { message } = App.useApp()
  const t = useWords()
  const toast = useUndoToast()
  return useCallback(
    async (row: Row, change: Record<string, unknown>, said: string) => {
      const put = (values: object) => request<Row>('PUT', r.path, values as Change<Resource>)
      const back = foresee(client, r, row.Id, change)
      try {
        const saved = await put({ Id: row.Id, ...change })
        const before = Object.fromEntries(Object.keys(change).map((name) => [name, row[name] ?? null]))
        toast(said, () => {
          foresee(client, r, row.Id, before)
          put({ Id: row.Id, ...before, UpdateStamp: saved.UpdateStamp })
            .catch((fault: Fault) => message.error(t('undo.failed', { reason: fault.message })))
            .finally(() => void invalidate(client, [r.name]))
        })
      } catch (fault) {
        back()
        throw fault
      } finally {
        void invalidate(client, [r.name])
      }
    },
    [client, message, r, t, toast],
  )
}
