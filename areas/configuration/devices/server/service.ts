import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { setMany } from '../../../../server/resource/bulk.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { undone } from '../../../system/imports/server/service.ts'
import { deviceCheck } from '../../channels/server/service.ts'
import { gateway } from '../../gateways/contract.ts'
import { proModel } from '../../models/contract.ts'
import { type Answer, applyModel, asModel } from '../../models/server/service.ts'
import { point } from '../../points/contract.ts'
import { device, type deviceCalls, mostDevices, namesIn } from '../contract.ts'

type Values = Record<string, unknown>
const devices = store(device, deviceCheck)
const mostUnits = 255

/** Changes a device. Points that use its old unit ID may follow in the same transaction, without becoming overrides. */
export const updateDevice = (db: Db, actor: Actor, id: number, { PointsFollow, ...change }: Values) =>
  db.tx(async (db) => {
    if (PointsFollow !== 1) return devices.update(db, actor, id, change)
    assertHolds(actor, [`${point.permission}.edit`])
    const before = await devices.find(db, actor, id)
    const after = await devices.update(db, actor, id, change)
    const { SlaveNumber } = after
    const points = await db.rows<{ Id: number }>(
      sql`select "Id" from point where "DeviceId" = ${id} and "SlaveNumber" = ${before.SlaveNumber} and "SlaveNumber" <> ${SlaveNumber}`,
    )
    const ids = points.map(({ Id }) => Id)
    if (ids.length) await asModel(db, () => setMany(db, actor, point, ids, { SlaveNumber }))
    return after
  })

type Batch = Body<typeof deviceCalls.batchAdd>

/** The devices of a name rule. @throws FieldFaults beyond the limits */
export const devicesOf = ({ Preview: _, AsTask: __, PlannedTime: ___, ...given }: Batch) => {
  const { NameRule, SlaveNumber = 1, Step = 1, SettingsOfEach: each, ...same } = given
  const names = namesIn(NameRule, mostDevices + 1)
  if (!names.length || names.length > mostDevices)
    throw new FieldFaults([{ field: 'NameRule', rule: 'nameRange', values: { max: mostDevices } }])
  const last = SlaveNumber + Step * (names.length - 1)
  if (last > mostUnits) throw new FieldFaults([{ field: 'Step', rule: 'unitsBeyond', values: { last, max: mostUnits } }])
  if (each && each.length !== names.length)
    throw new FieldFaults([{ field: 'SettingsOfEach', rule: 'oneForEach', values: { count: names.length, given: each.length } }])
  const shared = 'Settings' in same && typeof same.Settings === 'object' ? same.Settings : {}
  return names.map((DeviceName, i) => ({
    ...same,
    ...(each && { Settings: { ...shared, ...each[i] } }),
    ...{ DeviceName, SlaveNumber: SlaveNumber + Step * i },
  }))
}

/** Refuses names that exist in the gateway. The lock serializes concurrent additions. */
const assertFreeNames = async (db: Db, actor: Actor, gatewayId: number, names: readonly string[]) => {
  const [own] = await db.rows(sql`select 1 from gateway t where "Id" = ${gatewayId} and ${visible(gateway, actor)} for update`)
  if (!own) throw new FieldFaults([{ field: 'GatewayId', rule: 'unknownReference' }])
  const rows = await db.rows<{ DeviceName: string }>(
    sql`select "DeviceName" from device where "GatewayId" = ${gatewayId} and "DeviceName" = any(${names}::text[])`,
  )
  const taken = new Set(rows.map((row) => row.DeviceName))
  const faults = names.flatMap((name, i) => (taken.has(name) ? [{ field: `Items.${i}.DeviceName`, rule: 'taken' }] : []))
  if (faults.length) throw new FieldFaults(faults)
}

type Given = Pick<Batch, 'GatewayId' | 'ModelId' | 'Preview'> & { items: ReturnType<typeof devicesOf> }
/** Adds devices to a gateway, all or none, and applies their model. Faults refer to a device by position, `Items.3`. */
export const addDevices = async (
  db: Db,
  actor: Actor,
  { GatewayId, ModelId, Preview, items }: Given,
  language: Language,
): Promise<Answer> => {
  if (ModelId) assertHolds(actor, [`${proModel.permission}.apply`])
  let answer: Answer = { Version: 0, Devices: [], Rows: [], Rules: [], NoRoom: null }
  await undone(db, Preview === 1, async (db) => {
    const names = items.map(({ DeviceName }) => DeviceName)
    await assertFreeNames(db, actor, GatewayId, names)
    await addMany(db, actor, device, items, deviceCheck)
    const added = await db.rows<{ Id: number; DeviceName: string }>(
      sql`select "Id", "DeviceName" from device where "GatewayId" = ${GatewayId} and "DeviceName" = any(${names}::text[]) order by "Id"`,
    )
    if (ModelId)
      answer = await applyModel(db, actor, { ModelId, DeviceIds: added.map(({ Id }) => Id), ...(Preview && { Preview }) }, language)
    else
      answer.Devices = added.map(({ Id, DeviceName }) => ({
        ...{ DeviceId: Id, DeviceName, Version: null },
        ...{ Added: 0, Changed: 0, Kept: 0, Gone: 0, Blocked: 0 },
      }))
  })
  return answer
}
