import { sql } from 'kysely'
import type { Query } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Sql, table, titleOf, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { configVersion } from '../../../configuration/config-versions/contract.ts'
import { command, gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type eventCalls, gatewayEvent, type TimelineKind } from '../contract.ts'

type Part = { of: Resource; time: string; columns: Sql; where?: Sql }

/** The tables of a timeline. Columns: level, code, subject, text. An accepted push is a version, not a command. */
const parts: Record<TimelineKind, Part> = {
  1: { of: gatewayEvent, time: 'Time', columns: sql`t."Level", null::integer, t."Type"::text, t."Text", null::bigint as "UserId"` },
  2: {
    ...{ of: configVersion, time: 'PushTime' },
    columns: sql`0, null::integer, t."Version"::text, coalesce(t."Label", t."Note", ''), t."UserId"`,
  },
  3: {
    ...{ of: command, time: 'SendTime' },
    columns: sql`0, t."Code", t."CmdType", coalesce(t."Msg", ''), t."UserId"`,
    where: sql`and not (t."CmdType" = 'config' and t."Code" is not distinct from 0)`,
  },
}
const kinds = Object.keys(parts).map(Number) as TimelineKind[]
const standardSize = 50

const maySee = (actor: Actor, { name, permission }: Resource) => actor.may.has(permission) && !actor.dataScope?.hidden[name]?.size

/** Microseconds since the epoch, because a cursor that rounds would skip rows. */
const micros = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`

type Cursor = { at: number; kind: number; id: number }
const cursorOf = (text: string): Cursor => {
  const [at, kind, id] = text.split('.').map(Number) as [number, number, number]
  return { at, kind, id }
}

/** The newest rows of one table for each gateway, before the cursor. */
const newest = (kind: TimelineKind, { of, time, columns, where = sql`` }: Part, before: Cursor | undefined, size: number) => {
  const earlier = before
    ? sql`and t.${sql.ref(time)} <= timestamptz 'epoch' + ${before.at}::float8 * interval '1 microsecond'
        and (${micros(`t.${time}`)}, ${kind}, t."Id") < (${before.at}::bigint, ${before.kind}, ${before.id}::bigint)`
    : sql``
  return sql`
    select ${kind}::integer, e.* from g cross join lateral (
      select t."Id", g."Id", g."GatewayName", t.${sql.ref(time)}, ${columns} from ${table(of)} t
      where t."GatewayId" = g."Id" ${earlier} ${where} order by t.${sql.ref(time)} desc, t."Id" desc limit ${size}) e`
}

type Entry = {
  Kind: TimelineKind
  Id: number
  GatewayId: number
  GatewayName: string
  At: number
  Time: string
  Level: number
  Code: number | null
  Subject: string
  Text: string
  UserName: string | null
}

/** History of a gateway, or of a project's gateways, newest first. Omits kinds that the actor may not read. */
export const timeline = async (db: Db, actor: Actor, query: Query<typeof eventCalls.timeline>) => {
  const { GatewayId, ProjectId, Kind, Before, PageSize = standardSize } = query
  const where = GatewayId ? sql`t."Id" = ${GatewayId}` : sql`t."ProjectId" = ${ProjectId}`
  await (GatewayId ? store(gateway).find(db, actor, GatewayId) : store(project).find(db, actor, ProjectId!))
  const shown = kinds.filter((kind) => (!Kind || kind === Kind) && maySee(actor, parts[kind].of))
  if (!shown.length) return { Items: [], Next: null }
  const before = Before ? cursorOf(Before) : undefined
  const rows = await db.rows<Entry>(sql`
    with g as (select t."Id", t."GatewayName" from gateway t where ${where} and ${visible(gateway, actor)})
    select e.*, ${micros('e.Moment')} as "At", ${titleOf(['UserName', 'UserId', 'user'], actor, { alias: 'e' })} as "UserName",
      to_char(e."Moment" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Time"
    from (${sql.join(
      shown.map((kind) => newest(kind, parts[kind], before, PageSize + 1)),
      sql` union all `,
    )}) e ("Kind", "Id", "GatewayId", "GatewayName", "Moment", "Level", "Code", "Subject", "Text", "UserId")
    order by e."Moment" desc, e."Kind" desc, e."Id" desc limit ${PageSize + 1}`)
  const Items = rows.slice(0, PageSize)
  const last = Items.at(-1)
  return {
    Items: Items.map(({ At: _, ...row }) => row),
    Next: last && rows.length > PageSize ? `${last.At}.${last.Kind}.${last.Id}` : null,
  }
}
