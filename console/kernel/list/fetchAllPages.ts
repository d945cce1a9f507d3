import type { Page } from '../../../contract/call.ts'

/** The server's limit of rows in one call. */
export const mostInCall = 1000

type Query = { PageIndex?: number; PageSize?: number; Cursor?: string } & object

/**
 * Fetches a page of any size. A page beyond the limit of one call takes several, each from the cursor of the call before.
 * With a cursor that goes backwards the calls run from the last rows to the first.
 */
export const fetchAllPages = async <T>(read: (query: Query) => Promise<Page<T>>, query: Query): Promise<Page<T>> => {
  const size = query.PageSize ?? mostInCall
  if (size <= mostInCall) return read(query)
  const back = query.Cursor?.startsWith('<') ?? false
  const first = query.Cursor ? query : { ...query, PageIndex: ((query.PageIndex ?? 1) - 1) * (size / mostInCall) + 1 }
  const head = await read({ ...first, PageSize: mostInCall })
  const pieces = [head]
  for (let at = head; pieces.length * mostInCall < size && at.Items.length === mostInCall; pieces.push(at)) {
    const Cursor = back ? at.PrevCursor : at.NextCursor
    if (!Cursor) break
    at = await read({ ...query, PageIndex: 1, PageSize: mostInCall, Cursor })
  }
  if (back) pieces.reverse()
  const last = pieces.at(-1)!
  const PageIndex = query.PageIndex ?? 1
  const { PrevCursor, NextCursor, ...rest } = head
  return {
    ...rest,
    PageIndex,
    PageSize: size,
    TotalPages: Math.ceil(head.TotalCount / size),
    Items: pieces.flatMap((piece) => piece.Items),
    HasPrevPages: PageIndex > 1,
    HasNextPages: last.HasNextPages,
    ...(last.NextCursor ? { NextCursor: last.NextCursor } : {}),
    ...(pieces[0]!.PrevCursor && PageIndex > 1 ? { PrevCursor: pieces[0]!.PrevCursor } : {}),
  }
}
