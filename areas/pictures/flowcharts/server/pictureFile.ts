// Pictures as files.
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import { ownKey } from '../../../../contract/picture/ownSymbol.ts'
import { type Action, type Item, liftScene, type Parameter, type Scene } from '../../../../contract/picture/scene.ts'
import { idOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { adoptSymbols } from '../../symbols/server/service.ts'
import { flowchart } from '../contract.ts'
import type { PictureFile, pictureFileCalls } from '../picture-file.ts'
import { type Named, namedByDevice, renamed } from './named.ts'
import { readScene } from './readScene.ts'
import { assertPoints, charts, createPicture, draftScene } from './service.ts'

const isElsewhere = (item: Item) => item.kind === 'image' || 'picture' in item
const opens = ({ picture, device }: Action) => picture !== undefined || device !== undefined

/** The scene without parts that exist only in its company and project: images, other pictures, models and devices. */
const portable = (scene: Scene) => {
  const gone = new Set(scene.items.filter(isElsewhere).map(({ id }) => id))
  const isLoose = (item: Item) => item.kind === 'pipe' && [item.from, item.to].some((end) => 'item' in end && gone.has(end.item))
  const stays = scene.items.filter((item) => !gone.has(item.id) && !isLoose(item))
  let left = scene.items.length - stays.length
  const items = stays.map((item): Item => {
    if (item.kind === 'alarms' && item.device !== undefined) {
      const { device: _, ...all } = item
      return all
    }
    if (!item.acts?.some(opens)) return item
    const { acts, ...rest } = item
    left += acts.filter(opens).length
    const others = acts.filter((act) => !opens(act))
    return (others.length ? { ...rest, acts: others } : rest) as Item
  })
  const parameters = scene.parameters?.map(({ model: _, value, ...one }): Parameter => {
    const isOwn = one.type === 'device' || one.type === 'point' || one.type === 'model'
    return { ...one, ...(isOwn || value === undefined ? {} : { value }) }
  })
  return { scene: { ...scene, items, ...(parameters ? { parameters } : {}) }, left }
}

/** The draft as a file. It contains no names of points that the caller may not see. */
export const toFile = async (db: Db, actor: Actor, id: number): Promise<PictureFile> => {
  const { FlowchartName, PlatformType } = await charts.find(db, actor, id)
  const scene = await draftScene(db, actor, id)
  const ids = [...referencesIn(scene).keys()].flatMap((key) => idOf(key) ?? [])
  const points = await db.rows<Named>(sql`
    select t."Id", t."ParaName", d."Id" as "DeviceId", d."DeviceName", d."ModelId" from point t join device d on d."Id" = t."DeviceId"
    where t."Id" = any(${ids}::bigint[]) and ${visible(point, actor)}`)
  const named = await namedByDevice(scene, points)
  const plain = await renamed(named, (reference) => ('id' in reference ? { name: 'Withheld.Point' } : reference))
  const given = (plain.parameters ?? []).flatMap(({ name, type, value }) =>
    type === 'device' && value ? [[name, Number(value)] as const] : [],
  )
  const devices = await db.rows<{ Id: number; DeviceName: string }>(
    sql`select t."Id", t."DeviceName" from device t where t."Id" = any(${given.map(([, id]) => id)}::bigint[]) and ${visible(device, actor)}`,
  )
  const names = new Map(devices.map((one) => [one.Id, one.DeviceName]))
  const { scene: Scene, left } = portable(plain)
  return {
    ...{ Format: 'penstock-picture', Version: 1, FlowchartName, PlatformType: PlatformType === 2 ? 2 : 1 },
    Devices: Object.fromEntries(given.flatMap(([name, id]) => (names.has(id) ? [[name, names.get(id)!]] : []))),
    ...{ Left: left, Scene },
  }
}

/** Replaces symbol references by the Ids of this company's symbols. */
const withSymbols = async (db: Db, actor: Actor, scene: Scene, enterprise: number) => {
  const { symbols = [] } = scene
  if (!symbols.length) return { scene, made: 0 }
  const adopted = await adoptSymbols(
    db,
    actor,
    symbols.map(({ name, drawing }) => ({ SymbolName: name, Drawing: drawing })),
    enterprise,
  )
  const keys = new Map(symbols.map(({ id }, i) => [id, ownKey(adopted[i]!.Id)]))
  const here = new Map(symbols.map((one, i) => [keys.get(one.id)!, { ...one, id: keys.get(one.id)!, name: adopted[i]!.SymbolName }]))
  const items = scene.items.map((item) => (item.kind === 'symbol' ? { ...item, symbol: keys.get(item.symbol) ?? item.symbol } : item))
  return { scene: { ...scene, items, symbols: [...here.values()] }, made: adopted.filter(({ Made }) => Made).length }
}

/** Sets parameters to the devices of the project with the same names. An ambiguous name matches no device. */
const withDevices = async (db: Db, actor: Actor, scene: Scene, project: number, devices: PictureFile['Devices']) => {
  const names = Object.values(devices)
  const found = names.length
    ? await db.rows<{ Id: number; DeviceName: string }>(sql`
        select min(t."Id") as "Id", t."DeviceName" from device t join gateway g on g."Id" = t."GatewayId"
        where g."ProjectId" = ${project} and t."DeviceName" = any(${names}::text[]) and ${visible(device, actor)}
        group by t."DeviceName" having count(*) = 1`)
    : []
  const ids = new Map(found.map((one) => [one.DeviceName, one.Id]))
  const deviceOf = ({ name, type }: Parameter) => (type === 'device' && Object.hasOwn(devices, name) ? ids.get(devices[name]!) : undefined)
  const parameters = scene.parameters?.map((one) => {
    const value = deviceOf(one)
    return value === undefined ? one : { ...one, value }
  })
  const open = (parameters ?? []).flatMap(({ name, type, value }) => (type === 'device' && value === undefined ? [name] : []))
  return { scene: { ...scene, ...(parameters ? { parameters } : {}) }, open }
}

/** Creates a picture from a file. The file is untrusted: its scene is validated like a drawn one. */
export const fromFile = async (
  db: Db,
  actor: Actor,
  { ProjectId, FlowchartName, File }: Body<typeof pictureFileCalls.fromFile>,
): Promise<Answer<typeof pictureFileCalls.fromFile>> => {
  const read = portable(await readScene(liftScene(File.Scene as Scene))).scene
  return db.tx(async (db) => {
    const [to] = await db.rows<{ EnterpriseId: number }>(
      sql`select t."EnterpriseId" from project t where t."Id" = ${ProjectId} and ${visible(project, actor)}`,
    )
    if (!to) throw new FieldFaults([{ field: 'ProjectId', rule: 'unknownReference' }])
    const { scene: drawn, made } = await withSymbols(db, actor, read, to.EnterpriseId)
    const { scene, open } = await withDevices(db, actor, drawn, ProjectId, File.Devices)
    const wanted = FlowchartName ?? File.FlowchartName
    const among = sql`t."ProjectId" = ${ProjectId}`
    const [taken] = await db.rows(sql`select 1 from flowchart t where ${among} and t."FlowchartName" = ${wanted} limit 1`)
    // An explicit name that is taken is an error.
    const name = taken && !FlowchartName ? await copyName(db, flowchart, wanted.slice(0, 18), among) : wanted
    const row = await createPicture(db, actor, { FlowchartName: name, ProjectId, PlatformType: File.PlatformType }, scene)
    await assertPoints(db, actor, row, scene)
    return { Id: row.Id, FlowchartName: row.FlowchartName, Open: open, Symbols: made }
  })
}
