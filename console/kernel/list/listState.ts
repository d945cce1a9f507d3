import { useCallback, useMemo } from 'react'
import { type Condition, LogicOP } from '../../../contract/call.ts'
import type { Field } from '../../../contract/field.ts'
import { entryOf } from '../../../contract/prototypes.ts'
import type { Resource } from '../../../contract/resource.ts'
import { useAddress } from '../../shell/useAddress.ts'
import type { ListQuery } from '../api.ts'

export type ListState = {
  page: number
  size: number
  /** The server's cursor of the page, in a list that is too long to count. */
  after: string
  /** A field, with a leading '-' for descending. Empty: the resource's own order. */
  sort: string
  search: string
  filters: Record<string, string>
}
const known = new Set(['page', 'size', 'sort', 'q', 'after'])
export const standardSize = 20
/** The largest sizes take several calls (`fetchAllPages`). */
export const pageSizes: number[] = [20, 50, 100, 200, 1000, 10_000]
const longest = Math.max(...pageSizes)

/** Reads the state of a list from the address. The prefix separates lists on the same screen. */
export const readState = (params: URLSearchParams, filters: readonly string[], prefix = ''): ListState => {
  const get = (name: string) => params.get(prefix + name) ?? ''
  return {
    page: Math.max(1, Number.parseInt(get('page'), 10) || 1),
    size: Math.min(longest, Math.max(1, Number.parseInt(get('size'), 10) || standardSize)),
    after: get('after'),
    sort: get('sort'),
    search: get('q'),
    filters: Object.fromEntries(filters.filter((f) => get(f) !== '').map((f) => [f, get(f)])),
  }
}

/** Conditions of a filter: contains for text, from and to for dates, equals for the rest (specification, section 3). */
const conditions = (f: Field | undefined, name: string, value: string): Condition[] => {
  if (f?.kind === 'text' || f?.kind === 'long') return [{ Field: name, Value: value, LogicOP: LogicOP.contains }]
  if (f?.kind !== 'instant') return [{ Field: name, Value: value, LogicOP: LogicOP.equals }]
  const [from = '', to = ''] = value.split('~')
  return [
    ...(from ? [{ Field: name, Value: from, LogicOP: LogicOP.dateFrom }] : []),
    ...(to ? [{ Field: name, Value: to, LogicOP: LogicOP.dateTo }] : []),
  ]
}

const baseInstants = new Set(['CreateTime', 'UpdateTime'])
export const fieldNamed = (r: Resource, name: string): Field | undefined =>
  entryOf(r.fields, name) ?? (baseInstants.has(name) ? { kind: 'instant' } : undefined)

/** The query of the list call. A fixed value wins over a filter of the same name. */
export const toQuery = (
  r: Resource,
  { page, size, after, sort, search, filters }: ListState,
  fixed: Record<string, string | number> = {},
): ListQuery => {
  const QueryConditions = Object.entries(filters)
    .filter(([name]) => !(name in fixed))
    .flatMap(([name, value]) => conditions(fieldNamed(r, name), name, value))
  return {
    PageIndex: page,
    PageSize: size,
    MenuEncoding: r.permission,
    ...(after ? { Cursor: after } : {}),
    ...(sort ? { OrderColumn: sort.replace(/^-/, ''), OrderType: sort.startsWith('-') ? 'desc' : 'asc' } : {}),
    ...(search ? { Search: search } : {}),
    ...(QueryConditions.length ? { QueryInfo: { RelOP: 1, QueryConditions } } : {}),
    ...fixed,
  }
}

export type SetState = (changes: Record<string, string | number | null | undefined>) => void
/** List state in the address. A new filter goes to the first page. The address is replaced, so that Back leaves the list. */
export const useListState = (filters: readonly string[], prefix = '') => {
  const [params, put] = useAddress()
  const state = useMemo(() => readState(params, filters, prefix), [params, filters, prefix])
  const set: SetState = useCallback(
    (changes) => put(Object.fromEntries(Object.entries({ page: null, after: null, ...changes }).map(([name, v]) => [prefix + name, v]))),
    [put, prefix],
  )
  return [state, set] as const
}

const choosable = new Set<Field['kind']>(['choice', 'flag', 'ref', 'instant'])
/** Fields of the search bar with a choice or a range, beside the text search. */
export const filterFields = (r: Resource, extra: readonly string[] = []): string[] =>
  [...Object.entries(r.fields), ...extra.flatMap((name) => (name in r.fields ? [] : [[name, fieldNamed(r, name)] as const]))]
    .filter(([name, f]) => f && (extra.includes(name) || (f.search && choosable.has(f.kind))))
    .map(([name]) => name)
    .filter((name) => !known.has(name))

/** Characters of the longest text that is searched: more would find nothing. 0: no text is searched. */
export const searchedLength = ({ fields }: Resource) =>
  Math.max(0, ...Object.values(fields).map((f) => (f.search && (f.kind === 'text' || f.kind === 'long') ? f.max : 0)))

/** The list state in the address without the page: the content of a view. */
export const viewQuery = (params: URLSearchParams, filters: readonly string[], prefix = ''): string => {
  const names = ['q', 'sort', 'size', ...filters]
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = params.get(prefix + name)
      return value ? [[name, value]] : []
    }),
  ).toString()
}

/** Changes of the address that open a view. They clear whatever the view does not set. */
export const viewChanges = (query: string, filters: readonly string[]): Record<string, string | null> => {
  const view = new URLSearchParams(query)
  return Object.fromEntries(['q', 'sort', 'size', ...filters].map((name) => [name, view.get(name)]))
}
