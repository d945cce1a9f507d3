import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named } from '../../../../server/resource/sql.ts'
import { type ConfigTable, configTables, listedDifferences } from '../contract.ts'
import { differing, listOf, type Sides, tables } from './service.ts'

type Sent = Record<string, unknown> | null
type Row = { Id: number; Before: Sent; After: Sent; Added: number; Removed: number; All: number }
type Verb = 'add' | 'remove' | 'change'
export type Difference = {
  Resource: string
  Id: number
  Title: string
  Of: string | null
  Verb: Verb
  Fields: { Field: string; Before: string | number | null; After: string | number | null }[]
}
/** A value formatted for comparison. For secrets it lists the names; their vault key shows whether they changed. */
const plain = (value: unknown) => {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  const { Key, Names } = value as { Key?: unknown; Names?: readonly string[] }
  if (Names) return `${Names.join(', ')} (${String(Key).slice(0, 8)})`
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${one}`)
    .join(', ')
}

/** Device names from both sides, because a removed point may belong to a removed device. */
const deviceNames = async (db: Db, { gatewayId, from, to }: Sides) => {
  const of = (hash: string | undefined) =>
    hash === undefined
      ? sql`select "Id", "DeviceName" from device where "GatewayId" = ${gatewayId}`
      : sql`select (x->>'Id')::bigint as "Id", x->>'DeviceName' as "DeviceName" from jsonb_array_elements(${listOf('device', gatewayId, hash)}) x`
  const rows = await db.rows<{ Id: number; DeviceName: string }>(sql`${of(from)} union all ${of(to)}`)
  return new Map(rows.map(({ Id, DeviceName }) => [Id, DeviceName]))
}

/** Whether the actor's roles show the resource. */
export const mayRead = ({ may }: Actor, name: ConfigTable) => may.has(named(name).readBy ?? named(name).permission)

/** The difference of the two sides, by row and field. Omits fields hidden from the actor; counts rows that the actor's roles do not show. */
export const compare = async (db: Db, actor: Actor, sides: Sides) => {
  const done = { Added: 0, Removed: 0, Changed: 0, Rows: [] as Difference[] }
  const devices = actor.dataScope?.hidden.device?.has('DeviceName') ? new Map<number, string>() : await deviceNames(db, sides)
  for (const name of tables) {
    const listed = mayRead(actor, name) ? listedDifferences - done.Rows.length : 0
    const room = Math.max(1, listed)
    const rows = await db.rows<Row>(sql`
      select d.*, count(*) filter (where "Before" is null) over ()::int as "Added", count(*) filter (where "After" is null) over ()::int as "Removed",
        count(*) over ()::int as "All"
      from (${differing(name, sides)}) d order by "Id" limit ${room}`)
    if (!rows[0]) continue
    done.Added += rows[0].Added
    done.Removed += rows[0].Removed
    done.Changed += rows[0].All - rows[0].Added - rows[0].Removed
    const hidden = actor.dataScope?.hidden[name]
    const title = named(name).title
    for (const { Id, Before, After } of rows.slice(0, listed)) {
      const row = (After ?? Before)!
      done.Rows.push({
        ...{ Resource: name, Id, Title: hidden?.has(title) ? `#${Id}` : String(row[title]) },
        Of: name === 'point' ? (devices.get(Number(row.DeviceId)) ?? null) : null,
        Verb: Before === null ? 'add' : After === null ? 'remove' : 'change',
        Fields: configTables[name]
          .filter((field) => !hidden?.has(field) && plain(Before?.[field]) !== plain(After?.[field]))
          .map((Field) => ({ Field, Before: plain(Before?.[Field]), After: plain(After?.[Field]) })),
      })
    }
  }
  return done
}
