import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type Check, recordAll } from '../../../../server/resource/store.ts'
import { energyInfo, fromEntries } from '../../circuits/contract.ts'
import { byHand, type Cycle, daily, energyInfoData } from '../contract.ts'
import { firstWall, isWall, periodOf, units } from './periods.ts'

export type Circuit = {
  Id: number
  EnergyName: string
  EnergyCode: string
  EnterpriseId: number
  ProjectId: number
  Source: number
  Zone: string
}

type By = { ids?: readonly number[]; codes?: readonly string[] }
/**
 * Circuits that the actor sees, with the zone of their company's days; they stay until the transaction ends. `writes`: entries of a circuit
 * change one after another, so that what is added and what is changed is judged by what is there.
 */
export const seenCircuits = async (db: Db, actor: Actor, by: By, writes = false) => {
  const which = by.ids ? sql`t."Id" = any(${[...new Set(by.ids)]}::bigint[])` : sql`t."EnergyCode" = any(${[...new Set(by.codes)]}::text[])`
  const tenant = by.ids ? sql`true` : sql`t."EnterpriseId" = ${actor.EnterpriseId}`
  return db.rows<Circuit>(sql`
    select t."Id", t."EnergyName", t."EnergyCode", t."EnterpriseId", t."ProjectId", t."Source", z."TimeZoneKey" as "Zone"
    from energy_info t join enterprise z on z."Id" = t."EnterpriseId" where ${which} and ${tenant} and ${visible(energyInfo, actor)} order by t."Id" ${writes ? sql`for no key update of t` : sql`for key share of t`}`)
}

/** An entry to save. `wall` is local time in the company's zone; a null `value` deletes the entry. */
export type Slot = { circuit: Circuit; cycle: Cycle; wall: string; value: number | null; isReading: boolean }
/** Of the slot with this number: field and rule. */
export type Wrong = { at: number } & FieldFault
type Stored = { Id: number; EnterpriseId: number; Value: number; IsReading: number }
/** `Skipped`: the clocks go forward over this hour. */
type Placed = { At: number; Time: string; Future: boolean; Skipped: boolean; Before: Stored | null }

const given = (slots: readonly Slot[]) =>
  JSON.stringify(
    slots.map(({ circuit, cycle, wall, value, isReading }, At) => {
      return { At, Circuit: circuit.Id, Zone: circuit.Zone, Cycle: cycle, Wall: wall, Value: value, IsReading: Number(isReading) }
    }),
  )
const slotsIn = (slots: readonly Slot[]) => sql`(
  select s.*, s."Wall"::timestamp at time zone s."Zone" as at
  from jsonb_to_recordset(${given(slots)}::jsonb) s ("At" integer, "Circuit" bigint, "Zone" text, "Cycle" smallint, "Wall" text, "Value" numeric, "IsReading" smallint))`

/** Where slots lie, and what is there already. Refuses what people may not enter, slot by slot. */
const placed = async (db: Db, slots: readonly Slot[]): Promise<{ places: Placed[]; wrong: Wrong[] }> => {
  const places = await db.rows<Placed>(sql`
    select s."At", s.at::text as "Time", s.at > now() as "Future",
      s."Cycle" = 1 and s.at at time zone s."Zone" <> s."Wall"::timestamp as "Skipped",
      case when d."Id" is not null then jsonb_build_object('Id', d."Id", 'EnterpriseId', d."EnterpriseId", 'Value', d."Value", 'IsReading', d."IsReading") end as "Before"
    from ${slotsIn(slots)} s left join energy_info_data d on d."EnergyInfoId" = s."Circuit" and d."CycleType" = s."Cycle" and d."DataTime" = s.at
    order by s."At"`)
  const wrong: Wrong[] = []
  const seen = new Set<string>()
  for (const { At, Time, Future, Skipped, Before } of places) {
    const { circuit, cycle, wall, isReading } = slots[At]!
    const key = `${circuit.Id} ${cycle} ${Time}`
    if (circuit.Source !== fromEntries) wrong.push({ at: At, field: 'EnergyInfoId', rule: 'notEntered' })
    if (Future) wrong.push({ at: At, field: 'DataTime', rule: 'inFuture' })
    if (wall < firstWall) wrong.push({ at: At, field: 'DataTime', rule: 'entryTooOld' })
    if (Skipped) wrong.push({ at: At, field: 'DataTime', rule: 'entrySkipped' })
    if (Before && Before.IsReading !== Number(isReading)) wrong.push({ at: At, field: 'DataTime', rule: 'entryOther' })
    if (seen.has(key)) wrong.push({ at: At, field: 'DataTime', rule: 'entryTwice' })
    seen.add(key)
  }
  return { places, wrong }
}

type Saved = { Id: number; EnterpriseId: number; Circuit: number; Row: object }
/** Writes slots, all or none, with an entry in the log for each; the actor needs the rights for what happens. */
export const saveSlots = async (db: Db, actor: Actor, slots: readonly Slot[], source: number) => {
  const { places, wrong } = await placed(db, slots)
  if (wrong.length) return { wrong, added: 0, changed: 0, removed: 0, unchanged: 0, places }
  const has = ({ At, Before }: Placed) => ({ slot: slots[At]!, Before })
  const all = places.map(has)
  const added = all.filter(({ slot, Before }) => slot.value !== null && !Before)
  const removed = all.filter(({ slot, Before }) => slot.value === null && Before)
  const isSame = ({ slot, Before }: (typeof all)[number]) => Before !== null && Before.Value === slot.value
  const changed = all.filter((one) => one.slot.value !== null && one.Before && !isSame(one))
  const needed = { add: added.length, edit: changed.length, remove: removed.length }
  assertHolds(
    actor,
    Object.entries(needed).flatMap(([button, count]) => (count ? [`${energyInfoData.permission}.${button}`] : [])),
  )
  const write = [...added, ...changed].map(({ slot }) => slot)
  const written = write.length
    ? await db.rows<Saved>(sql`
        insert into energy_info_data as d ("EnterpriseId", "EnergyInfoId", "CycleType", "DataTime", "Value", "IsReading", "Source")
        select e."EnterpriseId", e."Id", s."Cycle", s.at, s."Value", s."IsReading", ${source} from ${slotsIn(write)} s join energy_info e on e."Id" = s."Circuit"
        on conflict ("EnergyInfoId", "CycleType", "DataTime") do update
          set "Value" = excluded."Value", "IsReading" = excluded."IsReading", "Source" = excluded."Source", "UpdateTime" = now()
        returning d."Id", d."EnterpriseId", d."EnergyInfoId" as "Circuit", to_jsonb(d) as "Row"`)
    : []
  const before = new Map(changed.map(({ Before }) => [Before!.Id, Before]))
  const projects = new Map(slots.map(({ circuit }) => [circuit.Id, circuit.ProjectId]))
  const entry = ({ Id, EnterpriseId, Circuit, Row }: Saved) => ({ Id, EnterpriseId, After: { ...Row, ProjectId: projects.get(Circuit) } })
  const fresh = written.filter(({ Id }) => !before.has(Id)).map(entry)
  const others = written.filter(({ Id }) => before.has(Id)).map((row) => ({ ...entry(row), Before: before.get(row.Id) }))
  const gone = removed.map(({ slot, Before }) => ({
    Id: Before!.Id,
    EnterpriseId: Before!.EnterpriseId,
    Before: { ...Before, ProjectId: slot.circuit.ProjectId },
  }))
  if (gone.length) await db.rows(sql`delete from energy_info_data where "Id" = any(${gone.map(({ Id }) => Id)}::bigint[])`)
  if (fresh.length) await recordAll(db, actor, energyInfoData, 'create', fresh)
  if (others.length) await recordAll(db, actor, energyInfoData, 'update', others)
  if (gone.length) await recordAll(db, actor, energyInfoData, 'remove', gone)
  const count = { added: added.length, changed: changed.length, removed: removed.length }
  return { wrong, ...count, unchanged: slots.length - added.length - changed.length - removed.length, places }
}

const usual = 3
/** Beyond half or one and a half of the mean of the three before it. */
const isUnusual = (value: number, before: readonly number[]) => {
  if (before.length < usual) return undefined
  const mean = before.reduce((sum, one) => sum + one, 0) / before.length
  return value < mean * 0.5 || value > mean * 1.5 ? { mean } : undefined
}
export type Unusual = { at: number; rule: 'entry.unusualAmount' | 'entry.readingFell'; values: Record<string, number> }
/** What is unusual about slots, against what is stored: amounts, and what meters counted between their readings. */
export const unusualIn = async (db: Db, slots: readonly Slot[]): Promise<Unusual[]> => {
  const rows = await db.rows<{ At: number; Values: number[] }>(sql`
    select s."At", coalesce((select jsonb_agg(b."Value" order by b."DataTime" desc) from (
        select d."Value", d."DataTime" from energy_info_data d
        where d."EnergyInfoId" = s."Circuit" and d."IsReading" = s."IsReading" and (s."IsReading" = 1 or d."CycleType" = s."Cycle") and d."DataTime" < s.at
        order by d."DataTime" desc limit ${usual + 1}) b), '[]') as "Values"
    from ${slotsIn(slots)} s where s."Value" is not null order by s."At"`)
  return rows.flatMap(({ At, Values }): Unusual[] => {
    const { value, isReading } = slots[At]!
    if (isReading && Values.length && value! < Values[0]!) return [{ at: At, rule: 'entry.readingFell', values: { before: Values[0]! } }]
    const counted = Values.slice(0, -1).map((one, i) => one - Values[i + 1]!)
    const found = isReading ? Values.length > usual && isUnusual(value! - Values[0]!, counted) : isUnusual(value!, Values.slice(0, usual))
    return found ? [{ at: At, rule: 'entry.unusualAmount', values: { mean: Math.round(found.mean * 1000) / 1000 } }] : []
  })
}

type Values = { EnergyInfoId: number; DataTime: string; CycleType: Cycle; IsReading: number; Value: number }
/** Entries one by one: amounts begin with their period in the company's zone, readings when the meter was read. */
export const entryCheck: Check = async (db, actor, draft, held) => {
  const { CycleType = daily, IsReading = 0, ...now } = { ...held, ...draft } as Values
  const [circuit] = await seenCircuits(db, actor, { ids: [now.EnergyInfoId] }, !held)
  // One out of sight is refused below, as an unknown reference.
  if (!circuit) return draft
  const refuse = (field: string, rule: string) => new FieldFaults([{ field, rule }])
  if (circuit.Source !== fromEntries) throw refuse('EnergyInfoId', 'notEntered')
  if (!isWall(now.DataTime)) throw refuse('DataTime', 'noSuchDay')
  if (now.DataTime < firstWall) throw refuse('DataTime', 'entryTooOld')
  const time = sql`(${now.DataTime}::timestamp at time zone ${actor.zone ?? actor.tenantZone}::text)`
  const at = IsReading ? time : sql`date_trunc(${units[CycleType]}, ${time}, ${circuit.Zone}::text)`
  const [found] = await db.rows<{ Time: number; Future: boolean }>(
    sql`select (extract(epoch from ${at}) * 1000)::bigint as "Time", ${at} > now() as "Future"`,
  )
  if (found!.Future) throw refuse('DataTime', 'inFuture')
  const touched = !held || ['DataTime', 'CycleType', 'IsReading'].some((name) => draft[name] !== undefined)
  return touched ? { ...draft, DataTime: new Date(found!.Time) } : draft
}

/** Cells of a ledger as slots; those that name no circuit or no period are refused by their number. */
export const slotsOf = async (
  db: Db,
  actor: Actor,
  cells: readonly { EnergyInfoId: number; Time: string; Value: number | null }[],
  isReading: boolean,
) => {
  const circuits = new Map(
    (await seenCircuits(db, actor, { ids: cells.map((cell) => cell.EnergyInfoId) }, true)).map((one) => [one.Id, one]),
  )
  const wrong: Wrong[] = []
  const slots = cells.flatMap(({ EnergyInfoId, Time, Value }, at): Slot[] => {
    const [circuit, period] = [circuits.get(EnergyInfoId), periodOf(Time)]
    if (!circuit) wrong.push({ at, field: 'EnergyInfoId', rule: 'unknownReference' })
    if (!period) wrong.push({ at, field: 'Time', rule: 'noSuchDay' })
    return circuit && period ? [{ circuit, ...period, value: Value, isReading }] : []
  })
  return { slots, wrong }
}

export const refuseCells = (wrong: readonly Wrong[]) => {
  if (!wrong.length) return
  throw new FieldFaults(
    wrong.map(({ at, field, ...fault }) => ({ ...fault, field: `Cells.${at}.${field === 'DataTime' ? 'Time' : field}` })),
  )
}
export { byHand }
