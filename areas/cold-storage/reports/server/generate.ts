// Creates reports as rows that the worker then computes.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { mostDays, mostMs, type Standard } from '../../figures/contract.ts'
import { standardOf } from '../../figures/server/service.ts'
import { coldStorage, finished, Sensor, type StorageType } from '../../rooms/contract.ts'
import { wallText } from '../../rooms/server/service.ts'
import { type CheckAsk, check, coldCriteria, coldReport, type Mark, type PhaseAsk, phase, running } from '../contract.ts'
import { boundDuring, mostValues, type Span, valuesOf } from './gather.ts'
import { ownCriteria, ownReports } from './own.ts'
import { spanOfPeriod } from './periods.ts'

export type Begins = {
  clock: () => number
  /** Used and allowed file storage of the company, bytes. */
  usage: (actor: Actor) => Promise<{ Used: number; Quota: number }>
}
type Asked = { ColdStorageId?: number | undefined; SN?: string | undefined }
type Room = {
  Id: number
  EnterpriseId: number
  StorageName: string
  StorageType: StorageType
  IsCompose: number
  InitStatus: number
  Zone: string
}

/** Maximum pending reports per company. */
const mostWaiting = 20

/** Rooms out of sight and unknown gateways get the same answer. */
const roomOf = async (db: Db, actor: Actor, { ColdStorageId, SN }: Asked): Promise<Room> => {
  if (ColdStorageId === undefined && SN === undefined) throw new FieldFaults([{ field: 'ColdStorageId', rule: 'required' }])
  const rows = await db.rows<Room>(sql`
    select t."Id", t."EnterpriseId", t."StorageName", t."StorageType", t."IsCompose", t."InitStatus", e."TimeZoneKey" as "Zone"
    from cold_storage t join enterprise e on e."Id" = t."EnterpriseId" where ${visible(coldStorage, actor)}
      and ${ColdStorageId === undefined ? sql`true` : sql`t."Id" = ${ColdStorageId}`}
      and ${SN === undefined ? sql`true` : sql`t."SN" = ${SN.trim().toUpperCase()}`} order by t."Id" limit 2`)
  if (!rows.length) throw notFound()
  if (rows.length > 1) throw new FieldFaults([{ field: 'ColdStorageId', rule: 'cold.report.whichRoom' }])
  return rows[0]!
}

const assertRoom = (room: Room, composed: boolean) => {
  if ((room.IsCompose === 1) !== composed)
    throw new FieldFaults([{ field: 'ColdStorageId', rule: composed ? 'cold.report.notComposed' : 'cold.report.composed' }])
  if (room.InitStatus !== finished) throw new Fault('wrongState', { title: room.StorageName })
}

const assertSpan = ({ Start, End }: Span, now: number) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (End - Start > mostMs) throw new Fault('rangeTooLong', { max: mostDays })
  if (End > now) throw new FieldFaults([{ field: 'End', rule: 'inFuture' }])
}

const assertMarks = (marks: readonly Mark[], { Start, End }: Span) => {
  const faults = marks.flatMap(({ From, To }, i) =>
    From >= Start && To > From && To <= End ? [] : [{ field: `Marks.${i}.To`, rule: 'cold.report.markOutside' }],
  )
  if (faults.length) throw new FieldFaults(faults)
}

const assertSensors = async (db: Db, room: Room, span: Span) => {
  const sensors = await boundDuring(db, room.Id, span)
  if (!sensors.some(({ SensorType }) => SensorType === Sensor.temperature))
    throw new FieldFaults([{ field: 'ColdStorageId', rule: 'cold.report.noSensors' }])
  if (valuesOf(sensors, span) > mostValues) throw new FieldFaults([{ field: 'End', rule: 'cold.report.tooMuch' }])
}

/** Allocates the company's next report number of the year. Safe under concurrency. */
const nextNumber = async (db: Db, { EnterpriseId, Zone }: Room, now: number) => {
  const year = Number(wallText(now, Zone).slice(0, 4))
  const [row] = await db.rows<{ Last: number }>(sql`
    insert into cold_report_number as n ("EnterpriseId", "Year", "Last") values (${EnterpriseId}, ${year}, 1)
    on conflict ("EnterpriseId", "Year") do update set "Last" = n."Last" + 1 returning "Last"`)
  return `CR${year}-${String(row!.Last).padStart(5, '0')}`
}

const criteriaRows = store(coldCriteria)
/** What is left out is what the company asks of the kind of room. */
export const saveCriteria = async (db: Db, actor: Actor, given: Record<string, unknown>, now: number) => {
  const [room] = await db.rows<Pick<Room, 'EnterpriseId' | 'StorageType'>>(
    sql`select t."EnterpriseId", t."StorageType" from cold_storage t where t."Id" = ${given.ColdStorageId} and ${visible(coldStorage, actor)}`,
  )
  const { StorageType: _, StandardName, ...limits } = room ? await standardOf(db, room.EnterpriseId, room.StorageType) : ({} as Standard)
  const draft = { CriteriaName: StandardName, ...limits, ...given }
  const { Id } = await ownCriteria.create(db, actor, { ...draft, SetUserId: actor.UserId || null, SetTime: new Date(now) })
  return criteriaRows.find(db, actor, Id)
}

/** The criteria that somebody has saved, otherwise those of the kind of room, saved now. */
const criteriaOf = async (db: Db, actor: Actor, room: Room, given: number | undefined, now: number): Promise<number> => {
  if (given === undefined) return (await saveCriteria(db, actor, { ColdStorageId: room.Id }, now)).Id
  const [row] = await db.rows(sql`
    select 1 from cold_criteria t where t."Id" = ${given} and t."ColdStorageId" = ${room.Id} and ${visible(coldCriteria, actor)}`)
  if (!row) throw new FieldFaults([{ field: 'CriteriaId', rule: 'unknownReference' }])
  return given
}

type Draft = Record<string, unknown> & Span
const reportRows = store(coldReport)
const begin = async (db: Db, actor: Actor, { room, ...draft }: { room: Room } & Draft, { clock }: Begins) => {
  const { Start, End, ...values } = draft
  // Take the lock before counting, so that concurrent requests count each other.
  const ReportNo = await nextNumber(db, room, clock())
  const [waiting] = await db.rows<{ n: number }>(
    sql`select count(*)::int as n from (select 1 from cold_report where "EnterpriseId" = ${room.EnterpriseId} and "Result" = 0 limit ${mostWaiting}) w`,
  )
  if (waiting!.n >= mostWaiting) throw new Fault('busy')
  const { Id } = await ownReports.create(db, actor, {
    ...{ ColdStorageId: room.Id, IsCompose: room.IsCompose, ReportNo, UserId: actor.UserId || null },
    ...{ StartTime: new Date(Start), EndTime: new Date(End), ...values },
  })
  return reportRows.find(db, actor, Id)
}

const assertRoomForFiles = async (actor: Actor, { EnterpriseId }: Room, { usage }: Begins) => {
  const { Used, Quota } = await usage({ ...actor, EnterpriseId })
  if (Used >= Quota) throw new Fault('quotaUsed', { megabytes: Math.floor(Quota / 1024 / 1024) })
}

/** The room and the time of a report that somebody prepares. */
export const checkableRoom = async (db: Db, actor: Actor, asked: Asked & Span, now: number) => {
  const room = await roomOf(db, actor, asked)
  assertSpan(asked, now)
  const [of] = await db.rows<{ DoorCount: number | null }>(sql`select "DoorCount" from cold_storage where "Id" = ${room.Id}`)
  return { ...room, DoorCount: of!.DoorCount }
}

export const generateCheck = async (db: Db, actor: Actor, asked: CheckAsk, composed: boolean, language: Language, needs: Begins) => {
  const { Start, End, CheckKind, LoadState, Season, Language = language, CriteriaId, Purpose, Marks = [] } = asked
  const room = await roomOf(db, actor, asked)
  assertRoom(room, composed)
  assertSpan({ Start, End }, needs.clock())
  assertMarks(Marks, { Start, End })
  await assertSensors(db, room, { Start, End })
  await assertRoomForFiles(actor, room, needs)
  return db.tx(async (db) => {
    const criteria = await criteriaOf(db, actor, room, CriteriaId, needs.clock())
    const own = { ReportType: check, CheckKind, LoadState, Season, Language, Purpose: Purpose?.trim() || null, Marks, CriteriaId: criteria }
    return begin(db, actor, { room, Start, End, ...own }, needs)
  })
}

export const generatePhase = async (db: Db, actor: Actor, asked: PhaseAsk, composed: boolean, language: Language, needs: Begins) => {
  const room = await roomOf(db, actor, asked)
  assertRoom(room, composed)
  const { Period, Day, Start, End, Language = language } = asked
  if (Period === undefined && (Start === undefined || End === undefined)) throw new FieldFaults([{ field: 'Period', rule: 'required' }])
  if (Period !== undefined && Day === undefined) throw new FieldFaults([{ field: 'Day', rule: 'required' }])
  const span = Period === undefined ? { Start: Start!, End: End! } : await spanOfPeriod(db, Period, Day!, room.Zone)
  assertSpan(span, needs.clock())
  await assertSensors(db, room, span)
  await assertRoomForFiles(actor, room, needs)
  const ReportType = Period === undefined ? phase : running
  return db.tx((db) => begin(db, actor, { room, ...span, ReportType, Period: Period ?? null, Language, Marks: [] }, needs))
}
