// Entries of people: amounts of hours, days and months of what a ledger has as columns.
import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { column, table, visible } from '../../../../server/resource/sql.ts'
import { type Check, recordAll } from '../../../../server/resource/store.ts'
import { byHand, type Cycle, daily } from '../contract.ts'
import { firstWall, isWall, periodOf, units } from './periods.ts'

/** A ledger: what people enter amounts of, such as circuits, and what they enter beside the amount. */
export type LedgerKind = {
  entries: Resource
  of: Resource
  /** The field of an entry that refers to its circuit or chemical; code and name of that. */
  ref: string
  code: string
  name: string
  /** The source of those whose amounts people enter. */
  entered: number
  /** Columns beside the amount, and their types in PostgreSQL. */
  beside: Readonly<Record<string, string>>
  /** The sheet, and a row that shows what each column takes. */
  sheet: Resource
  example: Readonly<Record<string, unknown>>
  /** Whether an entry that is there is of another kind. */
  isOther?: (before: Stored, slot: Slot) => boolean
  /** What is unusual about slots. */
  unusualIn: (db: Db, slots: readonly Slot[]) => Promise<Unusual[]>
}

export type Subject = {
  Id: number
  Name: string
  Code: string
  EnterpriseId: number
  ProjectId: number
  Source: number
  Zone: string
}

type By = { ids?: readonly number[]; codes?: readonly string[] }
/**
 * What the actor sees, with the zone of the company's days; it stays until the transaction ends. `writes`: entries of one subject
 * change one after another, so that what is added and what is changed is judged by what is there.
 */
export const seenSubjects = async ({ of, name, code }: LedgerKind, db: Db, actor: Actor, by: By, writes = false) => {
  const which = by.ids
    ? sql`t."Id" = any(${[...new Set(by.ids)]}::bigint[])`
    : sql`${column(code)} = any(${[...new Set(by.codes)]}::text[])`
  const tenant = by.ids ? sql`true` : sql`t."EnterpriseId" = ${actor.EnterpriseId}`
  return db.rows<Subject>(sql`
    select t."Id", ${column(name)} as "Name", ${column(code)} as "Code", t."EnterpriseId", t."ProjectId", t."Source", z."TimeZoneKey" as "Zone"
    from ${table(of)} t join enterprise z on z."Id" = t."EnterpriseId" where ${which} and ${tenant} and ${visible(of, actor)} order by t."Id" ${writes ? sql`for no key update of t` : sql`for key share of t`}`)
}

/**
 * An entry to save. `wall` is local time in the company's zone. A null `value` deletes the entry; without one, only what is `beside` it
 * changes.
 */
export type Slot = { subject: Subject; cycle: Cycle; wall: string; value?: number | null; beside: Readonly<Record<string, unknown>> }
/** Of the slot with this number: field and rule. */
export type Wrong = { at: number } & FieldFault
export type Stored = { Id: number; EnterpriseId: number; Value: number } & Record<string, unknown>
/** `Skipped`: the clocks go forward over this hour. */
export type Placed = { At: number; Time: string; Future: boolean; Skipped: boolean; Before: Stored | null }

const given = (slots: readonly Slot[]) =>
  JSON.stringify(
    slots.map(({ subject, cycle, wall, value, beside }, At) => {
      return { At, Subject: subject.Id, Zone: subject.Zone, Cycle: cycle, Wall: wall, Value: value, Beside: beside }
    }),
  )
export const slotsIn = (slots: readonly Slot[]) => sql`(
  select s.*, s."Wall"::timestamp at time zone s."Zone" as at
  from jsonb_to_recordset(${given(slots)}::jsonb) s ("At" integer, "Subject" bigint, "Zone" text, "Cycle" smallint, "Wall" text, "Value" numeric, "Beside" jsonb))`

/** Where slots lie, and what is there already. Refuses what people may not enter, slot by slot. */
const placed = async (kind: LedgerKind, db: Db, slots: readonly Slot[]): Promise<{ places: Placed[]; wrong: Wrong[] }> => {
  const places = await db.rows<Placed>(sql`
    select s."At", s.at::text as "Time", s.at > now() as "Future",
      s."Cycle" = 1 and s.at at time zone s."Zone" <> s."Wall"::timestamp as "Skipped",
      case when d."Id" is not null then to_jsonb(d) end as "Before"
    from ${slotsIn(slots)} s left join ${table(kind.entries)} d on ${column(kind.ref, 'd')} = s."Subject" and d."CycleType" = s."Cycle" and d."DataTime" = s.at
    order by s."At"`)
  const wrong: Wrong[] = []
  const seen = new Set<string>()
  for (const { At, Time, Future, Skipped, Before } of places) {
    const slot = slots[At]!
    const key = `${slot.subject.Id} ${slot.cycle} ${Time}`
    if (slot.subject.Source !== kind.entered) wrong.push({ at: At, field: kind.ref, rule: 'notEntered' })
    if (Future) wrong.push({ at: At, field: 'DataTime', rule: 'inFuture' })
    if (slot.wall < firstWall) wrong.push({ at: At, field: 'DataTime', rule: 'entryTooOld' })
    if (Skipped) wrong.push({ at: At, field: 'DataTime', rule: 'entrySkipped' })
    if (Before && kind.isOther?.(Before, slot)) wrong.push({ at: At, field: 'DataTime', rule: 'entryOther' })
    if (!Before && slot.value === undefined) wrong.push({ at: At, field: 'DataTime', rule: 'entryAmountFirst' })
    if (seen.has(key)) wrong.push({ at: At, field: 'DataTime', rule: 'entryTwice' })
    seen.add(key)
  }
  return { places, wrong }
}

const writeSlots = (kind: LedgerKind, db: Db, slots: readonly Slot[], source: number) => {
  const beside = Object.entries(kind.beside)
  const names = beside.map(([name]) => sql.raw(`"${name}"`))
  const ref = sql.raw(`"${kind.ref}"`)
  const values = beside.map(([name, type]) => sql`(s."Beside" ->> ${name})::${sql.raw(type)}`)
  return db.rows<Saved>(sql`
    insert into ${table(kind.entries)} as d ("EnterpriseId", ${ref}, "CycleType", "DataTime", "Value", "Source", ${sql.join(names)})
    select e."EnterpriseId", e."Id", s."Cycle", s.at, s."Value", ${source}, ${sql.join(values)} from ${slotsIn(slots)} s join ${table(kind.of)} e on e."Id" = s."Subject"
    on conflict (${ref}, "CycleType", "DataTime") do update
      set "Value" = excluded."Value", "Source" = excluded."Source", "UpdateTime" = now(), ${sql.join(names.map((name) => sql`${name} = excluded.${name}`))}
    returning d."Id", d."EnterpriseId", ${column(kind.ref, 'd')} as "Subject", to_jsonb(d) as "Row"`)
}

type Saved = { Id: number; EnterpriseId: number; Subject: number; Row: object }
/** Writes slots, all or none, with an entry in the log for each; the actor needs the rights for what happens. Answers them whole. */
export const saveSlots = async (kind: LedgerKind, db: Db, actor: Actor, slots: readonly Slot[], source: number) => {
  const { places, wrong } = await placed(kind, db, slots)
  if (wrong.length) return { wrong, added: 0, changed: 0, removed: 0, unchanged: 0, places, slots }
  const all = places.map(({ At, Before }) => {
    const { value = Before?.Value ?? null, beside, ...slot } = slots[At]!
    const kept = Object.fromEntries(Object.keys(kind.beside).map((name) => [name, Before?.[name] ?? null]))
    return { slot: { ...slot, value, beside: { ...kept, ...beside } }, Before }
  })
  const added = all.filter(({ slot, Before }) => slot.value !== null && !Before)
  const removed = all.filter(({ slot, Before }) => slot.value === null && Before)
  const isSame = ({ slot, Before }: (typeof all)[number]) =>
    Before !== null && Before.Value === slot.value && Object.entries(slot.beside).every(([name, value]) => Before[name] === value)
  const changed = all.filter((one) => one.slot.value !== null && one.Before && !isSame(one))
  const needed = { add: added.length, edit: changed.length, remove: removed.length }
  assertHolds(
    actor,
    Object.entries(needed).flatMap(([button, count]) => (count ? [`${kind.entries.permission}.${button}`] : [])),
  )
  const write = [...added, ...changed].map(({ slot }) => slot)
  const written = write.length ? await writeSlots(kind, db, write, source) : []
  const before = new Map(changed.map(({ Before }) => [Before!.Id, Before]))
  const projects = new Map(slots.map(({ subject }) => [subject.Id, subject.ProjectId]))
  const entry = ({ Id, EnterpriseId, Subject, Row }: Saved) => ({ Id, EnterpriseId, After: { ...Row, ProjectId: projects.get(Subject) } })
  const fresh = written.filter(({ Id }) => !before.has(Id)).map(entry)
  const others = written.filter(({ Id }) => before.has(Id)).map((row) => ({ ...entry(row), Before: before.get(row.Id) }))
  const gone = removed.map(({ slot, Before }) => ({
    Id: Before!.Id,
    EnterpriseId: Before!.EnterpriseId,
    Before: { ...Before, ProjectId: slot.subject.ProjectId },
  }))
  if (gone.length) await db.rows(sql`delete from ${table(kind.entries)} where "Id" = any(${gone.map(({ Id }) => Id)}::bigint[])`)
  if (fresh.length) await recordAll(db, actor, kind.entries, 'create', fresh)
  if (others.length) await recordAll(db, actor, kind.entries, 'update', others)
  if (gone.length) await recordAll(db, actor, kind.entries, 'remove', gone)
  const count = { added: added.length, changed: changed.length, removed: removed.length }
  return {
    wrong,
    ...count,
    unchanged: slots.length - added.length - changed.length - removed.length,
    places,
    slots: all.map(({ slot }) => slot),
  }
}

/** Of a slot: a sentence and what it names. */
export type Unusual = { at: number; rule: string; values: Record<string, number> }

type Values = { DataTime: string; CycleType: Cycle; IsReading?: number } & Record<string, unknown>
/** Entries one by one: amounts begin with their period in the company's zone, readings when the meter was read. */
export const entryCheck =
  (kind: LedgerKind): Check =>
  async (db, actor, draft, held) => {
    const { CycleType = daily, IsReading = 0, ...now } = { ...held, ...draft } as Values
    const [subject] = await seenSubjects(kind, db, actor, { ids: [now[kind.ref] as number] }, !held)
    // One out of sight is refused below, as an unknown reference.
    if (!subject) return draft
    const refuse = (field: string, rule: string) => new FieldFaults([{ field, rule }])
    if (subject.Source !== kind.entered) throw refuse(kind.ref, 'notEntered')
    if (!isWall(now.DataTime)) throw refuse('DataTime', 'noSuchDay')
    if (now.DataTime < firstWall) throw refuse('DataTime', 'entryTooOld')
    const time = sql`(${now.DataTime}::timestamp at time zone ${actor.zone ?? actor.tenantZone}::text)`
    const at = IsReading ? time : sql`date_trunc(${units[CycleType]}, ${time}, ${subject.Zone}::text)`
    const [found] = await db.rows<{ Time: number; Future: boolean }>(
      sql`select (extract(epoch from ${at}) * 1000)::bigint as "Time", ${at} > now() as "Future"`,
    )
    if (found!.Future) throw refuse('DataTime', 'inFuture')
    const touched = !held || ['DataTime', 'CycleType', 'IsReading'].some((name) => draft[name] !== undefined)
    return touched ? { ...draft, DataTime: new Date(found!.Time) } : draft
  }

/** A cell of a ledger. */
export type GridCell = { Id: number; Time: string } & Pick<Slot, 'value' | 'beside'>
/** Cells of a ledger as slots; those that name nothing that is there or no period are refused by their number. */
export const slotsOf = async (kind: LedgerKind, db: Db, actor: Actor, cells: readonly GridCell[]) => {
  const ids = cells.map(({ Id }) => Id)
  const subjects = new Map((await seenSubjects(kind, db, actor, { ids }, true)).map((one) => [one.Id, one]))
  const wrong: Wrong[] = []
  const slots = cells.flatMap(({ Id, Time, ...what }, at): Slot[] => {
    const [subject, period] = [subjects.get(Id), periodOf(Time)]
    if (!subject) wrong.push({ at, field: kind.ref, rule: 'unknownReference' })
    if (!period) wrong.push({ at, field: 'Time', rule: 'noSuchDay' })
    return subject && period ? [{ subject, ...period, ...what }] : []
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
