import { sql } from 'kysely'
import type { Query } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { pointColumns } from '../../../../contract/point-fields.ts'
import { placeOf } from '../../../../contract/protocols/index.ts'
import type { Db } from '../../../../server/database/db.ts'
import { toSheet } from '../../../../server/files/sheet.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { setMany } from '../../../../server/resource/bulk.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { addressesOn, faultOf, protocolsOf } from '../../channels/server/service.ts'
import { device } from '../../devices/contract.ts'
import { point, type pointCalls, pointTableTypes, tableTypeOf } from '../contract.ts'

export { deviceInCopy, pointInCopy } from './counterparts.ts'

const resource = point
const devices = store(device)
type Values = Record<string, unknown>
const [runTable] = pointTableTypes

const ofDevice = (db: Db, actor: Actor, deviceId: number) =>
  db.rows<Values & { Id: number; ParaName: string }>(
    sql`select * from point t where "DeviceId" = ${deviceId} and ${visible(resource, actor)} order by "Id"`,
  )

/** Refuses invalid addresses, and duplicate addresses of a device within a sheet: the push would fail. */
export const sheetFaults = async (rows: readonly { row: number; values: Values }[], db: Db) => {
  const seen = new Map<string, number>()
  const protocols = await protocolsOf(
    db,
    rows.map(({ values }) => Number(values.DeviceId)),
  )
  return rows.flatMap(({ row, values: v }) => {
    if (v.Address === undefined) return []
    const protocol = protocols.get(Number(v.DeviceId)) ?? 0
    const wrong = faultOf(protocol, v.Address)
    if (wrong.length) return wrong.map((fault) => ({ row, ...fault }))
    const place = `${v.DeviceId}/${placeOf(protocol, v)}`
    const first = seen.get(place)
    if (first !== undefined) return [{ row, field: 'Address', rule: 'twice', values: { row: first } }]
    seen.set(place, row)
    return []
  })
}

/** The point table of a device as a sheet of 27 columns. @throws FieldFaults if the table has another type than requested */
export const outputPoints = async (
  db: Db,
  actor: Actor,
  { DeviceId: deviceId, PointTableType = runTable }: Query<typeof pointCalls.output>,
  language: Language,
) => {
  const { DeviceName, CommType } = await devices.find(db, actor, deviceId)
  const ProtocolType = (await protocolsOf(db, [deviceId])).get(deviceId) ?? 0
  if (PointTableType !== runTable && PointTableType !== tableTypeOf({ CommType: Number(CommType), ProtocolType }))
    throw new FieldFaults([{ field: 'PointTableType', rule: 'choice' }])
  const rows = await ofDevice(db, actor, deviceId)
  const file = await toSheet(resource, pointColumns, rows, { language, person: actor })
  await noteExport(db, actor, 'point', DeviceName, { Filters: { DeviceId: deviceId }, Rows: rows.length })
  return { name: `${DeviceName}.xlsx`, file }
}

/** Adds points to a device, all or none. An error names the point by its position, `Items.3.Address`. */
export const addPoints = async (db: Db, actor: Actor, deviceId: number, items: readonly Values[]) => {
  await devices.find(db, actor, deviceId)
  return addMany(
    db,
    actor,
    point,
    items.map((item) => ({ ...item, DeviceId: deviceId })),
    await addressesOn(db, deviceId),
  )
}

export const setSlaveNumbers = async (db: Db, actor: Actor, ids: readonly number[], SlaveNumber: number) => ({
  Changed: await setMany(db, actor, point, ids, { SlaveNumber }),
})
