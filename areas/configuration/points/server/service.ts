import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { pointColumns } from '../../../../contract/point-fields.ts'
import { placeOf } from '../../../../contract/point-place.ts'
import type { Db } from '../../../../server/database/db.ts'
import { toSheet } from '../../../../server/files/sheet.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../contract.ts'

const resource = point
const points = store(point)
const devices = store(device)
type Values = Record<string, unknown>

const ofDevice = (db: Db, actor: Actor, deviceId: number) =>
  db.rows<Values & { Id: number; ParaName: string }>(
    sql`select * from point t where "DeviceId" = ${deviceId} and ${visible(resource, actor)} order by "Id"`,
  )

/** Refuses two rows of a sheet with one address on a device, because the push would fail. */
export const samePlace = (rows: readonly { row: number; values: Values }[]) => {
  const seen = new Map<string, number>()
  return rows.flatMap(({ row, values: v }) => {
    if (v.Address === undefined) return []
    const place = `${v.DeviceId}/${placeOf(0, v)}`
    const first = seen.get(place)
    if (first !== undefined) return [{ row, field: 'Address', rule: 'twice', values: { row: first } }]
    seen.set(place, row)
    return []
  })
}

/** The point table of a device as a sheet of 27 columns. */
export const outputPoints = async (db: Db, actor: Actor, deviceId: number, language: Language) => {
  const { DeviceName } = await devices.find(db, actor, deviceId)
  const rows = await ofDevice(db, actor, deviceId)
  const file = await toSheet(resource, pointColumns, rows, { language, tenant: actor.EnterpriseId })
  await noteExport(db, actor, 'point', DeviceName, { Filters: { DeviceId: deviceId }, Rows: rows.length })
  return { name: `${DeviceName}.xlsx`, file }
}

export const addPoints = async (db: Db, actor: Actor, deviceId: number, items: readonly Values[]) =>
  db.tx(async (db) => {
    await devices.find(db, actor, deviceId)
    for (const item of items) await points.create(db, actor, { ...item, DeviceId: deviceId })
    return { Added: items.length }
  })

export const setSlaveNumbers = async (db: Db, actor: Actor, ids: readonly number[], slave: number) =>
  db.tx(async (db) => {
    for (const id of new Set(ids)) await points.update(db, actor, id, { SlaveNumber: slave })
    return { Changed: new Set(ids).size }
  })
