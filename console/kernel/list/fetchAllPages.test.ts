import { expect, it, vi } from 'vitest'
import type { Page } from '../../../contract/call.ts'
import { fetchAllPages } from './fetchAllPages.ts'

/** 23,456 rows as the server pages them. */
const rows = Array.from({ length: 23_456 }, (_, i) => i)
const server = (query: { PageIndex?: number; PageSize?: number; Cursor?: string }): Promise<Page<number>> => {
  const { PageIndex = 1, PageSize = 20, Cursor } = query
  if (PageSize > 1000) throw new Error('A call answers 1,000 rows at most.')
  const at = Number(Cursor?.slice(1))
  const start = !Cursor ? (PageIndex - 1) * PageSize : Cursor[0] === '>' ? at + 1 : Math.max(0, at - PageSize)
  const Items = rows.slice(start, Cursor?.[0] === '<' ? at : start + PageSize)
  return Promise.resolve({
    PageIndex,
    PageSize,
    TotalCount: 10_000,
    TotalMore: true,
    TotalPages: Math.ceil(10_000 / PageSize),
    Items,
    HasPrevPages: PageIndex > 1,
    HasNextPages: start + Items.length < rows.length,
    ...(start + Items.length < rows.length ? { NextCursor: `>${Items.at(-1)}` } : {}),
    ...(start > 0 ? { PrevCursor: `<${Items[0]}` } : {}),
  })
}

it('a page that fits into a call is one call', async () => {
  const read = vi.fn(server)
  expect((await fetchAllPages(read, { PageSize: 1000 })).Items).toHaveLength(1000)
  expect(read).toHaveBeenCalledTimes(1)
})

it('long pages, forwards and back, are the rows in their order', async () => {
  const first = await fetchAllPages(server, { PageIndex: 1, PageSize: 10_000 })
  expect(first.Items).toEqual(rows.slice(0, 10_000))
  expect(first.PrevCursor).toBeUndefined()
  const second = await fetchAllPages(server, { PageIndex: 2, PageSize: 10_000, Cursor: first.NextCursor! })
  expect(second.Items).toEqual(rows.slice(10_000, 20_000))
  const third = await fetchAllPages(server, { PageIndex: 3, PageSize: 10_000, Cursor: second.NextCursor! })
  expect(third.Items).toEqual(rows.slice(20_000))
  expect(third.HasNextPages).toBe(false)
  const back = await fetchAllPages(server, { PageIndex: 2, PageSize: 10_000, Cursor: third.PrevCursor! })
  expect(back.Items).toEqual(second.Items)
})

it('a page by its number is found without its cursor', async () => {
  expect((await fetchAllPages(server, { PageIndex: 2, PageSize: 10_000 })).Items).toEqual(rows.slice(10_000, 20_000))
})
