// Data of a board, in one call: limited to the saved board, and to the caller's scope.
import { sql } from 'kysely'
import { LogicOP } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { named, type Sql, visible } from '../../../../server/resource/sql.ts'
import { withDeltas } from '../../../../server/telemetry/deltas.ts'
import type { Formula } from '../../../../server/telemetry/meaning/formula.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { alarmsIn } from '../../../alarms/alarms/server/service.ts'
import { seenOf } from '../../../analysis/report-groups/server/service.ts'
import { chartedPoints, describedPoints, reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { mapCalls, mostOnMap } from '../../maps/contract.ts'
import { projectsOnMap } from '../../maps/server/service.ts'
import { type BoardContent, type BoardData, type boardParts, most, ofPast, type variables, type Widget } from '../contract.ts'
import { type Board, namedIn } from './named.ts'
import { readPictures } from './pictures.ts'

type Asked = {
  Parts?: (typeof boardParts)[number][]
  Start: number
  End: number
  Buckets?: number
  ProjectId?: number
  ModelId?: number
  DeviceId?: number
  DeviceIds?: number[]
}
export type Chosen = { project?: number | undefined; model?: number | undefined; devices: readonly number[] }

/** The selected records for the board's variables; by default those of the board. */
export const chosenOf = ({ Variables }: BoardContent, { ProjectId, ModelId, DeviceId, DeviceIds }: Asked, board: Board): Chosen => {
  const of = <T>(name: (typeof variables)[number], given: T | undefined, own: (id: number) => T) => {
    const variable = Variables.find(({ Name }) => Name === name)
    return variable && (given ?? (variable.Id ? own(variable.Id) : undefined))
  }
  const devices = DeviceIds?.length ? DeviceIds : DeviceId ? [DeviceId] : undefined
  return {
    project: of('project', ProjectId, (id) => id) ?? board.ProjectId ?? undefined,
    model: of('model', ModelId, (id) => id),
    devices: of('device', devices, (id) => [id]) ?? [],
  }
}

const [devices, points] = [() => named('device'), () => named('point')]
/** Condition for devices of the selection; devices named by a widget are not limited by it. */
const narrowed = ({ project, model }: Chosen): Sql => sql`
  (${project ?? null}::bigint is null or t."GatewayId" in (select "Id" from gateway where "ProjectId" = ${project ?? null}::bigint))
  and (${model ?? null}::bigint is null or t."ModelId" = ${model ?? null}::bigint)`

/** The selected devices that the caller sees, of the selected project and model, in order of selection. */
const chosenDevices = async (db: Db, actor: Actor, chosen: Chosen, enterprise: number) => {
  if (!chosen.devices.length) return []
  const rows = await db.rows<BoardData['Chosen'][number]>(sql`
    select "Id", "DeviceName" from device t
    where "Id" = any(${chosen.devices}::bigint[]) and "EnterpriseId" = ${enterprise} and ${visible(devices(), actor)} and ${narrowed(chosen)}`)
  return [...new Set(chosen.devices)].flatMap((id) => rows.find(({ Id }) => Id === id) ?? [])
}

/** As many devices as fit into the point limit with the named points of the board; at least one. */
const fitting = ({ Widgets }: BoardContent, all: BoardData['Chosen']) => {
  const names = (kinds?: readonly string[]) =>
    new Set(Widgets.filter(({ Kind }) => !kinds || kinds.includes(Kind)).flatMap((w) => w.PointNames ?? [])).size
  const own = (kinds?: readonly string[]) =>
    new Set(Widgets.filter(({ Kind }) => !kinds || kinds.includes(Kind)).flatMap((w) => w.Points ?? [])).size
  const room = (limit: number, kinds?: readonly string[]) => (names(kinds) ? Math.floor((limit - own(kinds)) / names(kinds)) : all.length)
  return all.slice(0, Math.max(1, Math.min(room(most.points), room(most.curves, ofPast))))
}

/** The groups of widgets, each with its first visible points. */
const groupsOf = async (db: Db, actor: Actor, content: BoardContent, enterprise: number) => {
  const ids = namedIn(content).reportGroup
  if (!ids.length) return []
  const rows = await db.rows<{ Id: number; GroupName: string; Points: { ParaId: number }[] }>(sql`
    select "Id", "GroupName", "Points" from report_group t
    where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${enterprise} and ${visible(named('reportGroup'), actor)}`)
  const all = rows.flatMap(({ Points }) => Points.map(({ ParaId }) => ParaId))
  const seen = await seenOf(db, actor, [...new Set(all)], enterprise)
  return rows.map(({ Id, GroupName, Points }): BoardData['Groups'][number] => {
    const shown = Points.map(({ ParaId }) => ParaId).filter((id) => seen.has(id))
    return { Id, GroupName, Points: shown.slice(0, most.pointsOfWidget) }
  })
}

/** The points of the board: by Id, by name in the selected devices, and by group. */
const pointsOf = async (
  { db, actor }: Reading,
  { Content, EnterpriseId }: Board,
  deviceIds: readonly number[],
  groups: BoardData['Groups'],
): Promise<(widget: Widget) => number[]> => {
  const names = [...new Set(Content.Widgets.flatMap((w) => w.PointNames ?? []))]
  const rows = await db.rows<{ Id: number; ParaName: string; DeviceId: number }>(sql`
    select "Id", "ParaName", "DeviceId" from point t where "EnterpriseId" = ${EnterpriseId} and ${visible(points(), actor)}
      and ("Id" = any(${namedIn(Content).point}::bigint[]) or "DeviceId" = any(${deviceIds}::bigint[]) and "ParaName" = any(${names}::text[]))
    order by "Id" limit ${2 * most.points}`)
  return (widget) => {
    const own = rows.filter(
      ({ Id, ParaName, DeviceId }) =>
        widget.Points?.includes(Id) || (deviceIds.includes(DeviceId) && widget.PointNames?.includes(ParaName)),
    )
    return [...own.map(({ Id }) => Id), ...(groups.find(({ Id }) => Id === widget.Group)?.Points ?? [])]
  }
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

const alarmsOf = async (db: Db, actor: Actor, language: Language, content: BoardContent, { project, devices }: Chosen) => {
  if (!content.Widgets.some(({ Kind }) => Kind === 'alarms')) return []
  if (!actor.may.has(alarmInfo.permission)) return null
  const equal = Object.entries({ IsActive: 1, ProjectId: project }).flatMap(([Field, Value]) =>
    Value === undefined ? [] : [{ Field, Value, LogicOP: LogicOP.equals }],
  )
  const of = devices.length ? [{ Field: 'DeviceId', Value: devices.join(), LogicOP: LogicOP.oneOf }] : []
  const QueryConditions = [...equal, ...of]
  const q = readListing({ PageIndex: 1, PageSize: most.rows, QueryInfo: { RelOP: 1, QueryConditions } })
  return (await alarmsIn(language).list(db, actor, q)).Items
}

/** The projects of a map: the selected one, or all visible ones. */
const mapOf = async (db: Db, actor: Actor, { Content, EnterpriseId }: Board, { project }: Chosen) => {
  if (!Content.Widgets.some(({ Kind }) => Kind === 'map')) return []
  if (!actor.may.has(mapCalls.projects.permission)) return null
  const of = { EnterpriseId, ...(project && { Id: project }) }
  return (await pageInTurn({ size: mostOnMap }, actor, () => projectsOnMap(db, actor, of))).Items
}

type Reading = { db: Db; actor: Actor; language: Language; telemetry: Pick<Telemetry, 'query' | 'latest' | 'withFormulas'> }

/** History of points, stored and computed. */
const pastOf = async ({ db, actor, telemetry }: Reading, ids: number[], { Start, End, Buckets = 300 }: Asked) => {
  // A formula over an invisible point has no history.
  const { formulas } = await chartedPoints(db, actor, ids).catch((error) => {
    if (error instanceof Fault && error.key === 'notFound') return { formulas: new Map<number, Formula>() }
    throw error
  })
  const { query } = formulas.size ? telemetry.withFormulas(formulas) : telemetry
  const read = () => query.series({ ids, start: Start, end: End, buckets: Buckets, zone: actor.tenantZone })
  return formulas.size ? reckonInTurn(actor, read) : read()
}

export const readData = async (reading: Reading, board: Board, asked: Asked): Promise<BoardData> => {
  const { db, actor, language, telemetry } = reading
  const { Start, End, Parts } = asked
  const [hasNow, hasPast, hasPictures] = (['now', 'past', 'pictures'] as const).map((part) => !Parts || Parts.includes(part))
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  const { Content, EnterpriseId } = board
  const chosen = chosenOf(Content, asked, board)
  const all = await chosenDevices(db, actor, chosen, EnterpriseId)
  const Chosen = fitting(Content, all)
  const deviceIds = Chosen.map(({ Id }) => Id)
  const head = { DeviceId: deviceIds[0] ?? null, Chosen, Left: all.length - Chosen.length }
  const Pictures = hasPictures ? await readPictures(reading, board, deviceIds) : []
  if (!hasNow && !hasPast) return { ...head, Points: [], Groups: [], Latest: [], Past: null, Devices: [], Alarms: [], Map: [], Pictures }
  const Groups = await groupsOf(db, actor, Content, EnterpriseId)
  const shown = await pointsOf(reading, board, deviceIds, Groups)
  const idsOf = (widgets: readonly Widget[]) => [...new Set(widgets.flatMap(shown))]
  const pointIds = idsOf(Content.Widgets).slice(0, most.points)
  const past = idsOf(Content.Widgets.filter(({ Kind }) => ofPast.includes(Kind))).slice(0, most.curves)
  const Points = await describedPoints(db, actor, language, pointIds)
  const digits = new Map(Points.map((p) => [p.ParaId, p.DecimalDigits]))
  const [Past, Devices, Alarms, onMap] = await Promise.all([
    past.length && hasPast ? pastOf(reading, past, asked).then((s) => withDeltas(s, digits)) : null,
    hasNow ? devicesOf(db, actor, Content, chosen, EnterpriseId) : [],
    hasNow ? alarmsOf(db, actor, language, Content, { ...chosen, devices: deviceIds }) : [],
    hasNow ? mapOf(db, actor, board, chosen) : [],
  ])
  const Latest = pointIds.flatMap((ParaId) => {
    const s = telemetry.latest.get(ParaId)
    return s ? [{ ParaId, Time: s.time, Value: s.value, Quality: s.quality }] : []
  })
  return { ...head, Points, Groups, Latest, Past, Devices, Alarms, Map: onMap, Pictures }
}
