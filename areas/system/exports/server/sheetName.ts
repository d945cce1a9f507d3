import { sql } from 'kysely'
import { type Condition, LogicOP } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { entryOf } from '../../../../contract/prototypes.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { column, named, table, visible } from '../../../../server/resource/sql.ts'

/** Maximum filters in a file name, and characters of each. */
const limits = { filters: 2, characters: 40 }

const slug = (text: string) =>
  [...text.toLowerCase()]
    .slice(0, limits.characters)
    .join('')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Local time of the reader: `20261122-1150`. */
const stamp = (time: number, timeZone: string) =>
  new Date(time).toLocaleString('sv-SE', { timeZone }).slice(0, 16).replace(/[-:]/g, '').replace(' ', '-')

/** File name without extension: content and creation time in the reader's time zone. */
export const fileStem = (title: string, narrowed: readonly string[], time: number, zone: string) =>
  [slug(title), ...narrowed.map(slug).filter(Boolean).slice(0, limits.filters), stamp(time, zone)].filter(Boolean).join('-')

type Asked = { title: string; listing: Listing; language: Language; time: number }
/** Name of a sheet: the list, the records or choices it is filtered by, and the reader's time. */
export const sheetName = async (db: Db, actor: Actor, r: Resource, { title, listing, language, time }: Asked): Promise<string> => {
  const conditions = listing.conditions.filter((c): c is Condition => 'Field' in c)
  const narrowed = conditions
    .filter(({ LogicOP: op = LogicOP.equals }) => op === LogicOP.equals || op === LogicOP.contains)
    .map(async ({ Field, Value }): Promise<string> => {
      const f = entryOf(r.fields, Field)
      if (f?.kind === 'choice' && f.of.some((value) => String(value) === String(Value)))
        return word(language, `${r.name}.${Field}.${Value}`)
      const id = Number(Value)
      if (f?.kind !== 'ref' || !Number.isSafeInteger(id)) return ''
      const to = named(f.to)
      const [row] = await db.rows<{ title: string }>(
        sql`select ${column(to.title)}::text as title from ${table(to)} t where t."Id" = ${id} and ${visible(to, actor)}`,
      )
      return row?.title ?? ''
    })
  const filters = [...(await Promise.all(narrowed)), typeof listing.search === 'string' ? listing.search : '']
  return fileStem(title, filters, time, actor.zone ?? actor.tenantZone)
}
