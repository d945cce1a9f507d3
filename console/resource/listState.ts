import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Resource } from '../../contract/base/resource.ts'
import type { ListQuery } from './api.ts'

export type ListState = {
  page: number
  size: number
  /** Field, '-' in front for descending; empty = the resource's own order. */
  sort: string
  search: string
  filters: Record<string, string>
}
const known = new Set(['page', 'size', 'sort', 'q'])

/** The state of a list as the address carries it; names get the prefix, so that two lists fit on one page. */
export const readState = (params: URLSearchParams, filters: readonly string[], prefix = ''): ListState => {
  const get = (name: string) => params.get(prefix + name) ?? ''
  return {
    page: Math.max(1, Number.parseInt(get('page'), 10) || 1),
    size: Math.min(1000, Math.max(1, Number.parseInt(get('size'), 10) || 20)),
    sort: get('sort'),
    search: get('q'),
    filters: Object.fromEntries(filters.filter((f) => get(f) !== '').map((f) => [f, get(f)])),
  }
}

export const toQuery = ({ page, size, sort, search, filters }: ListState, fixed: Record<string, string | number> = {}): ListQuery => ({
  PageIndex: page,
  PageSize: size,
  ...(sort ? { OrderColumn: sort.replace(/^-/, ''), OrderType: sort.startsWith('-') ? 'desc' : 'asc' } : {}),
  ...(search ? { Search: search } : {}),
  ...filters,
  ...fixed,
})

/** List state in the address. Narrowing goes back to the first page; the address is replaced, so that Back leaves the list. */
export const useListState = (filters: readonly string[], prefix = '') => {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readState(params, filters, prefix), [params, filters, prefix])
  const set = useCallback(
    (changes: Record<string, string | number | null | undefined>) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old)
          if (!('page' in changes)) next.delete(`${prefix}page`)
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === undefined || value === '') next.delete(prefix + name)
            else next.set(prefix + name, String(value))
          }
          return next
        },
        { replace: true },
      ),
    [setParams, prefix],
  )
  return [state, set] as const
}

/** Fields that stand in the search bar as a choice, beside the text search. */
export const filterFields = (r: Resource, extra: readonly string[] = []): string[] =>
  Object.entries(r.fields)
    .filter(([name, f]) => extra.includes(name) || (f.search && (f.kind === 'choice' || f.kind === 'flag' || f.kind === 'ref')))
    .map(([name]) => name)
    .filter((name) => !known.has(name))

export const searchesText = (r: Resource) => Object.values(r.fields).some((f) => f.search && (f.kind === 'text' || f.kind === 'long'))
