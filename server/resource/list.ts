import { sql } from 'kysely'
import { type Condition, LogicOP, type Page } from '../../contract/call.ts'
import { type Field, isStructured } from '../../contract/field.ts'
import { fold, foldFrom, foldTo } from '../../contract/fold.ts'
import { joined, type Resource } from '../../contract/resource.ts'
import { Fault, FieldFaults } from '../http/faults.ts'
import { unfoldParameters } from '../http/parameters.ts'
import type { Actor } from '../identity/actor.ts'
import { dataScopeFilter } from '../identity/dataScope.ts'
import { visibleRef } from '../identity/scopedRows.ts'
import { inSight } from '../identity/sight.ts'
import { and, column, fieldOf, kept, named, or, type Sql, table } from './sql.ts'

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

/** What one list call may ask for: more costs everybody else's time. */
const bounds = { conditions: 50, values: 5000, valuesOfOne: 1000, page: 1e9 }

const refused = (field: string, rule: string, values = {}) => new FieldFaults([{ field: field.slice(0, 60), rule, values }])

/** Texts and numbers only: anything else might not even have a text. */
const scalar = (field: string, value: unknown): string | number | undefined => {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' && typeof value !== 'number') throw refused(field, 'textOrNumber')
  return value
}

const wholeNumber = (field: string, value: unknown, standard: number) => {
  const n = Number(scalar(field, value) ?? standard)
  if (!Number.isInteger(n)) throw refused(field, 'integer')
  if (n < 1) throw refused(field, 'min', { min: 1 })
  if (n > bounds.page) throw refused(field, 'max', { max: bounds.page })
  return n
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
  /** For a file, or all there are: rows are counted only when `exact`, and not weighed. */
  passing?: boolean
}

const objectOf = (field: string, value: unknown): Record<string, unknown> => {
  if (value === undefined || value === null || value === '') return {}
  if (typeof value !== 'object') throw refused(field, 'type')
  return value as Record<string, unknown>
}

const fromJson = (field: string, text: unknown): unknown => {
  if (typeof text !== 'string' || !text) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON: refused below.
  }
  if (typeof value !== 'object' || value === null) throw refused(field, 'type')
  return value
}

/** One condition, and how many values it compares with; none for an empty value. A list of values is equivalent to a comma-separated list. */
const readCondition = (name: unknown, given: unknown, op: unknown): (Condition & { count: number }) | undefined => {
  const Field = String(scalar('QueryInfo.QueryConditions', name) ?? '')
  const operator = Number(scalar(Field, op) ?? LogicOP.contains)
  const values = Array.isArray(given) ? given : operator === LogicOP.oneOf ? String(scalar(Field, given) ?? '').split(',') : [given]
  if (values.length > bounds.valuesOfOne) throw refused(Field, 'tooManyValues', { max: bounds.valuesOfOne })
  const Value = values.length === 1 ? scalar(Field, values[0]) : values.map((value) => scalar(Field, value) ?? '').join(',')
  return Value === undefined || Value === '' ? undefined : { Field, Value, LogicOP: operator, count: values.length }
}

/** The conditions of a query, and flat filters by field name beside them. */
const readConditions = (info: Record<string, unknown>, flat: [string, unknown][]): Condition[] => {
  const given = Object.values(objectOf('QueryInfo.QueryConditions', info.QueryConditions)).filter(
    (c) => typeof c === 'object' && c !== null,
  )
  const read = [
    ...(given as Condition[]).map((c) => readCondition(c.Field, c.Value, c.LogicOP)),
    ...flat.map(([field, value]) => readCondition(field, value, LogicOP.contains)),
  ].filter((c) => c !== undefined)
  if (read.length > bounds.conditions) throw refused('QueryInfo.QueryConditions', 'tooManyConditions', { max: bounds.conditions })
  if (read.reduce((sum, c) => sum + c.count, 0) > bounds.values)
    throw refused('QueryInfo.QueryConditions', 'tooManyValues', { max: bounds.values })
  return read.map(({ count, ...condition }) => condition)
}

/** Reads a list query as body or as parameters; flat filters by field name join the conditions. Empty values are ignored. */
export const readListing = (given: Record<string, unknown>): Listing => {
  const q = unfoldParameters(given)
  const info = objectOf('QueryInfo', fromJson('QueryInfo', q.QueryInfo))
  const order = scalar('OrderColumn', q.OrderColumn)
  return {
    index: wholeNumber('PageIndex', q.PageIndex, 1),
    size: Math.min(wholeNumber('PageSize', q.PageSize, 20), 1000),
    order: order === undefined ? undefined : String(order),
    descending: /^desc/i.test(String(scalar('OrderType', q.OrderType) ?? 'asc')),
    cursor: typeof q.Cursor === 'string' ? q.Cursor.slice(0, 2000) : '',
    exact: q.ExactCount === true || Number(scalar('ExactCount', q.ExactCount)) === 1,
    search: typeof q.Search === 'string' ? q.Search.trim().slice(0, 100) : '',
    relation: Number(scalar('RelOP', info.RelOP)) === 2 ? 2 : 1,
    conditions: readConditions(
      info,
      Object.entries(q).filter(([name]) => !controls.has(name)),
    ),
  }
}

/** A text without letters of two cases (digits, Chinese) needs no folding, which costs more than the search itself. */
export const holds = (at: Sql, text: string): Sql => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return text.toLowerCase() === text.toUpperCase() ? sql`${at} like ${pattern}` : sql`${at} ilike ${pattern}`
}
const resembles = (at: Sql, text: string): Sql => sql`lower(translate(${at}, ${foldFrom}::text, ${foldTo}::text)) like ${`%${fold(text)}%`}`
const numeric = (f: Field) =>
  f.kind === 'number' || f.kind === 'ref' || f.kind === 'flag' || (f.kind === 'choice' && typeof f.of[0] === 'number')

const asValue = (f: Field, name: string, value: unknown): unknown => {
  if (!numeric(f)) return String(value)
  const n = Number(value)
  if (!Number.isFinite(n) || Math.abs(n) > Number.MAX_SAFE_INTEGER) throw new Fault('unknownFilter', { field: name })
  return n
}

/** A date without time means the whole day in the caller's zone. */
const moment = (value: unknown, zone: string, end: boolean): Sql => {
  const text = String(value)
  if (!/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/.test(text) || Number.isNaN(Date.parse(text.replace(' ', 'T'))))
    throw new Fault('invalid')
  const local = text.length === 10 && end ? sql`((${text}::date + 1)::timestamp - interval '1 millisecond')` : sql`${text}::timestamp`
  return sql`(${local} at time zone ${zone}::text)`
}

/** The resource that rows belong to, where it or one above it has a reference of this name: devices lie in the project of their gateway. */
const ownerWith = (r: Resource, name: string, actor: Actor): Resource | undefined => {
  const owner = r.fields[r.owner]
  if (owner?.kind !== 'ref' || owner.to === r.name) return undefined
  const to = named(owner.to)
  const isThere = to.fields[name]?.kind === 'ref' && !actor.dataScope?.hidden[to.name]?.has(name)
  return isThere || ownerWith(to, name, actor) ? to : undefined
}

const condition = (r: Resource, actor: Actor, given: Condition): Sql => {
  const { Field: name, Value, LogicOP: op } = given
  const zone = actor.zone ?? actor.tenantZone
  const join = joined(r).find(([as]) => as === name)
  if (join) {
    const to = named(join[2])
    const titled = [sql`${column('Id', 'j')} = ${column(join[1])}`, holds(column(to.title, 'j'), String(Value))]
    return sql`exists (select 1 from ${table(to)} j where ${and([...titled, ...(join[1] === r.owner ? dataScopeFilter(to.name, actor, 'j') : inSight(to, actor, 'j'))])})`
  }
  const f = fieldOf(r, name)
  const to = f ? undefined : ownerWith(r, name, actor)
  if (to)
    return sql`${column(r.owner)} in (select t."Id" from ${table(to)} t where ${and([condition(to, actor, given), ...inSight(to, actor, 't')])})`
  if (!f || isStructured(f)) throw new Fault('unknownFilter', { field: name.slice(0, 60) })
  const seen = visibleRef(r, f, name, actor)
  const at = seen ?? column(name)
  // The column itself finds the rows by its index.
  const is = (to: Sql) => (seen ? sql`(${column(name)} ${to} and ${seen} ${to})` : sql`${at} ${to}`)
  const value = (v: unknown = Value) => kept(f, asValue(f, name, v))
  const instant = f.kind === 'instant'
  switch (op) {
    case LogicOP.contains:
      if (instant) return and([sql`${at} >= ${moment(Value, zone, false)}`, sql`${at} <= ${moment(Value, zone, true)}`])
      return f.kind === 'text' || f.kind === 'long' ? holds(at, String(Value)) : is(sql`= ${value()}`)
    case LogicOP.resembles:
      if (f.kind === 'text' || f.kind === 'long') return resembles(at, String(Value))
      break
    case LogicOP.equals:
      return is(sql`= ${instant ? moment(Value, zone, false) : value()}`)
    case LogicOP.notEquals:
      return sql`${at} is distinct from ${instant ? moment(Value, zone, false) : value()}`
    case LogicOP.atLeast:
    case LogicOP.dateFrom:
      return sql`${at} >= ${instant ? moment(Value, zone, false) : value()}`
    case LogicOP.atMost:
    case LogicOP.dateTo:
      return sql`${at} <= ${instant ? moment(Value, zone, true) : value()}`
    case LogicOP.oneOf:
      // One parameter: a statement with thousands takes milliseconds to make.
      return is(
        sql`= any(${String(Value)
          .split(',')
          .map((v) => value(v.trim()))})`,
      )
  }
  throw new Fault('unknownOperator', { operator: String(op).slice(0, 20) })
}

/** The conditions of a listing over the columns of a resource; an unknown field or operator is refused by name. */
export const filters = (r: Resource, q: Listing, actor: Actor): Sql => {
  const searched = Object.entries(r.fields).filter(([, f]) => f.search && f.kind === 'text')
  const { search } = q
  const found = typeof search === 'string' ? searched.map(([name]) => holds(column(name), search)) : [search]
  const all = q.conditions.map((c) => ('Field' in c ? condition(r, actor, c) : c))
  return and([...(all.length ? [q.relation === 2 ? or(all) : and(all)] : []), ...(search && found.length ? [or(found)] : [])])
}

/** Counting stops here unless requested: the answer then tells that there are more (findings 18). */
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
