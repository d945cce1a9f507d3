import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Sql, table, titleOf, visible } from '../../../../server/resource/sql.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { gatewayEvent } from '../../../alarms/events/contract.ts'
import { configVersion } from '../../../configuration/config-versions/contract.ts'
import { command } from '../../../configuration/gateways/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { visibleFormulas } from '../../formulas/server/service.ts'
import { chartNote, mostOverlaid, type OverlayCount, type OverlayItem, type OverlayKind, overlayKinds } from '../contract.ts'

const buckets = 100
const ms = (column: string) => sql`(extract(epoch from t.${sql.ref(column)}) * 1000)::bigint`
const named = (actor: Actor, of: Resource, field: string, to: string) =>
  sql`coalesce(${titleOf(['', field, to], actor, { owner: of.owner })}, '')`

type Part = {
  of: Resource
  at: string
  end: Sql
  level: Sql
  point: Sql
  value: Sql
  subject: Sql
  text: Sql
  name: (actor: Actor) => Sql
  user: Sql | undefined
  where: Sql
}
const nothing = sql`null::float8`
const byGateway = sql`t."GatewayId" in (select "GatewayId" from p)`
const ofGateway = (of: Resource) => (actor: Actor) => named(actor, of, 'GatewayId', 'gateway')

const parts: Record<OverlayKind, Part> = {
  alarm: {
    ...{
      of: alarmInfo,
      at: 'StartTime',
      end: ms('RecoverTime'),
      level: sql`t."AlarmLevel"`,
      point: sql`t."ParaId"`,
      value: sql`t."TriggerValue"`,
    },
    ...{ subject: sql`''`, text: sql`t."RuleName"`, name: (actor) => named(actor, alarmInfo, 'DeviceId', 'device'), user: undefined },
    where: sql`t."DeviceId" in (select "DeviceId" from p) and (t."ParaId" is null or t."ParaId" in (select "Id" from p))`,
  },
  event: {
    ...{ of: gatewayEvent, at: 'Time', end: nothing, level: sql`t."Level"`, point: nothing, value: nothing },
    ...{ subject: sql`t."Type"::text`, text: sql`t."Text"`, name: ofGateway(gatewayEvent), user: undefined, where: byGateway },
  },
  write: {
    ...{ of: command, at: 'SendTime', end: nothing, level: nothing, point: sql`(t."Payload" ->> 'ParaId')::float8` },
    ...{ value: sql`(t."Payload" ->> 'Value')::float8`, subject: sql`''`, text: sql`coalesce(t."Payload" ->> 'ParaName', '')` },
    ...{ name: ofGateway(command), user: sql`t."UserId"` },
    where: sql`t."CmdType" = 'write' and t."Code" = 0 and ${byGateway} and (t."Payload" ->> 'ParaId')::float8 in (select "Id" from p)`,
  },
  config: {
    ...{ of: configVersion, at: 'PushTime', end: nothing, level: nothing, point: nothing, value: nothing, subject: sql`t."Version"::text` },
    ...{ text: sql`coalesce(t."Label", t."Note", '')`, name: ofGateway(configVersion), user: sql`t."UserId"`, where: byGateway },
  },
  note: {
    ...{ of: chartNote, at: 'Time', end: ms('EndTime'), level: nothing, point: sql`t."ParaId"`, value: nothing, subject: sql`''` },
    ...{ text: sql`t."Text"`, name: (actor) => named(actor, chartNote, 'ParaId', 'point'), user: sql`t."UserId"` },
    where: sql`t."ParaId" in (select "Id" from p)`,
  },
}

const maySee = (actor: Actor, { name, permission, readBy }: Resource) =>
  actor.may.has(readBy ?? permission) && !actor.dataScope?.hidden[name]?.size

type Asked = { ParaIds: number[]; Start: number; End: number; Kinds?: OverlayKind[] | undefined }

/** Stored points of the question, those behind its formulas included. */
const pointsOf = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const seen = await db.rows<{ Id: number }>(
    sql`select t."Id" from point t where t."Id" = any(${ids}::bigint[]) and ${visible(point, actor)}`,
  )
  const stored = new Set(seen.map(({ Id }) => Id))
  const others = ids.filter((id) => !stored.has(id))
  const formulas = others.length ? await visibleFormulas(db, actor, others) : []
  if (formulas.length !== others.length) throw notFound()
  const behind = formulas.flatMap(({ PointIds }) => PointIds).filter((id) => !stored.has(id))
  const more = behind.length
    ? await db.rows<{ Id: number }>(sql`select t."Id" from point t where t."Id" = any(${behind}::bigint[]) and ${visible(point, actor)}`)
    : []
  return [...stored, ...more.map(({ Id }) => Id)]
}

/** Kinds that are few are listed, the fewest first, as long as all of them together are no more than fit; the others are counted. */
const listed = (counts: readonly { kind: OverlayKind; n: number }[]) => {
  let room = mostOverlaid
  return counts
    .toSorted((a, b) => a.n - b.n)
    .flatMap(({ kind, n }) => {
      room -= n
      return room >= 0 && n > 0 ? [kind] : []
    })
}

export const readOverlay = async (db: Db, actor: Actor, { ParaIds, Start, End, Kinds = [...overlayKinds] }: Asked) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  const ids = await pointsOf(db, actor, [...new Set(ParaIds)])
  const kinds = overlayKinds.filter((kind) => Kinds.includes(kind) && maySee(actor, parts[kind].of))
  const range = sql`to_timestamp(${Start}::float8 / 1000)`
  const until = sql`to_timestamp(${End}::float8 / 1000)`
  const points = sql`p as (
    select t."Id", t."DeviceId", d."GatewayId" from point t join device d on d."Id" = t."DeviceId" where t."Id" = any(${ids}::bigint[]))`
  const from = (kind: OverlayKind) => {
    const { of, at, where } = parts[kind]
    // Include alarms that were raised earlier and are still active.
    const since = kind === 'alarm' ? sql`(t."IsActive" = 1 or t."RecoverTime" >= ${range})` : sql`t.${sql.ref(at)} >= ${range}`
    return sql`from ${table(of)} t where ${where} and ${since} and t.${sql.ref(at)} < ${until} and ${visible(of, actor)}`
  }
  const step = Math.max(1, Math.ceil((End - Start) / buckets))
  const counts = await db.all(
    kinds.map(
      (kind) => sql<{ Bucket: number; Count: number }>`
      with ${points} select greatest(0, floor((${ms(parts[kind].at)} - ${Start}::bigint) / ${step}::float8))::int as "Bucket", count(*)::int as "Count"
      ${from(kind)} group by 1 order by 1`,
    ),
  )
  const totals = kinds.map((kind, i) => ({ kind, n: counts[i]!.reduce((sum, { Count }) => sum + Count, 0) }))
  const whole = listed(totals)
  const rows = await db.all(
    whole.map((kind) => {
      const { at, end, level, point: para, value, subject, text, name, user } = parts[kind]
      return sql<OverlayItem>`
        with ${points} select ${kind}::text as "Kind", t."Id", ${ms(at)} as "Time", ${end}::float8 as "End", ${level}::float8 as "Level", ${para}::float8 as "ParaId",
          ${value}::float8 as "Value", ${subject} as "Subject", ${text} as "Text", ${name(actor)} as "Name",
          ${user ? sql`coalesce(${titleOf(['', 'UserId', 'user'], actor)}, '')` : sql`''`} as "UserName"
        ${from(kind)} order by t.${sql.ref(at)} limit ${mostOverlaid}`
    }),
  )
  const Counts = kinds.flatMap((kind, i): OverlayCount[] =>
    whole.includes(kind) ? [] : counts[i]!.map(({ Bucket, Count }) => ({ Kind: kind, Time: Start + Bucket * step, Count })),
  )
  const Items = rows.flat().sort((a, b) => a.Time - b.Time)
  return { Items, Counts, Step: step, TotalCount: totals.reduce((sum, { n }) => sum + n, 0) }
}
