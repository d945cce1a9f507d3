// Pages by key: the page after (or before) a row is found through the order's index, however far into the list.
import { sql } from 'kysely'
import { isStructured } from '../../contract/field.ts'
import { joined, type Resource } from '../../contract/resource.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { baseFields, column, fieldOf, kept, type Sql, titleOf } from './sql.ts'

type Asked = { order: string | undefined; descending: boolean; cursor: string }
type Key = { before: boolean; value: string | number | null; id: number }
type Row = Record<string, unknown>

/** Instants leave cut to the second; the key needs the moment whole. */
const exactName = '-at'

const read = (text: string, order: string): Key => {
  try {
    const [held, value, id] = JSON.parse(Buffer.from(text.slice(1), 'base64url').toString()) as [string, string | number | null, number]
    const sound = held === order && Number.isSafeInteger(id) && (value === null || typeof value === 'string' || typeof value === 'number')
    if (sound && /^[<>]/.test(text)) return { before: text[0] === '<', value, id }
  } catch {
    // Not one of ours.
  }
  throw new Fault('invalid')
}

/**
 * The order of a listing and, where it names a cursor, the condition for the page there. `cursors` are those of a page read,
 * whose rows `inOrder` puts right when they were read backwards. An order by the title of another record has no keys.
 */
export const keyset = (r: Resource, q: Asked, actor?: Actor) => {
  const name = q.order ?? r.order.replace(/^-/, '')
  const descending = q.order ? q.descending : r.order.startsWith('-')
  const titled = joined(r).find(([as]) => as === name)
  const field = fieldOf(r, name)
  // A cursor holds what is ordered by, and an area may show a part of a structured field.
  if (!titled && (!field || isStructured(field))) throw new Fault('unknownFilter', { field: name.slice(0, 60) })
  const label = `${descending ? '-' : ''}${name}`
  const key = q.cursor && !titled ? read(q.cursor, label) : undefined
  // NULLS LAST on a column that has none would only keep the index from serving the order.
  const nullable = !titled && field!.required !== true && !(name in baseFields)
  const at = titled ? titleOf(titled, actor, r) : column(name)
  const id = column('Id')
  const down = key?.before ? !descending : descending
  const nulls = nullable && down !== Boolean(key?.before) ? (key?.before ? ' nulls first' : ' nulls last') : ''
  const way = sql.raw(down ? 'desc' : 'asc')
  const past = sql.raw(down ? '<' : '>')

  /** Rows without a value sort last in both directions. */
  const where = (): Sql => {
    if (!key) return sql`true`
    const beyond = sql`(${at}, ${id}) ${past} (${kept(field, key.value)}, ${key.id})`
    if (!nullable) return beyond
    if (key.value === null) {
      const among = sql`(${at} is null and ${id} ${past} ${key.id})`
      return key.before ? sql`(${at} is not null or ${among})` : among
    }
    return key.before ? beyond : sql`(${beyond} or ${at} is null)`
  }
  const token = (mark: '<' | '>', row: Row) => {
    const value = row[exactName] ?? row[name] ?? null
    return mark + Buffer.from(JSON.stringify([label, value, row.Id])).toString('base64url')
  }

  return {
    keyed: key !== undefined,
    where: where(),
    order: sql`${at} ${way}${sql.raw(nulls)}, ${id} ${way}`,
    /** What the rows must carry beside their fields. */
    columns: field?.kind === 'instant' ? sql`, ${at}::text as ${sql.raw(`"${exactName}"`)}` : sql``,
    inOrder: <T>(rows: T[]): T[] => (key?.before ? rows.reverse() : rows),
    /** `more`: the page is full, so there may be another one on its far side. */
    cursors: (rows: readonly Row[], { more, first }: { more: boolean; first: boolean }) => {
      const [head, last] = [rows[0], rows.at(-1)]
      if (titled || !head || !last) return {}
      return {
        ...(more || key?.before ? { NextCursor: token('>', last) } : {}),
        ...(first || (key?.before && !more) ? {} : { PrevCursor: token('<', head) }),
      }
    },
  }
}
