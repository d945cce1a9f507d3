// A count by a field shows its values, so it reads the field as lists do: hidden is empty.
import { sql } from 'kysely'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { column, type Sql, table, visible } from '../resource/sql.ts'
import type { Actor } from './actor.ts'

/** A field to count or group by; null for an actor from whom it is hidden. */
export const countable = <R extends Resource>(actor: Actor, r: R, name: keyof R['fields'] & string): Sql =>
  actor.dataScope?.hidden[r.name]?.has(name) ? sql`(null::${table(r)}).${sql.raw(`"${name}"`)}` : column(name)

/** How many rows that the actor sees have each value of a field: Value, Count and `more` columns of each group. */
export const counts = <R extends Resource>(actor: Actor, r: R, name: keyof R['fields'] & string, more = sql``): Sql =>
  sql`select ${countable(actor, r, name)} as "Value", count(*)::int as "Count"${more} from ${table(r)} t where ${visible(r, actor)} group by 1`

export const countBy = <R extends Resource, T extends object = object>(
  db: Db,
  actor: Actor,
  r: R,
  name: keyof R['fields'] & string,
  more?: Sql,
) => db.rows<{ Value: number | null; Count: number } & T>(counts(actor, r, name, more) as never)
