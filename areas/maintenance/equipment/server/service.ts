import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { type Check, recordAll, store } from '../../../../server/resource/store.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { deepestEquipment, mtnEquipment } from '../contract.ts'

type Values = { ProjectId?: number; ParentId?: number | null; DeviceId?: number | null }
type Device = { DeviceName: string; ProjectId: number; EnterpriseId: number }

const deviceOf = async (db: Db, actor: Actor, id: number) => {
  const [row] = await db.rows<Device>(sql`
    select t."DeviceName", t."EnterpriseId", g."ProjectId" from ${table(device)} t join gateway g on g."Id" = t."GatewayId" where t."Id" = ${id} and ${visible(device, actor)}`)
  return row
}

/** Rejects a move that would exceed the maximum depth: levels of the target plus levels of the moved subtree. */
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

/** Copies name and project from the device to equipment that is a device. */
export const equipmentCheck: Check = async (db, actor, given, held) => {
  const { ProjectId, ParentId, DeviceId } = { ...held, ...given } as Values
  if (typeof given.ParentId === 'number') await assertShallow(db, ParentId!, held?.Id ?? 0)
  if (!DeviceId) return given
  const of = await deviceOf(db, actor, DeviceId)
  // An invisible device is rejected below as an unknown reference.
  if (!of) return given
  if (of.ProjectId !== ProjectId) throw new FieldFaults([{ field: 'DeviceId', rule: 'deviceElsewhere' }])
  return { ...given, EquipmentName: of.DeviceName }
}

const rows = store(mtnEquipment)
/** Creates missing equipment for devices. Callers must check visibility first. */
export const equipmentOfDevices = async (db: Db, actor: Actor, ids: readonly number[]) => {
  if (!ids.length) return
  const made = await db.rows<{ Id: number; EnterpriseId: number; ProjectId: number }>(sql`
    insert into mtn_equipment ("EnterpriseId", "EquipmentName", "ProjectId", "DeviceId")
    select d."EnterpriseId", d."DeviceName", g."ProjectId", d."Id" from device d join gateway g on g."Id" = d."GatewayId" where d."Id" = any(${ids}::bigint[])
      and not exists (select 1 from mtn_equipment e where e."DeviceId" = d."Id")
    on conflict ("EnterpriseId", "DeviceId") do nothing returning *`)
  if (made.length)
    await recordAll(
      db,
      actor,
      mtnEquipment,
      'create',
      made.map((row) => ({ ...row, Before: undefined, After: row })),
    )
}
/** The equipment of a device, created on the first reference. */
export const equipmentOfDevice = (db: Db, actor: Actor, id: number) =>
  db.tx(async (db) => {
    if (!(await deviceOf(db, actor, id))) throw notFound()
    await equipmentOfDevices(db, actor, [id])
    const [held] = await db.rows<{ Id: number }>(sql`select "Id" from mtn_equipment where "DeviceId" = ${id}`)
    return rows.find(db, actor, held!.Id)
  }, `equipment of ${id}`)

type Machine = Readonly<Record<string, unknown>>
type Named = { Id: number; ProjectId: number; DeviceId: number | null }
/** Resolves equipment by its Id or by its device. A device gets its equipment on the first reference. */
export const namedEquipment = async (db: Db, actor: Actor, { EquipmentId, DeviceId }: Machine): Promise<Named | undefined> => {
  const unknown = (field: string) => new FieldFaults([{ field, rule: 'unknownReference' }])
  if (!EquipmentId) {
    if (!DeviceId) return
    if (!(await deviceOf(db, actor, Number(DeviceId)))) throw unknown('DeviceId')
    return equipmentOfDevice(db, actor, Number(DeviceId)) as Promise<Named>
  }
  const [row] = await db.rows<Named>(sql`
    select t."Id", t."ProjectId", t."DeviceId" from mtn_equipment t where t."Id" = ${EquipmentId} and ${visible(mtnEquipment, actor)}`)
  if (!row || (DeviceId && row.DeviceId !== DeviceId)) throw unknown('EquipmentId')
  return row
}
/** Sets both Ids of the machine in the values. In an update, the changed Id takes precedence: callers may know only the device. */
export const withEquipment = async <V extends Machine>(db: Db, actor: Actor, given: V, held?: Machine): Promise<V> => {
  const changes = (name: string) => given[name] !== undefined && given[name] !== (held?.[name] ?? null)
  const named = ['EquipmentId', 'DeviceId'].filter(changes)
  if (!named.length) return given
  const of = await namedEquipment(db, actor, Object.fromEntries(named.map((name) => [name, given[name]])))
  return { ...given, EquipmentId: of?.Id ?? null, DeviceId: of?.DeviceId ?? null }
}
