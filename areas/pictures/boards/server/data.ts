// What a board shows, in one call: as much as the saved board names, and of that what the caller sees.
import { sql } from 'kysely'
import { LogicOP } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { named, type Sql, visible } from '../../../../server/resource/sql.ts'
import { withDeltas } from '../../../../server/telemetry/deltas.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { alarmsIn } from '../../../alarms/alarms/server/service.ts'
import { paraInfo } from '../../../analysis/telemetry/server/service.ts'
import { type BoardContent, type BoardData, most, ofPast, type Widget } from '../contract.ts'
import { type Board, namedIn } from './named.ts'

type Asked = {
  Part?: 'now' | 'past'
  Start: number
  End: number
  Buckets?: number
  ProjectId?: number
  ModelId?: number
  DeviceId?: number
}
type Chosen = { project?: number | undefined; model?: number | undefined; device?: number | undefined }

/** What people chose, of the variables that the board has; otherwise what it names itself. */
const chosenOf = ({ Variables }: BoardContent, { ProjectId, ModelId, DeviceId }: Asked, board: Board): Chosen => {
  const given = { project: ProjectId, model: ModelId, device: DeviceId }
  const of = (name: keyof Chosen) => {
    const variable = Variables.find(({ Name }) => Name === name)
    return variable && (given[name] ?? variable.Id)
  }
  return { project: of('project') ?? board.ProjectId ?? undefined, model: of('model'), device: of('device') }
}

const [devices, points] = [() => named('device'), () => named('point')]
/** Devices of the choice; those that a widget names are not narrowed by it. */
const narrowed = ({ project, model }: Chosen): Sql => sql`
  (${project ?? null}::bigint is null or t."GatewayId" in (select "Id" from gateway where "ProjectId" = ${project ?? null}::bigint))
  and (${model ?? null}::bigint is null or t."ModelId" = ${model ?? null}::bigint)`

/** The chosen device, if the caller sees it and it is one of the chosen project and model. */
const deviceOf = async (db: Db, actor: Actor, chosen: Chosen, enterprise: number) => {
  if (!chosen.device) return null
  const [row] = await db.rows<{ Id: number }>(sql`
    select "Id" from device t where "Id" = ${chosen.device} and "EnterpriseId" = ${enterprise} and ${visible(devices(), actor)} and ${narrowed(chosen)}`)
  return row?.Id ?? null
}

/** The points that the board names: by Id, and by their names in the chosen device. */
const pointsOf = async (db: Db, actor: Actor, content: BoardContent, deviceId: number | null, enterprise: number) => {
  const names = [...new Set(content.Widgets.flatMap((w) => w.PointNames ?? []))]
  const rows = await db.rows<{ Id: number; ParaName: string; DeviceId: number }>(sql`
    select "Id", "ParaName", "DeviceId" from point t where "EnterpriseId" = ${enterprise} and ${visible(points(), actor)}
      and ("Id" = any(${namedIn(content).point}::bigint[]) or "DeviceId" = ${deviceId} and "ParaName" = any(${names}::text[]))
    order by "Id" limit ${2 * most.points}`)
  return (widget: Widget) =>
    rows.filter(
      ({ Id, ParaName, DeviceId }) => widget.Points?.includes(Id) || (DeviceId === deviceId && widget.PointNames?.includes(ParaName)),
    )
}

const devicesOf = async (db: Db, actor: Actor, content: BoardContent, chosen: Chosen, enterprise: number) => {
  const tables = content.Widgets.filter(({ Kind }) => Kind === 'devices')
  if (!tables.length) return []
  const ids = [...new Set(tables.flatMap((w) => w.Devices ?? []))]
  const rest = tables.some((w) => !w.Devices?.length) ? narrowed(chosen) : sql`false`
  return db.rows<BoardData['Devices'][number]>(sql`
    select "Id", "DeviceName", "Status", (extract(epoch from "LastDataTime") * 1000)::float8 as "LastTime" from device t
    where "EnterpriseId" = ${enterprise} and ${visible(devices(), actor)} and ("Id" = any(${ids}::bigint[]) or ${rest})
    order by "Id" = any(${ids}::bigint[]) desc, "DeviceName", "Id" limit ${most.devices + ids.length}`)
}

const alarmsOf = async (db: Db, actor: Actor, language: Language, content: BoardContent, { project, device }: Chosen) => {
  if (!content.Widgets.some(({ Kind }) => Kind === 'alarms')) return []
  if (!actor.may.has(alarmInfo.permission)) return null
  const QueryConditions = Object.entries({ IsActive: 1, ProjectId: project, DeviceId: device }).flatMap(([Field, Value]) =>
    Value === undefined ? [] : [{ Field, Value, LogicOP: LogicOP.equals }],
  )
  const q = readListing({ PageIndex: 1, PageSize: most.rows, QueryInfo: { RelOP: 1, QueryConditions } })
  return (await alarmsIn(language).list(db, actor, q)).Items
}

export const readData = async (
  { db, actor, language, telemetry }: { db: Db; actor: Actor; language: Language; telemetry: Pick<Telemetry, 'query' | 'latest'> },
  board: Board,
  asked: Asked,
): Promise<BoardData> => {
  const { Start, End, Buckets = 300, Part } = asked
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  const { Content, EnterpriseId } = board
  const chosen = chosenOf(Content, asked, board)
  const DeviceId = await deviceOf(db, actor, chosen, EnterpriseId)
  const shown = await pointsOf(db, actor, Content, DeviceId, EnterpriseId)
  const idsOf = (widgets: readonly Widget[]) => [...new Set(widgets.flatMap((w) => shown(w).map(({ Id }) => Id)))]
  const pointIds = idsOf(Content.Widgets).slice(0, most.points)
  const past = idsOf(Content.Widgets.filter(({ Kind }) => ofPast.includes(Kind))).slice(0, most.curves)
  const Points = pointIds.length ? await paraInfo(db, actor, language, { pointIds }) : []
  const digits = new Map(Points.map((p) => [p.ParaId, p.DecimalDigits]))
  const [Past, Devices, Alarms] = await Promise.all([
    past.length && Part !== 'now'
      ? telemetry.query
          .series({ ids: past, start: Start, end: End, buckets: Buckets, zone: actor.tenantZone })
          .then((s) => withDeltas(s, digits))
      : null,
    Part === 'past' ? [] : devicesOf(db, actor, Content, chosen, EnterpriseId),
    Part === 'past' ? [] : alarmsOf(db, actor, language, Content, { ...chosen, device: DeviceId ?? undefined }),
  ])
  const Latest = pointIds.flatMap((ParaId) => {
    const s = telemetry.latest.get(ParaId)
    return s ? [{ ParaId, Time: s.time, Value: s.value, Quality: s.quality }] : []
  })
  return { DeviceId, Points, Latest, Past, Devices, Alarms }
}
