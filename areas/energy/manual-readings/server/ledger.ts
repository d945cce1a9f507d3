// Entries as a grid of circuits and periods, and what is unusual about one.
import { sql } from 'kysely'
import type { Body, Query } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { hiddenFields, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { energyInfo, fromEntries } from '../../circuits/contract.ts'
import { byHand, type Cycle, daily, energyInfoData, type entryCalls, hourly, monthly, mostColumns } from '../contract.ts'
import { refuseCells, type Slot, saveSlots, seenCircuits, slotsOf, type Unusual, unusualIn } from './entries.ts'
import { firstWall, isWall, periodOf, units, written } from './periods.ts'

const projects = store(project)
type Column = { Id: number; EnergyName: string; EnergyCode: string; Unit: string }

/** A year shows months, a month days, and a day hours. */
const cycleOf = (of: string): Cycle => (of.length === 4 ? monthly : of.length === 7 ? daily : hourly)

export const readLedger = async (db: Db, actor: Actor, { ProjectId, Of, IsReading = 0 }: Query<typeof entryCalls.ledger>) => {
  await projects.find(db, actor, ProjectId)
  const cycle = cycleOf(Of)
  const first = periodOf(Of.length === 4 ? `${Of}-01` : Of)
  if (!first || first.wall < firstWall) throw new FieldFaults([{ field: 'Of', rule: 'noSuchDay' }])
  const span = cycle === monthly ? 'year' : cycle === daily ? 'month' : 'day'
  const columns = await db.rows<Column>(sql`
    select "Id", "EnergyName", "EnergyCode", "Unit" from energy_info t
    where "ProjectId" = ${ProjectId} and "Source" = ${fromEntries} and ${visible(energyInfo, actor)} order by "Sort", "Id" limit ${mostColumns + 1}`)
  const Circuits = columns.slice(0, mostColumns)
  const start = sql`${first.wall}::timestamp`
  if (hidesValues(actor)) return { CycleType: cycle, Circuits, More: columns.length > mostColumns, Cells: [] }
  const Cells = await db.rows<{ EnergyInfoId: number; Time: string; Value: number }>(sql`
    select d."EnergyInfoId", to_char(d."DataTime" at time zone z."TimeZoneKey", ${written[cycle]}::text) as "Time", d."Value"
    from energy_info_data d join enterprise z on z."Id" = d."EnterpriseId"
    where d."EnergyInfoId" = any(${Circuits.map(({ Id }) => Id)}::bigint[]) and d."CycleType" = ${cycle} and d."IsReading" = ${IsReading}
      and d."DataTime" >= ${start} at time zone z."TimeZoneKey" and d."DataTime" < (${start} + ${`1 ${span}`}::interval) at time zone z."TimeZoneKey"
    order by d."DataTime"`)
  return { CycleType: cycle, Circuits, More: columns.length > mostColumns, Cells }
}

/** A role may hide values; what is unusual about one tells others. */
const hidesValues = (actor: Actor) => hiddenFields(energyInfoData, actor)?.has('Value') ?? false
const sentence = (language: Language, { rule, values }: Unusual) => word(language, rule, values)

export const saveLedger = (db: Db, actor: Actor, { Cells, IsReading = 0 }: Body<typeof entryCalls.save>, language: Language) =>
  db.tx(async (db) => {
    const { slots, wrong } = await slotsOf(db, actor, Cells, IsReading === 1)
    refuseCells(wrong)
    const done = await saveSlots(db, actor, slots, byHand)
    refuseCells(done.wrong)
    const unusual = hidesValues(actor) ? [] : await unusualIn(db, slots)
    return {
      Changed: done.added + done.changed + done.removed,
      Warnings: unusual.map((one) => ({
        EnergyInfoId: Cells[one.at]!.EnergyInfoId,
        Time: Cells[one.at]!.Time,
        Message: sentence(language, one),
      })),
    }
  })

/** Validates input while the user types. Stores nothing. */
export const checkData = async (db: Db, actor: Actor, body: Body<typeof entryCalls.check>, language: Language) => {
  const { EnergyInfoId, DataTime, Value, IsReading = 0 } = body
  const cycle = (body.CycleType ?? daily) as Cycle
  const [circuit] = await seenCircuits(db, actor, { ids: [EnergyInfoId] })
  if (!circuit) throw new FieldFaults([{ field: 'EnergyInfoId', rule: 'unknownReference' }])
  const full = DataTime.length === 10 ? `${DataTime} 00:00:00` : DataTime
  const Errors: string[] = []
  const say = (rule: string, values = {}) => Errors.push(word(language, `fault.field.${rule}`, values))
  if (circuit.Source !== fromEntries) say('notEntered')
  if (Value < 0) say('min', { min: 0 })
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(full) || !isWall(full)) say('noSuchDay')
  else if (full < firstWall) say('entryTooOld')
  if (Errors.length) return { Valid: false, Errors, Warnings: [] }
  const time = sql`(${full}::timestamp at time zone ${actor.zone ?? actor.tenantZone}::text)`
  const [at] = await db.rows<{ Wall: string; Future: boolean }>(sql`
    select to_char((case when ${IsReading} = 1 then ${time} else date_trunc(${units[cycle]}, ${time}, ${circuit.Zone}::text) end) at time zone ${circuit.Zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Wall",
      ${time} > now() as "Future"`)
  if (at!.Future) say('inFuture')
  const slot: Slot = { circuit, cycle, wall: at!.Wall, value: Value, isReading: IsReading === 1 }
  const Warnings = Errors.length || hidesValues(actor) ? [] : (await unusualIn(db, [slot])).map((one) => sentence(language, one))
  return { Valid: !Errors.length, Errors, Warnings }
}
