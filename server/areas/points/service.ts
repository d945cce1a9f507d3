import { sql } from 'kysely'
import { device } from '../../../contract/areas/devices.ts'
import { point, pointColumns } from '../../../contract/areas/points.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import type { Language } from '../../../contract/index.ts'
import type { Db } from '../../database/db.ts'
import { fromSheet, type SheetRow, toSheet } from '../../files/sheet.ts'
import { Fault } from '../../http/faults.ts'
import { word } from '../../http/words.ts'
import type { Actor } from '../../identity/actor.ts'
import { saveMany } from '../../resource/bulk.ts'
import { visible } from '../../resource/sql.ts'
import { store } from '../../resource/store.ts'

const resource = point as unknown as Resource
const points = store(point)
const devices = store(device)
type Values = Record<string, unknown>

const ofDevice = (db: Db, actor: Actor, deviceId: number) =>
  db.rows<Values & { Id: number; ParaName: string }>(
    sql`select * from point t where "DeviceId" = ${deviceId} and ${visible(resource, actor)} order by "Id"`,
  )

/** Two rows of a sheet may neither share a name nor read the same place of the same slave in the same way. */
const twice = (rows: SheetRow[], language: Language) => {
  const errors: { Row: number; Field: string; Message: string }[] = []
  for (const [Field, keyOf] of [
    ['ParaName', (v: Values) => v.ParaName],
    ['Address', (v: Values) => [v.SlaveNumber, v.RegisterType, v.Address, v.ParaDataType].join()],
  ] as const) {
    const seen = new Map<unknown, number>()
    for (const { row, values } of rows) {
      const first = seen.get(keyOf(values))
      if (first !== undefined && values[Field] !== undefined)
        errors.push({ Row: row, Field, Message: word(language, 'fault.field.twice', { row: first }) })
      else seen.set(keyOf(values), row)
    }
  }
  return errors
}

/** The point table of a device as a sheet of 27 columns. */
export const outputPoints = async (db: Db, actor: Actor, deviceId: number, language: Language) => {
  const { DeviceName } = await devices.find(db, actor, deviceId)
  return { name: `${DeviceName}.xlsx`, file: await toSheet(resource, pointColumns, await ofDevice(db, actor, deviceId), language) }
}

/** An example row shows what each column takes. */
export const pointTemplate = (language: Language) => {
  const example = Object.fromEntries(Object.entries(resource.fields).map(([k, f]) => [k, f.default ?? null]))
  return toSheet(
    resource,
    pointColumns,
    [{ ...example, ParaName: word(language, 'sheet.examplePoint'), Address: '0', ParaUnitName: '°C' }],
    language,
  )
}

/** Rows of the same name are changed and keep their Ids, new names are added, the rest stays (findings 25). All or nothing. */
export const importPoints = async (
  db: Db,
  actor: Actor,
  deviceId: number,
  file: Buffer,
  { language, offsetOne }: { language: Language; offsetOne: boolean },
) => {
  const { EnterpriseId } = await devices.find(db, actor, deviceId)
  const rows = await fromSheet(resource, pointColumns, file, language, (read) => twice(read, language))
  const wanted: Values[] = rows.map(({ values }) => ({
    ...values,
    DeviceId: deviceId,
    ...(offsetOne ? { Address: shifted(String(values.Address)) } : {}),
  }))
  return db.tx(async (db) => {
    const held = new Map((await ofDevice(db, actor, deviceId)).map((p) => [p.ParaName, p]))
    const add = wanted.filter((w) => !held.has(w.ParaName as string))
    const same = wanted.filter((w) => held.has(w.ParaName as string))
    const change = same
      .map((w) => ({ ...w, Id: held.get(w.ParaName as string)!.Id }))
      .filter((w) => pointColumns.some((k) => plain((w as Values)[k]) !== plain((held.get((w as Values).ParaName as string) as Values)[k])))
    await saveMany(db, actor, resource, EnterpriseId, { add, change })
    return { Added: add.length, Changed: change.length, Unchanged: same.length - change.length }
  })
}
/** An empty cell does not tell no text from an empty one. */
const plain = (value: unknown) => (value === '' ? null : value)

/** Sheets in the 40001 style count from one. */
const shifted = (address: string) => {
  const [register, bit] = address.split('.')
  if (register === '0') throw new Fault('sheetOffset')
  return bit === undefined ? String(Number(register) - 1) : `${Number(register) - 1}.${bit}`
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

/** Whether a name is free in a device. */
export const checkName = async (
  db: Db,
  actor: Actor,
  { DeviceId, ParaName, Id = 0 }: { DeviceId: number; ParaName: string; Id?: number },
) => {
  await devices.find(db, actor, DeviceId)
  const taken = await db.rows(sql`select 1 from point where "DeviceId" = ${DeviceId} and "ParaName" = ${ParaName} and "Id" <> ${Id}`)
  return { Valid: taken.length === 0 }
}
