import { sql } from 'kysely'
import { type Condition, type ListQuery, LogicOP, type Page } from '../../contract/base/call.ts'
import type { Field } from '../../contract/base/field.ts'
import { joined, type Resource } from '../../contract/base/resource.ts'
import { Fault } from '../http/faults.ts'
import { and, column, fieldOf, named, or, type Sql, table } from './sql.ts'

const controls = new Set([
  'PageIndex',
  'PageSize',
  'OrderColumn',
  'OrderType',
  'Cursor',
  'MenuEncoding',
  'QueryType',
  'QueryInfo',
  'ExactCount',
  'Search',
  '_',
])

/** `QueryInfo[QueryConditions][0][Field]` and `QueryInfo.QueryConditions.0.Field` say the same (ruling 9). */
const nested = (flat: Record<string, unknown>): Record<string, unknown> => {
  const root: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(flat)) {
    const path = key
      .split(/[[\].]+/)
      .filter(Boolean)
      .slice(0, 6)
    let at = root
    path.forEach((name, i) => {
      if (i === path.length - 1) at[name] = value
      else {
        at[name] ??= Object.create(null)
        at = at[name] as Record<string, unknown>
      }
      if (typeof at !== 'object') throw new Fault('invalid')
    })
  }
  return root
}

const whole = (value: unknown, standard: number, most: number) => {
  if (value === undefined || value === null || value === '') return standard
  const n = Number(value)
  if (!Number.isInteger(n) || n < 1) throw new Fault('invalid')
  return Math.min(n, most)
}

export type Listing = {
  index: number
  size: number
  order: string | undefined
  descending: boolean
  /** Where the page begins, instead of by its number. */
  cursor: string
  exact: boolean
  /** An area may bring its own SQL for it, as for a condition. */
  search: string | Sql
  relation: 1 | 2
  conditions: (Condition | Sql)[]
}

/** Reads a list query as body or as parameters; flat filters by field name join the conditions. Empty values are ignored. */
export const readListing = (given: Record<string, unknown>): Listing => {
  const q = nested(given) as ListQuery & Record<string, unknown>
  const info = (typeof q.QueryInfo === 'string' && q.QueryInfo ? parsed(q.QueryInfo) : q.QueryInfo || {}) as {
    RelOP?: unknown
    QueryConditions?: unknown
  }
  const conditions = Object.values((info.QueryConditions ?? []) as Condition[])
    .filter((c) => typeof c === 'object' && c !== null)
    .map((c) => ({ Field: String(c.Field), Value: c.Value, LogicOP: Number(c.LogicOP ?? LogicOP.contains) }))
  const flat = Object.entries(q)
    .filter(([k]) => !controls.has(k))
    .map(([Field, Value]) => ({ Field, Value: Value as string, LogicOP: LogicOP.contains }))
  return {
    index: whole(q.PageIndex, 1, 1e9),
    size: whole(q.PageSize, 20, 1000),
    order: q.OrderColumn || undefined,
    descending: /^desc/i.test(String(q.OrderType ?? 'asc')),
    cursor: typeof q.Cursor === 'string' ? q.Cursor.slice(0, 2000) : '',
    exact: Number(q.ExactCount) === 1,
    search: typeof q.Search === 'string' ? q.Search.trim().slice(0, 100) : '',
    relation: Number(info.RelOP) === 2 ? 2 : 1,
    conditions: [...conditions, ...flat].filter((c) => c.Value !== undefined && c.Value !== null && c.Value !== ''),
  }
}
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('invalid')
  }
}

/** A text without letters of two cases (digits, Chinese) needs no folding, which costs more than the search itself. */
export const holds = (at: Sql, text: string): Sql => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return text.toLowerCase() === text.toUpperCase() ? sql`${at} like ${pattern}` : sql`${at} ilike ${pattern}`
}
const numeric = (f: Field) =>
  f.kind === 'number' || f.kind === 'ref' || f.kind === 'flag' || (f.kind === 'choice' && typeof f.of[0] === 'number')

const asValue = (f: Field, name: string, value: unknown): unknown => {
  if (!numeric(f)) return String(value)
  const n = Number(value)
  if (!Number.isFinite(n) || Math.abs(n) > Number.MAX_SAFE_INTEGER) throw new Fault('unknownFilter', { field: name })
  return n
}

/** A date without time stands for that whole day in the caller's zone. */
const moment = (value: unknown, zone: string, end: boolean): Sql => {
  const text = String(value)
  if (!/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/.test(text) || Number.isNaN(Date.parse(text.replace(' ', 'T'))))
    throw new Fault('invalid')
  const local = text.length === 10 && end ? sql`((${text}::date + 1)::timestamp - interval '1 millisecond')` : sql`${text}::timestamp`
  return sql`(${local} at time zone ${zone}::text)`
}

const condition = (r: Resource, zone: string, { Field: name, Value, LogicOP: op }: Condition): Sql => {
  const join = joined(r).find(([as]) => as === name)
  if (join) {
    const to = named(join[2])
    return sql`exists (select 1 from ${table(to)} j where ${column('Id', 'j')} = ${column(join[1])} and ${holds(column(to.title, 'j'), String(Value))})`
  }
  const f = fieldOf(r, name)
  if (!f || f.kind === 'json') throw new Fault('unknownFilter', { field: name.slice(0, 60) })
  const at = column(name)
  const value = (v: unknown = Value) => asValue(f, name, v)
  const instant = f.kind === 'instant'
  switch (op) {
    case LogicOP.contains:
      if (instant) return and([sql`${at} >= ${moment(Value, zone, false)}`, sql`${at} <= ${moment(Value, zone, true)}`])
      return f.kind === 'text' || f.kind === 'long' ? holds(at, String(Value)) : sql`${at} = ${value()}`
    case LogicOP.equals:
      return instant ? sql`${at} = ${moment(Value, zone, false)}` : sql`${at} = ${value()}`
    case LogicOP.notEquals:
      return sql`${at} is distinct from ${instant ? moment(Value, zone, false) : value()}`
    case LogicOP.atLeast:
    case LogicOP.dateFrom:
      return sql`${at} >= ${instant ? moment(Value, zone, false) : value()}`
    case LogicOP.atMost:
    case LogicOP.dateTo:
      return sql`${at} <= ${instant ? moment(Value, zone, true) : value()}`
    case LogicOP.oneOf:
      return sql`${at} in (${sql.join(
        String(Value)
          .split(',')
          .slice(0, 1000)
          .map((v) => sql`${value(v.trim())}`),
      )})`
    default:
      throw new Fault('unknownOperator', { operator: String(op).slice(0, 20) })
  }
}

/** The conditions of a listing over the columns of a resource; an unknown field or operator is refused by name. */
export const filters = (r: Resource, q: Listing, zone: string): Sql => {
  const searched = Object.entries(r.fields).filter(([, f]) => f.search && f.kind === 'text')
  const { search } = q
  const found = typeof search === 'string' ? searched.map(([name]) => holds(column(name), search)) : [search]
  const all = q.conditions.map((c) => ('Field' in c ? condition(r, zone, c) : c))
  return and([...(all.length ? [q.relation === 2 ? or(all) : and(all)] : []), ...(search && found.length ? [or(found)] : [])])
}

/** Rows are counted no further unless asked: beyond, an answer says that there are more (findings 18). */
export const countedTo = 10_000

/** A page as the wire wants it (ruling 9). `count` is as many rows as were counted; a page by key has no place among them. */
export const paged = <T>(q: Pick<Listing, 'index' | 'size' | 'exact'>, Items: T[], count: number, keyed = false): Page<T> => {
  const TotalMore = !q.exact && count > countedTo
  const TotalCount = TotalMore ? countedTo : count
  return {
    PageIndex: q.index,
    PageSize: q.size,
    TotalCount,
    TotalMore,
    TotalPages: Math.ceil(TotalCount / q.size),
    Items,
    HasPrevPages: q.index > 1,
    HasNextPages: TotalMore || keyed ? Items.length === q.size : q.index * q.size < TotalCount,
  }
}
