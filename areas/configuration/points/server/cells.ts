import { sql } from 'kysely'
import { writable } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { fitting } from '../../../../server/http/validation.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { changingRows } from '../../../../server/identity/dataScope.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { clearTitles, saveMany } from '../../../../server/resource/bulk.ts'
import { columns, visible } from '../../../../server/resource/sql.ts'
import { checkRefs, readableFields, store } from '../../../../server/resource/store.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../contract.ts'

type Values = Record<string, unknown>
type Held = Values & { Id: number; ParaName: string; UpdateStamp: number }
type Cells = Values & { Id?: number; UpdateStamp?: number }
const devices = store(device)

/** Refuses names that two points of the device would have after the change. `existing` has one of the names, or changes. */
const checkNames = (existing: readonly Pick<Held, 'Id' | 'ParaName'>[], rows: readonly Cells[]) => {
  const names = new Map(existing.map(({ Id, ParaName }) => [Id, ParaName]))
  for (const { Id, ParaName } of rows) if (Id && ParaName !== undefined) names.set(Id, String(ParaName))
  const owners = Map.groupBy([...names], ([, name]) => name)
  for (const [i, { Id, ParaName }] of rows.entries()) {
    if (ParaName === undefined) continue
    const others = (owners.get(String(ParaName)) ?? []).filter(([id]) => id !== Id).length
    const added = rows.findIndex((row) => !row.Id && row.ParaName === ParaName)
    if (others || (added >= 0 && added < i)) throw new FieldFaults([{ field: 'ParaName', rule: 'taken' }]).below(`Rows.${i}`)
  }
}

/** Saves edited cells and new rows of a device, all or none. A refusal names the place, as in `Rows.3.Address`. */
export const saveCells = async (db: Db, actor: Actor, deviceId: number, rows: readonly Cells[]) => {
  const { EnterpriseId } = await devices.find(db, actor, deviceId)
  const readable = readableFields(point, actor)
  const names = writable(readable, 'update').map(([name]) => name)
  return changingRows(db, actor, point.name, async (db) => {
    const ids = rows.flatMap(({ Id }) => Id ?? [])
    const changed = await db.rows<Held>(sql`
      select ${columns(readable, actor)} from point t
      where "DeviceId" = ${deviceId} and "Id" = any(${ids}::bigint[]) and ${visible(point, actor)} order by "Id" for no key update of t`)
    const held = new Map(changed.map((row) => [row.Id, row]))
    const given = rows.flatMap(({ ParaName }) => (ParaName === undefined ? [] : String(ParaName)))
    const existing = await db.rows<Pick<Held, 'Id' | 'ParaName'>>(sql`
      select "Id", "ParaName" from point where "DeviceId" = ${deviceId} and ("ParaName" = any(${given}::text[]) or "Id" = any(${ids}::bigint[]))`)
    const change: (Values & { Id: number })[] = []
    for (const [i, { Id, UpdateStamp, ...given }] of rows.entries()) {
      if (!Id) continue
      const before = held.get(Id)
      if (!before) throw notFound()
      if (UpdateStamp !== undefined && UpdateStamp !== before.UpdateStamp) throw new Fault('changedMeanwhile', {}, { Current: before })
      const values = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
      try {
        fitting(point, 'update', values, before)
        await checkRefs(db, actor, point, values, EnterpriseId)
      } catch (error) {
        throw error instanceof FieldFaults ? error.below(`Rows.${i}`) : error
      }
      change.push({ ...Object.fromEntries(writable(point, 'update').map(([name]) => [name, before[name] ?? null])), ...values, Id })
    }
    checkNames(existing, rows)
    const renamed = change.filter(({ Id, ParaName }) => held.get(Id)!.ParaName !== ParaName)
    const taken = new Set<unknown>(existing.map(({ ParaName }) => ParaName))
    const isSwap = renamed.some(({ ParaName }) => taken.has(ParaName))
    if (isSwap)
      await clearTitles(
        db,
        point,
        renamed.map(({ Id }) => Id),
      )
    await saveMany(db, actor, point, EnterpriseId, { add: [], change })
    const places = rows.flatMap((row, i) => (row.Id ? [] : [i]))
    const added = places.map((i) => ({ ...rows[i], DeviceId: deviceId }))
    if (added.length)
      await addMany(db, actor, point, added).catch((error: unknown) => {
        if (!(error instanceof FieldFaults)) throw error
        throw new FieldFaults(
          error.fields.map((f) => ({ ...f, field: f.field.replace(/^Items\.(\d+)/, (_, i) => `Rows.${places[Number(i)]}`) })),
          error.key,
          error.values,
        )
      })
    return { Changed: change.length, Added: added.length }
  })
}
