// The content of a link for its viewers, by kind: no lists, no alarm texts, no names beyond the shared content.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { actedOn } from '../../../../contract/picture/scene.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { paraInfo } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import type { BoardContent, boardRanges, Widget } from '../../boards/contract.ts'
import { boardsService, chosenOf, readData } from '../../boards/server/service.ts'
import { parameterValues } from '../../flowcharts/contract.ts'
import { composedOf, curvesOf, pointsOf, shownScene } from '../../flowcharts/server/service.ts'
import type { DrawnLayer } from '../../maps/contract.ts'
import { drawnLayers, projectOnMap, projectsOnMap, type Tiles } from '../../maps/server/service.ts'
import type { SharedBoard, SharedMap, SharedPicture, SharedProject } from '../contract.ts'
import type { Looked } from './lookers.ts'

type Reading = Pick<Telemetry, 'latest' | 'query' | 'withFormulas'>
type Seen = Looked & { language: Language; telemetry: Reading; tiles: Pick<Tiles, 'source'>; now: number }

/** Points of a picture without their device. */
const bare = (p: ParaInfo): ParaInfo => ({ ...p, DeviceId: 0, DeviceName: '' })

export const sharedPicture = async ({ target, actor, db, language, telemetry, now }: Seen): Promise<SharedPicture> => {
  const { row, version, scene } = await shownScene(db, actor, target.FlowchartId!)
  const given = parameterValues(target.Parameters ?? [])
  const { inside, composed } = await composedOf(db, actor, row, scene, given)
  const { Points, ...rest } = await pointsOf(db, actor, telemetry.latest, { scene: composed.scene, owner: row, given: {}, language })
  const still = (of: typeof scene) => actedOn(of, () => false)
  const Inside = inside.map((one) => ({ ...one, FlowchartName: '', Scene: still(one.Scene) }))
  const Curves = await curvesOf(db, actor, telemetry, { row, composed }, { language, now })
  return { Scene: still(scene), Given: given, Inside, Curves, Version: version, Points: Points.map(bare), ...rest }
}

/** Widgets that require an account: they list alarms, mirror Home, or compute data with the viewer's permissions. */
const withheld: readonly Widget['Kind'][] = ['alarms', 'card', 'chart']
/** Limits a table of devices to those it names, and a map to the project of the dashboard. */
const cut = (content: BoardContent, project: number | undefined): BoardContent => ({
  ...content,
  Widgets: content.Widgets.filter(({ Kind, Devices }) => {
    if (Kind === 'devices') return !!Devices?.length
    return Kind === 'map' ? project !== undefined : !withheld.includes(Kind)
  }),
})
const spans: Readonly<Record<(typeof boardRanges)[number], number>> = {
  ...{ '15m': 15, '1h': 60, '6h': 360, '24h': 1440, '7d': 7 * 1440, '30d': 30 * 1440 },
}

const idsIn = (text: unknown) =>
  String(text ?? '')
    .split(',')
    .flatMap((id) => (Number(id) ? [Number(id)] : []))

/** The default layers of maps. A plan has its path, which the visit turns into an address. */
const layersOf = async ({ db, actor }: Seen, project?: number) =>
  (await drawnLayers(db, actor, async (path) => path, project)).filter(({ IsShown }) => IsShown === 1)
const plansOf = (layers: readonly DrawnLayer[]) => Object.fromEntries(layers.flatMap(({ Url }) => (Url ? [[Url, '']] : [])))

/** A dashboard, and the addresses of its images. */
export const sharedBoard = async (seen: Seen): Promise<SharedBoard> => {
  const { target, actor, db, language, telemetry, now, tiles } = seen
  const board = await boardsService.find(db, actor, target.VisualBoardId!)
  const End = Math.ceil(now / 10_000) * 10_000
  const Start = End - spans[board.Content.Range] * 60_000
  const chosen = parameterValues(target.Parameters ?? [])
  const of = (name: string) => (Number(chosen[name]) ? { [name]: Number(chosen[name]) } : {})
  const DeviceIds = idsIn(chosen.DeviceIds)
  const asked = {
    Start,
    End,
    Buckets: 300,
    ...of('ProjectId'),
    ...of('ModelId'),
    ...of('DeviceId'),
    ...(DeviceIds.length && { DeviceIds }),
  }
  const { project } = chosenOf(board.Content, asked, board)
  const Content = cut(board.Content, project)
  const Data = await readData({ db, actor, language, telemetry }, { ...board, Content }, asked)
  const paths = Content.Widgets.flatMap(({ Kind, Image }) => (Kind === 'image' && Image ? [[Image, ''] as const] : []))
  const hasMap = Content.Widgets.some(({ Kind }) => Kind === 'map')
  const Layers = hasMap ? await layersOf(seen, project) : []
  const Images = { ...Object.fromEntries(paths), ...plansOf(Layers) }
  return { Content, Data, Start, End, Images, Layers, Tiles: hasMap ? await tiles.source(actor) : null }
}

export const sharedMap = async (seen: Seen): Promise<SharedMap> => {
  const { Items, TotalMore } = await projectsOnMap(seen.db, seen.actor, {})
  const Layers = await layersOf(seen)
  return { Items, TotalMore, Layers, Images: plansOf(Layers), Tiles: await seen.tiles.source(seen.actor) }
}

/** Maximum points of the key values, in the project's display order. */
const mostKeyPoints = 60
export const sharedProject = async ({ target, actor, db, language, telemetry }: Seen): Promise<SharedProject> => {
  const Project = await projectOnMap(db, actor, target.ProjectId!)
  const [keys, levels] = await db.all([
    sql<{ Id: number }>`
      select t."Id" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
      where g."ProjectId" = ${target.ProjectId} and t."IsChartShow" = 2 and ${visible(point, actor)} order by d."Id", t."Id" limit ${mostKeyPoints}`,
    sql<{ Level: number; Count: number }>`
      select t."AlarmLevel"::int as "Level", count(*)::int as "Count" from alarm_info t
      where t."IsActive" = 1 and t."ProjectId" = ${target.ProjectId} and ${visible(alarmInfo, actor)} group by 1`,
  ])
  const pointIds = (keys as { Id: number }[]).map(({ Id }) => Id)
  const Points = pointIds.length ? await paraInfo(db, actor, language, { pointIds }) : []
  return {
    Project,
    Points,
    Values: Points.flatMap(({ ParaId }) => {
      const s = telemetry.latest.get(ParaId)
      return s ? [{ ParaId, Time: s.time, Value: s.value, Quality: s.quality }] : []
    }),
    Levels: Object.fromEntries((levels as { Level: number; Count: number }[]).map(({ Level, Count }) => [Level, Count])),
  }
}
