import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Answer, Body } from '../../../../contract/call.ts'
import { preferenceCalls } from '../../../../contract/preferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'

export type TablePreference = Answer<typeof preferenceCalls.menuTable>
type ThemeSet = Static<NonNullable<typeof preferenceCalls.saveThemeSet.answer>>

/** Maximum lists with preferences per person; the console has fewer than a hundred. */
const mostLists = 300

/** Makes other browsers of the person refetch preferences. The Id is the person's. */
const tell = (db: Db, { UserId, EnterpriseId }: Actor, resource: 'themeSet' | 'tablePreference') =>
  db.emit({ resource, id: UserId, verb: 'update', EnterpriseId })

const themeNames = Object.keys(preferenceCalls.saveThemeSet.body!.properties)
/** The specification's defaults (section 9), for partial theme sets. */
const standard = { ThemeColor: '#1d8df0', NavigationBar: '#ffffff', Sidebar: '#14202f', Mode: 'system', BCompact: 0, BContrast: 0 }
const stored = (name: string, value: unknown) => {
  if (value === undefined) return (standard as Record<string, unknown>)[name] ?? 1
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && name !== 'Mode' ? `#${value.replace('#', '').toLowerCase()}` : value
}

const columns = sql.join(['Id', 'UserId', ...themeNames].map((name) => sql.raw(`"${name}"`)))

/** Null if the person never chose one. Theme sets of others are not visible. */
export const themeSetOf = async (db: Db, actor: Actor, userId = actor.UserId): Promise<ThemeSet | null> => {
  if (userId !== actor.UserId) throw notFound()
  const [row] = await db.rows<ThemeSet>(sql`select ${columns} from theme_set where "UserId" = ${actor.UserId}`)
  return row ?? null
}

/** Omitted values stay unchanged. */
export const saveThemeSet = (db: Db, actor: Actor, given: Body<typeof preferenceCalls.saveThemeSet>): Promise<ThemeSet> =>
  db.tx(async (db) => {
    const values = themeNames.map((name) => stored(name, (given as Record<string, unknown>)[name]))
    const named = themeNames.filter((name) => (given as Record<string, unknown>)[name] !== undefined)
    const [row] = await db.rows<ThemeSet>(sql`
      insert into theme_set ("EnterpriseId", "UserId", ${sql.join(themeNames.map((n) => sql.raw(`"${n}"`)))})
      values (${actor.EnterpriseId}, ${actor.UserId}, ${sql.join(values)})
      on conflict ("UserId") do update set ${sql.join([...named.map((n) => sql.raw(`"${n}" = excluded."${n}"`)), sql`"UpdateTime" = now()`])}
      returning ${columns}`)
    tell(db, actor, 'themeSet')
    return row!
  })

export const tablePreference = async (db: Db, actor: Actor, MenuEncoding: string): Promise<TablePreference> => {
  const [row] = await db.rows<TablePreference>(sql`
    select "MenuEncoding", "RowHeight", "Columns", "Views" from table_preference
    where "UserId" = ${actor.UserId} and "MenuEncoding" = ${MenuEncoding}`)
  return row ?? { MenuEncoding, RowHeight: 32, Columns: [], Views: [] }
}

/** Writes the given parts; others stay unchanged. */
export const savePreference = (
  db: Db,
  actor: Actor,
  MenuEncoding: string,
  part: Partial<Pick<TablePreference, 'RowHeight' | 'Columns' | 'Views'>>,
): Promise<TablePreference> =>
  db.tx(async (db) => {
    const [held] = await db.rows<{ n: number; here: boolean }>(sql`
      select count(*)::int as n, coalesce(bool_or("MenuEncoding" = ${MenuEncoding}), false) as here
      from table_preference where "UserId" = ${actor.UserId}`)
    if (!held!.here && held!.n >= mostLists) throw new Fault('tooMany')
    const values = Object.entries(part).map(([name, value]) => ({
      name: sql.raw(`"${name}"`),
      value: name === 'RowHeight' ? sql`${value}` : sql`${JSON.stringify(value)}::jsonb`,
    }))
    const [row] = await db.rows<TablePreference>(sql`
      insert into table_preference ("EnterpriseId", "UserId", "MenuEncoding", ${sql.join(values.map((v) => v.name))})
      values (${actor.EnterpriseId}, ${actor.UserId}, ${MenuEncoding}, ${sql.join(values.map((v) => v.value))})
      on conflict ("UserId", "MenuEncoding") do update
      set ${sql.join([...values.map((v) => sql`${v.name} = excluded.${v.name}`), sql`"UpdateTime" = now()`])}
      returning "MenuEncoding", "RowHeight", "Columns", "Views"`)
    tell(db, actor, 'tablePreference')
    return row!
  })

const twice = (values: readonly string[]) => values.findIndex((v, i) => values.indexOf(v) !== i)

/** A header contains each field once. */
export const checkedColumns = (Columns: TablePreference['Columns']) => {
  const at = twice(Columns.map((c) => c.Field))
  if (at >= 0) throw new FieldFaults([{ field: `Columns.${at}.Field`, rule: 'taken' }])
  return Columns
}

/** Names must differ, ignoring case, and at most one view is the default. */
export const checkedViews = (given: TablePreference['Views']) => {
  const Views = given.map((v) => ({ ...v, Name: v.Name.trim() }))
  const empty = Views.findIndex((v) => !v.Name)
  if (empty >= 0) throw new FieldFaults([{ field: `Views.${empty}.Name`, rule: 'required' }])
  const at = twice(Views.map((v) => v.Name.toLowerCase()))
  if (at >= 0) throw new FieldFaults([{ field: `Views.${at}.Name`, rule: 'taken' }])
  if (Views.filter((v) => v.IsDefault).length > 1)
    throw new FieldFaults([{ field: `Views.${Views.findLastIndex((v) => v.IsDefault)}.IsDefault`, rule: 'choice' }])
  return Views
}
