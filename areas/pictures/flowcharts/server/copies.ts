// Copies the pictures of a project with the project.
import { sql } from 'kysely'
import type { Action, Item, Parameter, Scene } from '../../../../contract/picture/scene.ts'
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

/** Maximum copied pictures, and listed references. */
const [mostCopied, mostListed] = [200, 100]
type Between = { from: number; to: number }
type Chart = Row<typeof flowchart>
export type Unbound = { FlowchartName: string; Name: string }

const mayCopy = ({ may, dataScope }: Actor) =>
  may.has(`${flowchart.permission}.add`) && may.has(viewing) && !dataScope?.hidden[flowchart.name]?.size

/** Number of pictures that are copied with a project. */
export const countPictures = async (db: Db, actor: Actor, project: number): Promise<number> => {
  if (!mayCopy(actor)) return 0
  const [row] = await db.rows<{ n: number }>(sql`
    select count(*)::int as n from (select 1 from flowchart t where t."ProjectId" = ${project} and ${visible(flowchart, actor)} limit ${mostCopied}) c`)
  return row!.n
}

type Found = Named & { Copy: number | null; Own: boolean }
/** Points by Id, with the point of the copy that has the same gateway, device and point name. */
const pointsOf = (db: Db, actor: Actor, ids: readonly number[], { from, to }: Between) =>
  db.rows<Found>(sql`
    select t."Id", t."ParaName", d."Id" as "DeviceId", d."DeviceName", d."ModelId", g."ProjectId" = ${from} as "Own",
      ${pointInCopy(to)} as "Copy"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and ${visible(point, actor)}`)

/** The device of the copy for each of these, null if it has none. Devices of other projects stay. */
const devicesOf = async (db: Db, actor: Actor, ids: readonly number[], { from, to }: Between) => {
  const rows = await db.rows<{ Id: number; Copy: number | null }>(sql`
    select t."Id", ${deviceInCopy(to)} as "Copy" from device t join gateway g on g."Id" = t."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and g."ProjectId" = ${from} and ${visible(device, actor)}`)
  return new Map(rows.map(({ Id, Copy }) => [Id, Copy]))
}

type Parameters = readonly Parameter[] | undefined
type Context = { pictures: ReadonlyMap<number, number>; parameters: ReadonlyMap<number, Parameters> }
type Given = NonNullable<Action['parameters']>
/** Ids used as values of parameters of a type: the scene's own, and those for pictures that it opens or embeds. */
const valuesOf = (scene: Scene, type: 'device' | 'point', { parameters }: Context): number[] => {
  const own = (scene.parameters ?? []).flatMap((one) => (one.type === type ? [one.value] : []))
  const passed = scene.items.flatMap((item) =>
    [...(item.kind === 'view' ? [item] : []), ...(item.acts ?? [])].flatMap(({ picture, parameters: given = {} }) =>
      Object.entries(given).flatMap(([name, value]) =>
        parameters.get(picture ?? 0)?.some((one) => one.name === name && one.type === type) ? [value] : [],
      ),
    ),
  )
  const named = scene.items.flatMap((item) => [
    ...(item.kind === 'alarms' ? [item.device] : []),
    ...(item.acts ?? []).map(({ device }) => device),
  ])
  return [...own, ...passed, ...(type === 'device' ? named : [])].map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
}

/** The scene with the points, devices and pictures of the copy, and the names of points that the copy lacks. */
const bound = async (db: Db, actor: Actor, scene: Scene, between: Between, context: Context) => {
  const ids = [...referencesIn(scene).keys()].flatMap((key) => idOf(key) ?? [])
  const known = await pointsOf(db, actor, [...ids, ...valuesOf(scene, 'point', context)], between)
  const points = new Map(known.map((one) => [one.Id, one]))
  const devices = await devicesOf(db, actor, valuesOf(scene, 'device', context), between)
  const named = new Set(ids)
  const open = known.filter(({ Id, Own, Copy }) => named.has(Id) && Own && !Copy)
  /** Null: the copy lacks it. */
  const valueFor = (type: Parameter['type'] | undefined, value: string | number) => {
    const point = type === 'point' ? points.get(Number(value)) : undefined
    if (point?.Own) return point.Copy
    const copy = type === 'device' ? devices.get(Number(value)) : undefined
    return copy === undefined ? value : copy
  }
  const parameters = scene.parameters?.map(({ value, ...one }) => {
    const next = value === undefined ? null : valueFor(one.type, value)
    return { ...one, ...(next === null ? {} : { value: next }) }
  })
  const passedTo = (picture: number | undefined, given: Given) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => {
        const next = valueFor(context.parameters.get(picture ?? 0)?.find((one) => one.name === name)?.type, value)
        return next === null ? [] : [[name, next]]
      }),
    )
  const withDevice = <T extends { device?: string | number }>(of: T): T => {
    const next = of.device === undefined ? undefined : valueFor('device', of.device)
    const { device: _, ...rest } = of
    return (next === undefined || next === null ? rest : { ...rest, device: next }) as T
  }
  const actFor = (act: Action): Action => ({
    ...withDevice(act),
    ...(act.picture ? { picture: context.pictures.get(act.picture) ?? act.picture } : {}),
    ...(act.parameters ? { parameters: passedTo(act.picture, act.parameters) } : {}),
  })
  const items = scene.items.map((item): Item => {
    const next = item.acts ? { ...item, acts: item.acts.map(actFor) } : item
    if (next.kind === 'alarms') return withDevice(next)
    if (next.kind !== 'view') return next
    const picture = context.pictures.get(next.picture) ?? next.picture
    return { ...next, picture, ...(next.parameters ? { parameters: passedTo(next.picture, next.parameters) } : {}) }
  })
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
 * Copies the drafts of a project's pictures to another project, inside the caller's transaction. Finds points by the names of
 * gateway, device and point. Points that the copy lacks become names such as `{Pump 1.Speed}` with an open device.
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
    // Pictures of other projects stay, but their parameters may be devices that are copied.
    const given = await db.rows<{ Id: number; Parameters: Parameters }>(sql`
      select "FlowchartId" as "Id", "Scene" -> 'parameters' as "Parameters" from flowchart_draft where "FlowchartId" = any(${ids}::bigint[])
        or "FlowchartId" in (
          select p::bigint from flowchart_draft d, jsonb_array_elements(d."Pictures") p where d."FlowchartId" = any(${ids}::bigint[]))`)
    const devices = await devicesOf(
      db,
      actor,
      charts.flatMap(({ DeviceId }) => DeviceId ?? []),
      between,
    )
    // Creates all pictures first, since they refer to each other.
    const pictures = new Map<number, number>()
    for (const { Id, DeviceId, FlowchartName, PlatformType, Purpose, ModelId, Sort, Remark } of charts) {
      const own = (DeviceId && devices.get(DeviceId)) || null
      const given = { FlowchartName, PlatformType, Purpose, ModelId, DeviceId: own, Sort, Remark, ProjectId: between.to }
      pictures.set(Id, (await create(db, actor, given)).Id)
    }
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
