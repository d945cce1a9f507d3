import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { deepestEquipment, mtnEquipment } from '../contract.ts'

type Values = { ProjectId?: number; ParentId?: number | null; DeviceId?: number | null }
type Device = { DeviceName: string; ProjectId: number; EnterpriseId: number }

const deviceOf = async (db: Db, actor: Actor, id: number) => {
  const [row] = await db.rows<Device>(sql`
    select t."DeviceName", t."EnterpriseId", g."ProjectId" from ${table(device)} t join gateway g on g."Id" = t."GatewayId" where t."Id" = ${id} and ${visible(device, actor)}`)
  return row
}

/** The levels of a place and of what would be moved there. */
const assertShallow = async (db: Db, above: number, id: number) => {
  const [levels] = await db.rows<{ Depth: number; Height: number }>(sql`
    with recursive way as (
      select "ParentId" as up, 1 as depth from mtn_equipment where "Id" = ${above}
      union all select e."ParentId", depth + 1 from mtn_equipment e join way on e."Id" = way.up where depth < 50),
    tree as (
      select ${id}::bigint as id, 1 as depth
      union all select e."Id", depth + 1 from mtn_equipment e join tree on e."ParentId" = tree.id where depth < 50)
    select (select max(depth) from way) as "Depth", (select max(depth) from tree) as "Height"`)
  if ((levels?.Depth ?? 0) + (levels?.Height ?? 1) > deepestEquipment)
    throw new FieldFaults([{ field: 'ParentId', rule: 'treeDeep', values: { max: deepestEquipment } }])
}

/** Equipment that is a device takes its name and project from the device. */
export const equipmentCheck: Check = async (db, actor, given, held) => {
  const { ProjectId, ParentId, DeviceId } = { ...held, ...given } as Values
  if (typeof given.ParentId === 'number') await assertShallow(db, ParentId!, held?.Id ?? 0)
  if (!DeviceId) return given
  const of = await deviceOf(db, actor, DeviceId)
  // One out of sight is refused below, as an unknown reference.
  if (!of) return given
  if (of.ProjectId !== ProjectId) throw new FieldFaults([{ field: 'DeviceId', rule: 'deviceElsewhere' }])
  return { ...given, EquipmentName: of.DeviceName }
}

const rows = store(mtnEquipment)
/** The equipment that a device is, made when something first names it. */
export const equipmentOfDevice = (db: Db, actor: Actor, id: number) =>
  db.tx(async (db) => {
    const of = await deviceOf(db, actor, id)
    if (!of) throw notFound()
    const [made] = await db.rows<{ Id: number }>(sql`
      insert into mtn_equipment ("EnterpriseId", "EquipmentName", "ProjectId", "DeviceId") values (${of.EnterpriseId}, ${of.DeviceName}, ${of.ProjectId}, ${id})
      on conflict ("EnterpriseId", "DeviceId") do nothing returning "Id"`)
    const [held] = made ? [made] : await db.rows<{ Id: number }>(sql`select "Id" from mtn_equipment where "DeviceId" = ${id}`)
    const row = await rows.find(db, actor, held!.Id)
    if (made) await record(db, actor, mtnEquipment, 'create', row.Id, row.EnterpriseId, null, row)
    return row
  }, `equipment of ${id}`)
