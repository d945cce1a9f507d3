// A count shows the values of a field, so it reads the field as lists do: hidden is empty.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Figure, figureCall } from '../../contract/figures.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { serve } from '../http/serve.ts'
import type { Actor } from '../identity/actor.ts'
import { and, column, hiddenFields, type Sql, table, titleOf, visible } from './sql.ts'

/** A field to count or group by; null for an actor from whom it is hidden. */
export const countable = <R extends Resource>(actor: Actor, r: R, name: keyof R['fields'] & string): Sql =>
  hiddenFields(r, actor)?.has(name) ? sql`(null::${table(r)}).${sql.raw(`"${name}"`)}` : column(name)

/** How many rows that the actor sees have each value of a field: Value, Count and `more` columns of each group. */
export const countsBy = <R extends Resource>(actor: Actor, r: R, name: keyof R['fields'] & string, more = sql``): Sql =>
  sql`select ${countable(actor, r, name)} as "Value", count(*)::int as "Count"${more} from ${table(r)} t where ${visible(r, actor)} group by 1`

type Counted = { Value: number | string | null; Title?: string | null; Count: number } & Record<string, number>
const mostItems = 500

const countRows = async (db: Db, actor: Actor, { of: r, by = '', key = '', title = '', sums = {} }: Figure) => {
  const field = r.fields[by]!
  const more = Object.entries(sums).map(([name, where]) => {
    const has = Object.entries(where).map(([field, values]) => sql`${countable(actor, r, field)} in (${sql.join([...values])})`)
    return sql`, count(*) filter (where ${and(has)})::int as ${sql.raw(`"${name}"`)}`
  })
  const ofRef = field.kind === 'ref' ? sql`, ${titleOf([title, 'Value', field.to], actor, { alias: 'c' })} as "Title"` : sql``
  // A single statement, so that all counts come from one snapshot.
  const rows = await db.rows<Counted>(sql`select c.*${ofRef} from (${countsBy(actor, r, by, sql.join(more, sql``))}) c`)
  const total = (name: string) => rows.reduce((sum, row) => sum + row[name]!, 0)
  const byCount = (a: Counted, b: Counted) =>
    Number(a.Value === null) - Number(b.Value === null) || b.Count - a.Count || String(a.Title).localeCompare(String(b.Title))
  const Items =
    field.kind === 'choice'
      ? field.of.map((code) => ({ [key]: code, Count: rows.find((row) => row.Value === code)?.Count ?? 0 }))
      : rows
          .sort(byCount)
          .slice(0, mostItems)
          .map(({ Value, Title, Count }) => ({ [key]: Value, [title]: Title, Count }))
  return { TotalCount: total('Count'), Items, ...Object.fromEntries(Object.keys(sums).map((name) => [name, total(name)])) }
}

const countDays = (db: Db, actor: Actor, { of: r, at = '' }: Figure, days: number) => {
  const zone = actor.zone ?? actor.tenantZone
  const time = countable(actor, r, at)
  return db.rows(sql`
    with day as (select (now() at time zone ${zone}::text)::date - ${days - 1}::int + n as d from generate_series(0, ${days - 1}::int) n),
    found as (
      select (${time} at time zone ${zone}::text)::date as d, count(*)::int as n from ${table(r)} t
      where ${time} >= ((select min(d) from day)::timestamp at time zone ${zone}::text) and ${visible(r, actor)} group by 1)
    select to_char(day.d, 'YYYY-MM-DD') as "Date", coalesce(found.n, 0) as "Count" from day left join found using (d) order by day.d`)
}

export const serveFigure = (app: FastifyInstance, f: Figure) =>
  serve(app, figureCall(f), ({ db, actor, query }) => {
    const { Days = 14 } = (query ?? {}) as { Days?: number }
    return (f.at ? countDays(db, actor, f, Days) : countRows(db, actor, f)) as never
  })
