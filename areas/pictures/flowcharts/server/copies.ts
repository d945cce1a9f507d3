// Takes the pictures of a project along when it is copied.
import { sql } from 'kysely'
import type { Action, Parameter, Scene } from '../../../../contract/picture/scene.ts'
import { idOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { columns, visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { deviceInCopy, pointInCopy } from '../../../configuration/points/server/service.ts'
import { flowchart, viewing } from '../contract.ts'
import { type Named, namedByDevice, renamed } from './named.ts'
import { pointKeys } from './pointUse.ts'
import { assertRoom } from './room.ts'

/** Pictures that come along, and references that are listed. */
const [mostCopied, mostListed] = [200, 100]
type Between = { from: number; to: number }
type Chart = Row<typeof flowchart>
export type Unbound = { FlowchartName: string; Name: string }

const mayCopy = ({ may, dataScope }: Actor) =>
  may.has(`${flowchart.permission}.add`) && may.has(viewing) && !dataScope?.hidden[flowchart.name]?.size

/** How many pictures of a project come along with its copy. */
export const countPictures = async (db: Db, actor: Actor, project: number): Promise<number> => {
  if (!mayCopy(actor)) return 0
  const [row] = await db.rows<{ n: number }>(sql`
    select count(*)::int as n from (select 1 from flowchart t where t."ProjectId" = ${project} and ${visible(flowchart, actor)} limit ${mostCopied}) c`)
  return row!.n
}

type Found = Named & { Copy: number | null; Own: boolean }
/** Points by their Ids, with the one of the copy whose gateway, device and point have the same names. */
const pointsOf = (db: Db, actor: Actor, ids: readonly number[], { from, to }: Between) =>
  db.rows<Found>(sql`
    select t."Id", t."ParaName", d."Id" as "DeviceId", d."DeviceName", d."ModelId", g."ProjectId" = ${from} as "Own",
      ${pointInCopy(to)} as "Copy"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and ${visible(point, actor)}`)

/** The device of the copy for each of these, null where it has none. Devices of other projects stay. */
const devicesOf = async (db: Db, actor: Actor, ids: readonly number[], { from, to }: Between) => {
  const rows = await db.rows<{ Id: number; Copy: number | null }>(sql`
    select t."Id", ${deviceInCopy(to)} as "Copy" from device t join gateway g on g."Id" = t."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and g."ProjectId" = ${from} and ${visible(device, actor)}`)
  return new Map(rows.map(({ Id, Copy }) => [Id, Copy]))
}

type Parameters = readonly Parameter[] | undefined
const isDevice = (parameters: Parameters, name: string) => parameters?.some((one) => one.name === name && one.type === 'device') ?? false

type Context = { pictures: ReadonlyMap<number, number>; parameters: ReadonlyMap<number, Parameters> }
/** Devices that a scene names as values of parameters: its own, and those of pictures that it opens. */
const deviceValues = (scene: Scene, { parameters }: Context) => [
  ...(scene.parameters ?? []).flatMap(({ type, value }) =>
    type === 'device' && Number.isSafeInteger(Number(value)) ? [Number(value)] : [],
  ),
  ...scene.items.flatMap(({ acts = [] }) =>
    acts.flatMap(({ picture, parameters: given = {} }) =>
      Object.entries(given).flatMap(([name, value]) => (isDevice(parameters.get(picture ?? 0), name) ? [Number(value)] : [])),
    ),
  ),
]

/** The scene with the points, devices and pictures of the copy, and the names of points that the copy does not have. */
const bound = async (db: Db, actor: Actor, scene: Scene, between: Between, context: Context) => {
  const ids = [...referencesIn(scene).keys()].flatMap((key) => idOf(key) ?? [])
  const points = new Map((await pointsOf(db, actor, ids, between)).map((one) => [one.Id, one]))
  const devices = await devicesOf(db, actor, deviceValues(scene, context), between)
  const open = [...points.values()].filter(({ Own, Copy }) => Own && !Copy)
  const deviceFor = (value: unknown) => {
    const copy = devices.get(Number(value))
    return copy === undefined ? value : copy
  }
  const parameters = scene.parameters?.map(({ value, ...one }) => {
    const next = one.type === 'device' ? deviceFor(value) : value
    return { ...one, ...(next === null || next === undefined ? {} : { value: next }) } as Parameter
  })
  const actFor = (act: Action): Action => {
    const theirs = context.parameters.get(act.picture ?? 0)
    const given = Object.entries(act.parameters ?? {}).flatMap(([name, value]) => {
      const next = isDevice(theirs, name) ? deviceFor(value) : value
      return next === null ? [] : [[name, next]]
    })
    return {
      ...act,
      ...(act.picture ? { picture: context.pictures.get(act.picture) ?? act.picture } : {}),
      ...(act.parameters ? { parameters: Object.fromEntries(given) } : {}),
    }
  }
  const items = scene.items.map((item) => (item.acts ? { ...item, acts: item.acts.map(actFor) } : item))
  const mapped = await renamed({ ...scene, items, ...(parameters ? { parameters } : {}) }, (reference) => {
    const Copy = 'id' in reference ? points.get(reference.id)?.Copy : undefined
    return Copy ? { id: Copy } : reference
  })
  const gone = ids.filter((id) => !points.has(id)).map((id) => `#${id}`)
  return {
    scene: open.length ? await namedByDevice(mapped, open, { open: true }) : mapped,
    names: [...open.map(({ DeviceName, ParaName }) => `${DeviceName}.${ParaName}`), ...gone],
  }
}

type Store = {
  create: (db: Db, actor: Actor, given: Record<string, unknown>) => Promise<Chart>
  draft: (db: Db, id: number) => Promise<Scene>
}
/**
 * Copies the drafts of a project's pictures to another project, inside the caller's transaction. Points are found by the names of
 * gateway, device and point. Those that the copy does not have become names such as `{Pump 1.Speed}` whose device is open.
 */
export const copyPicturesWith =
  ({ create, draft }: Store) =>
  async (db: Db, actor: Actor, between: Between) => {
    const unbound: Unbound[] = []
    if (!mayCopy(actor)) return { Pictures: 0, Unbound: unbound }
    const charts = await db.rows<Chart>(sql`
    select ${columns(flowchart, actor)} from flowchart t where t."ProjectId" = ${between.from} and ${visible(flowchart, actor)}
    order by t."Id" limit ${mostCopied}`)
    const ids = charts.map(({ Id }) => Id)
    const given = await db.rows<{ Id: number; Parameters: Parameters }>(
      sql`select "FlowchartId" as "Id", "Scene" -> 'parameters' as "Parameters" from flowchart_draft where "FlowchartId" = any(${ids}::bigint[])`,
    )
    // First all of them, since they open each other.
    const pictures = new Map<number, number>()
    for (const { Id, FlowchartName, PlatformType, Sort, Remark } of charts)
      pictures.set(Id, (await create(db, actor, { FlowchartName, PlatformType, Sort, Remark, ProjectId: between.to })).Id)
    const context = { pictures, parameters: new Map(given.map((one) => [one.Id, one.Parameters])) }
    for (const { Id, FlowchartName } of charts) {
      const drawn = await draft(db, Id)
      await ownTurn()
      const { scene, names } = await bound(db, actor, drawn, between, context)
      await ownTurn()
      await db.rows(
        sql`update flowchart_draft set "Scene" = ${JSON.stringify(scene)}::jsonb, "PointKeys" = ${pointKeys(scene)}::text[] where "FlowchartId" = ${pictures.get(Id)}`,
      )
      unbound.push(...names.map((Name) => ({ FlowchartName, Name })))
    }
    if (charts[0]) await assertRoom(db, charts[0].EnterpriseId)
    return { Pictures: charts.length, Unbound: unbound.slice(0, mostListed) }
  }
