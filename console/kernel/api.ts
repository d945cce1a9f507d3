import { keepPreviousData, type QueryClient, type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Answer, Body, Call, Condition, Page, Query } from '../../contract/call.ts'
import type { Change, Draft, Resource, Row } from '../../contract/resource.ts'
import { type Settings, settingsCalls } from '../../contract/settings.ts'
import { type Fault, invoke, queryString, request } from '../session/request.ts'
import { language } from '../words/words.ts'
import { fetchAllPages } from './list/fetchAllPages.ts'

/** A row from a list or detail call: its fields, and the titles of the rows that it refers to. */
export type Shown<R extends Resource> = Row<R> & Record<string, unknown>
export type ListQuery = {
  PageIndex?: number
  PageSize?: number
  Cursor?: string
  OrderColumn?: string
  OrderType?: 'asc' | 'desc'
  Search?: string
  QueryInfo?: { RelOP: 1 | 2; QueryConditions: Condition[] }
} & Record<string, unknown>

/** The title of a row, with its name in the reader's language where it has one. */
export const titleText = ({ title, names }: Resource, row: Record<string, unknown>) =>
  [row[title], names && (row[names[language()]] || row[names.en])].filter(Boolean).join(' · ')

/** Resources that a cached answer depends on. A change of one of them invalidates the answer. */
const affected = (key: readonly unknown[]): string[] => (Array.isArray(key[0]) ? key[0] : [key[0]]).map(String)
export const invalidate = (client: QueryClient, names: Iterable<string>) => {
  const changed = new Set(names)
  return client.invalidateQueries({ predicate: ({ queryKey }) => affected(queryKey).some((name) => changed.has(name)) })
}

export const rowsQuery = <R extends Resource>(r: R, query: ListQuery): UseQueryOptions<Page<Shown<R>>, Fault> => ({
  queryKey: [[r.name], 'list', query],
  queryFn: () => fetchAllPages((piece) => request('GET', `${r.path}/List${queryString(piece)}`), query),
  placeholderData: keepPreviousData,
})
export const useRows = <R extends Resource>(r: R, query: ListQuery, { enabled = true } = {}) =>
  useQuery({ ...rowsQuery(r, query), enabled })

/** An age that nobody asks for again grows, however new the data. */
const ageMs = 10_000
export const refreshMs = (r: Resource, names: readonly string[]) =>
  names.some((name) => r.fields[name]?.kind === 'instant' && r.fields[name].age) && ageMs

export const useRow = <R extends Resource>(r: R, id: number | undefined) =>
  useQuery<Shown<R>, Fault>({
    queryKey: [[r.name], 'row', id],
    queryFn: () => request('GET', `${r.path}?Id=${id}`),
    enabled: id !== undefined,
    refetchInterval: refreshMs(r, Object.keys(r.fields)),
  })

type CallOptions<C extends Call> = {
  query?: Query<C>
  body?: Body<C>
  /** Resources whose changes invalidate the answer. */
  of?: string[]
  enabled?: boolean
  refetchInterval?: number
}
/** Queries a read-only call. */
export const useCall = <C extends Call>(c: C, { query, body, of = [], ...options }: CallOptions<C> = {}) =>
  useQuery<Answer<C>, Fault>({
    queryKey: [of, c.path, query, body],
    queryFn: () => invoke(c, { query, body }),
    placeholderData: keepPreviousData,
    ...options,
  })

/** For mutations whose screen shows the error itself. Other errors show as a message. */
const quiet = { meta: { quiet: true } }

export const useWrite = <V, T>(names: string[], mutationFn: (value: V) => Promise<T>, options: object = {}) => {
  const client = useQueryClient()
  return useMutation<T, Fault, V>({ mutationFn, onSuccess: () => invalidate(client, names), ...options })
}

/** Creates a row, or changes the one with the given Id. */
export const useSave = <R extends Resource>(r: R, options: object = quiet) =>
  useWrite([r.name], (values: Draft<R> | Change<R>) => request<Row<R>>('Id' in values ? 'PUT' : 'POST', r.path, values), options)

/** Removes one row, or several all-or-nothing. */
export const useRemove = (r: Resource) =>
  useWrite([r.name], (ids: number[]) =>
    ids.length === 1
      ? request<unknown>('DELETE', r.path, { Id: ids[0] })
      : request<unknown>('DELETE', `${r.path}/BatchDelete`, { Ids: ids }),
  )

/** Mutates by a call. `of` names the resources that it changes. */
export const useCommand = <C extends Call>(c: C, of: string[] = [], options: object = {}) =>
  useWrite(of, (given: { query?: Query<C>; body?: Body<C> }) => invoke(c, given), options)

/** Queries settings. */
export const useSettings = <S extends Settings>(s: S, options: { enabled?: boolean } = {}) =>
  useCall(settingsCalls(s).get, { of: [s.name], ...options })
