// Faceplates: the panel beside a symbol, either a published picture or the default for any device.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Values } from '../../../../contract/picture/compose.ts'
import { faceplateOf } from '../../../../contract/picture/faceplate.ts'
import type { Action, Parameter, Scene } from '../../../../contract/picture/scene.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { paraInfo } from '../../../analysis/telemetry/server/service.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { flowchart, type flowchartCalls } from '../contract.ts'

type Device = { Id: number; DeviceName: string; ModelId: number | null; ProjectId: number; EnterpriseId: number }
type Published = { Id: number; FlowchartName: string; Version: number; Scene: Scene }
export type Face = {
  device: { Id: number; DeviceName: string } | null
  picture: Published | undefined
  /** Without a picture: values, trend and alarms of the device. */
  scene: Scene
  given: Values
}

export const deviceOf = async (db: Db, actor: Actor, id: number): Promise<Device | undefined> => {
  const [found] = await db.rows<Device>(sql`
    select t."Id", t."DeviceName", t."ModelId", g."ProjectId", t."EnterpriseId" from device t join gateway g on g."Id" = t."GatewayId"
    where t."Id" = ${id} and ${visible(device, actor)}`)
  return found
}

const shown = sql`
  flowchart t join flowchart_version v on v."FlowchartId" = t."Id"
    and v."Version" = case when t."VersionMode" = 1 and t."VersionNo" is not null then t."VersionNo" else t."Version" end`

/** The published picture of a device: its own, otherwise its model's; its own project takes precedence. */
const publishedFor = async (db: Db, actor: Actor, of: Device, purpose: 0 | 1): Promise<Published | undefined> => {
  const [found] = await db.rows<Published>(sql`
    select t."Id", t."FlowchartName", v."Version", v."Scene" from ${shown}
    where t."State" = 1 and t."Purpose" = ${purpose} and t."EnterpriseId" = ${of.EnterpriseId} and ${visible(flowchart, actor)}
      and (t."DeviceId" = ${of.Id} or t."DeviceId" is null and t."ModelId" = ${of.ModelId}::bigint)
    order by t."DeviceId" is null, t."ProjectId" <> ${of.ProjectId}, t."Sort", t."Id" limit 1`)
  return found
}

/** The parameter for the device: the first one of type device with this model or any model. */
const parameterFor = ({ parameters = [] }: Pick<Scene, 'parameters'>, { ModelId }: Device, taken: Values = {}): Parameter | undefined =>
  parameters.find(({ name, type, model }) => type === 'device' && !Object.hasOwn(taken, name) && (!model || model === ModelId))

/** The content of a faceplate action. @throws Fault `notFound` */
export const faceOf = async (db: Db, actor: Actor, owner: { EnterpriseId: number }, action: Action, language: Language): Promise<Face> => {
  const id = Number(action.device)
  const found = Number.isSafeInteger(id) && id > 0 ? await deviceOf(db, actor, id) : undefined
  const of = found?.EnterpriseId === owner.EnterpriseId ? found : undefined
  const [named] = action.picture
    ? await db.rows<Published>(sql`
        select t."Id", t."FlowchartName", v."Version", v."Scene" from ${shown}
        where t."Id" = ${action.picture} and t."State" = 1 and t."EnterpriseId" = ${owner.EnterpriseId} and ${visible(flowchart, actor)}`)
    : []
  const picture = named ?? (of && !action.picture ? await publishedFor(db, actor, of, 1) : undefined)
  const given = action.parameters ?? {}
  const face = of ? { Id: of.Id, DeviceName: of.DeviceName } : null
  if (picture) {
    const parameter = of && parameterFor(picture.Scene, of, given)
    return { device: face, picture, scene: picture.Scene, given: { ...given, ...(parameter ? { [parameter.name]: of.Id } : {}) } }
  }
  if (!of) throw notFound()
  const points = await paraInfo(db, actor, language, { deviceIds: [of.Id] })
  return { device: face, picture: undefined, scene: faceplateOf(points), given: {} }
}

/** The picture of a device, and the parameter for the device. @throws Fault `notFound` */
export const pictureOfDevice = async (db: Db, actor: Actor, id: number): Promise<Answer<typeof flowchartCalls.ofDevice>> => {
  const of = await deviceOf(db, actor, id)
  if (!of) throw notFound()
  const found = await publishedFor(db, actor, of, 0)
  if (!found) return { DeviceName: of.DeviceName, Picture: null }
  const { Id, FlowchartName, Scene } = found
  return { DeviceName: of.DeviceName, Picture: { Id, FlowchartName, Parameter: parameterFor(Scene, of)?.name ?? null } }
}
