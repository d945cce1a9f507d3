// Resolves cells that refer to records: by title, or by `#` and the number if several records share the title.
import { sql } from 'kysely'
import { joined, type Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { plain } from '../../../../server/files/sheet.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { column, named, type Sql, table, visible } from '../../../../server/resource/sql.ts'

type Values = Record<string, unknown>
type Found = { Id: number; EnterpriseId: number; Title: string } & Values
/** `text` is the content of the cell. */
export type Wrong = { row: number; field: string; rule: string; values?: Record<string, string | number>; text?: string }
export type Refuse = (wrong: readonly Wrong[]) => void

const numbered = /^(?:.* )?#(\d{1,15})$/s

/** The reference within which a resource's titles are unique: a title identifies a record only together with it. */
export const scopeOf = (r: Resource): string | undefined => {
  const unique = r.fields[r.title]?.unique
  return typeof unique === 'string' && unique !== 'everywhere' ? unique : undefined
}

/** The names of records in all languages, and aliases, for sheets that use one instead of the title. */
const namesIn = (to: Resource, texts: readonly string[], allowed: Sql) => {
  const fields = [...Object.values(to.names ?? {}), ...(to.alsoNamed ? [to.alsoNamed] : [])].map((name) => column(name))
  return sql`
    (select distinct "Id", "EnterpriseId", "Name" from ${table(to)} t, unnest(array[${sql.join(fields)}]) f, string_to_table(f, '|') n,
      lower(trim(n)) as "Name" where "Name" = any(${texts.map(plain)}::text[]) and ${allowed}) s`
}

/** The texts that are names of records. */
export const knownNames = async (db: Db, to: Resource, texts: readonly string[], allowed: Sql) =>
  new Set((await db.rows<{ Name: string }>(sql`select distinct "Name" from ${namesIn(to, texts, allowed)}`)).map(({ Name }) => Name))

/** At most two records per name: enough to detect ambiguity. */
const firstTwo = <T extends Found>(rows: Sql, by: Sql) =>
  sql<T>`select * from (select *, row_number() over (partition by ${by} order by "Id") as "Nth" from ${rows}) f where "Nth" <= 2`

const namesOf = async (db: Db, to: Resource, texts: readonly string[], allowed: Sql) => {
  if (!to.names) return new Map<string, Found[]>()
  const found = await db.rows(firstTwo<Found & { Name: string }>(namesIn(to, texts, allowed), sql`"Name"`))
  return Map.groupBy(found, (row) => row.Name)
}

type Row = { row: number; values: Values }
const resolvePart = async (db: Db, actor: Actor, r: Resource, rows: readonly Row[], enterprise?: number): Promise<Wrong[]> => {
  const wrong: Wrong[] = []
  // Owners first: a channel is searched within the gateway of the same row.
  const refs = joined(r).toSorted(([, a, toA], [, b, toB]) => Number(scopeOf(named(toA)) === b) - Number(scopeOf(named(toB)) === a))
  for (const [, field, target] of refs) {
    const to = named(target)
    const scope = scopeOf(to)
    const within = scope && scope !== field && scope in r.fields ? scope : undefined
    const given = [...new Set(rows.map(({ values }) => values[field]).filter((v) => typeof v === 'string'))]
    if (!given.length) continue
    const ids = given.flatMap((text) => Number(numbered.exec(text)?.[1] ?? []))
    const ofTenant = sql`"EnterpriseId" in (${enterprise}, ${to.shared ? platformEnterprise : enterprise})`
    const allowed = sql`${visible(to, actor)} and ${enterprise ? ofTenant : sql`true`}`
    const scopeColumn: Sql = within ? column(within) : sql`null::bigint`
    const rowsFound = sql`
      (select "Id", "EnterpriseId", ${column(to.title)}::text as "Title", ${scopeColumn} as "Scope", "Id" = any(${ids}::bigint[]) as "Numbered"
      from ${table(to)} t where (${column(to.title)} = any(${given}::text[]) or "Id" = any(${ids}::bigint[])) and ${allowed}) s`
    const found = await db.rows(firstTwo(rowsFound, sql`"Title", "Scope", "Numbered"`))
    const byName = await namesOf(db, to, given, allowed)
    const byTitle = Map.groupBy(found, (f) => f.Title)
    const byPlace = Map.groupBy(found, (f) => `${f.Scope}\n${f.Title}`)
    const byId = new Map(found.map((f) => [f.Id, f]))
    for (const { row, values } of rows) {
      const text = values[field]
      if (typeof text !== 'string') continue
      const place = within ? values[within] : null
      const titled = (place == null ? (byTitle.get(text) ?? byName.get(plain(text))) : byPlace.get(`${place}\n${text}`)) ?? []
      const number = numbered.exec(text)?.[1]
      const one = titled.length === 1 ? titled[0] : !titled.length && number ? byId.get(Number(number)) : undefined
      if (one) values[field] = one.Id
      else wrong.push({ row, field, rule: titled.length ? 'sharedTitle' : 'unknownReference', text })
    }
  }
  return wrong
}

/** Rows that are resolved in one turn of the event loop. */
const partRows = 2500
/**
 * Replaces titles by Ids; returns titles that were not found or are ambiguous. `enterprise` restricts to records of this tenant, and shared
 * ones of the platform.
 */
export const resolveRefs = async (db: Db, actor: Actor, r: Resource, rows: readonly Row[], enterprise?: number): Promise<Wrong[]> => {
  const wrong: Wrong[] = []
  for (let at = 0; at < rows.length; at += partRows) {
    wrong.push(...(await resolvePart(db, actor, r, rows.slice(at, at + partRows), enterprise)))
    await ownTurn()
  }
  return wrong
}
