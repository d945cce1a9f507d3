// Entries as a grid of subjects and periods, and what is unusual about one.
import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { column, hiddenFields, table, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { byHand, type Cycle, daily, hourly, monthly, mostColumns } from '../contract.ts'
import { type GridCell, type LedgerKind, refuseCells, type Slot, saveSlots, seenSubjects, slotsOf, type Unusual } from './entries.ts'
import { firstWall, isWall, periodOf, units, written } from './periods.ts'

const projects = store(project)
type Column = { Id: number; Name: string; Code: string; Unit: string }
type Read = { Id: number; Time: string; Value: number } & Record<string, unknown>

/** A year shows months, a month days, and a day hours. */
const cycleOf = (of: string): Cycle => (of.length === 4 ? monthly : of.length === 7 ? daily : hourly)

type Asked = { ProjectId: number; Of: string; where?: RawBuilder<unknown> }
export const readLedger = async (kind: LedgerKind, db: Db, actor: Actor, { ProjectId, Of, where = sql`true` }: Asked) => {
  await projects.find(db, actor, ProjectId)
  const cycle = cycleOf(Of)
  const first = periodOf(Of.length === 4 ? `${Of}-01` : Of)
  if (!first || first.wall < firstWall) throw new FieldFaults([{ field: 'Of', rule: 'noSuchDay' }])
  const span = cycle === monthly ? 'year' : cycle === daily ? 'month' : 'day'
  const all = await db.rows<Column>(sql`
    select "Id", ${column(kind.name)} as "Name", ${column(kind.code)} as "Code", "Unit" from ${table(kind.of)} t
    where "ProjectId" = ${ProjectId} and "Source" = ${kind.entered} and ${visible(kind.of, actor)} order by "Sort", "Id" limit ${mostColumns + 1}`)
  const answer = { CycleType: cycle, Columns: all.slice(0, mostColumns), More: all.length > mostColumns }
  if (hidesValues(kind, actor)) return { ...answer, Cells: [] }
  const start = sql`${first.wall}::timestamp`
  const hidden = hiddenFields(kind.entries, actor)
  const beside = Object.keys(kind.beside).filter((name) => !hidden?.has(name))
  const Cells = await db.rows<Read>(sql`
    select ${column(kind.ref, 'd')} as "Id", to_char(d."DataTime" at time zone z."TimeZoneKey", ${written[cycle]}::text) as "Time", ${sql.join(['Value', ...beside].map((name) => sql`${column(name, 'd')}`))}
    from ${table(kind.entries)} d join enterprise z on z."Id" = d."EnterpriseId"
    where ${column(kind.ref, 'd')} = any(${answer.Columns.map(({ Id }) => Id)}::bigint[]) and d."CycleType" = ${cycle} and ${where}
      and d."DataTime" >= ${start} at time zone z."TimeZoneKey" and d."DataTime" < (${start} + ${`1 ${span}`}::interval) at time zone z."TimeZoneKey"
    order by d."DataTime"`)
  return { ...answer, Cells }
}

/** A role may hide values; what is unusual about one tells others. */
const hidesValues = ({ entries }: LedgerKind, actor: Actor) => hiddenFields(entries, actor)?.has('Value') ?? false
const sentence = (language: Language, { rule, values }: Unusual) => word(language, rule, values)

/** Saves cells, all or none. Answers what is unusual about them, by cell. */
export const saveLedger = (kind: LedgerKind, db: Db, actor: Actor, cells: readonly GridCell[], language: Language) =>
  db.tx(async (db) => {
    const { slots, wrong } = await slotsOf(kind, db, actor, cells)
    refuseCells(wrong)
    const done = await saveSlots(kind, db, actor, slots, byHand)
    refuseCells(done.wrong)
    const unusual = hidesValues(kind, actor) ? [] : await kind.unusualIn(db, done.slots)
    return {
      Changed: done.added + done.changed + done.removed,
      warnings: unusual.map((one) => ({ Id: cells[one.at]!.Id, Time: cells[one.at]!.Time, Message: sentence(language, one) })),
    }
  })

type Checked = { Id: number; DataTime: string; CycleType?: number | undefined; value: number; isReading?: boolean; beside: Slot['beside'] }
/** Validates input while the user types. Stores nothing. */
export const checkData = async (kind: LedgerKind, db: Db, actor: Actor, checked: Checked, language: Language) => {
  const { Id, DataTime, value, isReading = false, beside } = checked
  const cycle = (checked.CycleType ?? daily) as Cycle
  const [subject] = await seenSubjects(kind, db, actor, { ids: [Id] })
  if (!subject) throw new FieldFaults([{ field: kind.ref, rule: 'unknownReference' }])
  const full = DataTime.length === 10 ? `${DataTime} 00:00:00` : DataTime
  const Errors: string[] = []
  const say = (rule: string, values = {}) => Errors.push(word(language, `fault.field.${rule}`, values))
  if (subject.Source !== kind.entered) say('notEntered')
  if ([value, ...Object.values(beside)].some((one) => typeof one === 'number' && one < 0)) say('min', { min: 0 })
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(full) || !isWall(full)) say('noSuchDay')
  else if (full < firstWall) say('entryTooOld')
  if (Errors.length) return { Valid: false, Errors, Warnings: [] }
  const time = sql`(${full}::timestamp at time zone ${actor.zone ?? actor.tenantZone}::text)`
  const [at] = await db.rows<{ Wall: string; Future: boolean }>(sql`
    select to_char((case when ${isReading} then ${time} else date_trunc(${units[cycle]}, ${time}, ${subject.Zone}::text) end) at time zone ${subject.Zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Wall",
      ${time} > now() as "Future"`)
  if (at!.Future) say('inFuture')
  const slot: Slot = { subject, cycle, wall: at!.Wall, value, beside }
  const Warnings = Errors.length || hidesValues(kind, actor) ? [] : (await kind.unusualIn(db, [slot])).map((one) => sentence(language, one))
  return { Valid: !Errors.length, Errors, Warnings }
}
