// Builds a report's record: the room, its sensors with calibrations, and their latest known values.
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import { version } from '../../../../contract/version.ts'
import type { Db } from '../../../../server/database/db.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { PackedReadings } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { Sensor } from '../../rooms/contract.ts'
import { corrected, offsetAt, offsetsOf, wallText } from '../../rooms/server/service.ts'
import { check, type coldReport } from '../contract.ts'
import {
  type Calibration,
  type ColdRecord,
  changesOf,
  criteriaLimits,
  format,
  formulas,
  minute,
  minuteValues,
  mostChanges,
  type Readings,
  type RecordCriteria,
  type RecordExcursion,
  type RecordSensor,
  switchHoldMs,
} from '../record.ts'

export type Report = Row<typeof coldReport>
export type Reads = { telemetry: Pick<Telemetry, 'aside'> }
export type Span = { Start: number; End: number }

/** On/off sensors. */
const switches: readonly number[] = [Sensor.door, Sensor.compressor, Sensor.defrost, Sensor.fan, Sensor.powerCut]
/** Numbers of one record: a month of 40 sensors. */
export const mostValues = 2_000_000

type Bound = Omit<RecordSensor, 'Calibrations' | 'Values' | 'Changes'> & { ParaId: number }
/** Sensors of a room, or of the members of a composed one, while they were bound. */
export const boundDuring = (db: Db, room: number, { Start, End }: Span) =>
  db.rows<Bound>(sql`
    with sources as (
      select ${room}::bigint as id, timestamptz '-infinity' as since, timestamptz 'infinity' as till
      union all select "MemberId", cold_member."From", coalesce("Until", 'infinity') from cold_member where "ComposeId" = ${room}),
    found as (
      select b.*, greatest(b."BindTime", s.since, ${new Date(Start)}::timestamptz) as since, least(coalesce(b."UnbindTime", 'infinity'), s.till, ${new Date(End)}::timestamptz) as till
      from sources s join cold_sensor_bind b on b."ColdStorageId" = s.id where b."ParaId" is not null)
    select "Id", "SensorName", "SensorType", "Position", "X"::float8 as "X", "Y"::float8 as "Y", "Z"::float8 as "Z", "ProductSN", "SensorClass", "ParaId",
      (extract(epoch from since) * 1000)::float8 as "From", (extract(epoch from till) * 1000)::float8 as "Until"
    from found where since < till order by "SensorType", "Id" limit 400`)

/** Number of values in a report over a range. */
export const valuesOf = (sensors: readonly { SensorType: number }[], { Start, End }: Span) =>
  sensors.filter(({ SensorType }) => !switches.includes(SensorType)).length * Math.ceil((End - Start) / minute)

export const calibrationsOf = async (db: Db, sensors: readonly { Id: number }[], lastDay: string) => {
  const rows = await db.rows<Calibration & { SensorBindId: number }>(sql`
    select "SensorBindId", "CalibDate", "CalibDue", "CalibOffset"::float8 as "CalibOffset", "CertificateNo" from cold_calibration
    where "SensorBindId" = any(${sensors.map(({ Id }) => Id)}::bigint[]) and "CalibDate" <= ${lastDay} order by "SensorBindId", "CalibDate"`)
  return Map.groupBy(rows, ({ SensorBindId }) => SensorBindId)
}

const excursionsIn = (db: Db, sensors: readonly { Id: number }[], { Start, End }: Span) =>
  db.rows<RecordExcursion>(sql`
    select b."SensorName", x."SensorType", x."Side", (extract(epoch from x."BeginTime") * 1000)::float8 as "Begin",
      (extract(epoch from x."EndTime") * 1000)::float8 as "End", x."Minutes", x."PeakValue" as "Peak", x."DegreeMinutes", x."Disposition", x."Cause"
    from cold_excursion x join cold_sensor_bind b on b."Id" = x."SensorBindId"
    where x."SensorBindId" = any(${sensors.map(({ Id }) => Id)}::bigint[]) and x."IsVoid" = 0 and x."BeginTime" < ${new Date(End)}
      and coalesce(x."EndTime", 'infinity') > ${new Date(Start)} order by x."BeginTime", x."SensorBindId", x."Side" limit 1000`)

type Of = {
  Company: string
  Zone: string
  Author: string | null
  StartMs: number
  EndMs: number
  Room: ColdRecord['Room']
  Criteria: (Omit<RecordCriteria, 'SetTime'> & { SetTime: number | null }) | null
}
const factsOf = async (db: Db, { Id }: Report): Promise<Of> => {
  const n = (name: string) => sql.raw(`'${name}', (c."${name}")::float8`)
  const [row] = await db.rows<Of>(sql`
    select e."Name" as "Company", e."TimeZoneKey" as "Zone", u."UserName" as "Author",
      (extract(epoch from r."StartTime") * 1000)::float8 as "StartMs", (extract(epoch from r."EndTime") * 1000)::float8 as "EndMs",
      json_build_object('Id', t."Id", 'StorageName', t."StorageName", 'StorageNo', t."StorageNo", 'StorageType', t."StorageType", 'IsCompose', r."IsCompose",
        'TempLow', t."TempLow"::float8, 'TempHigh', t."TempHigh"::float8, 'TempSet', t."TempSet"::float8, 'Area', t."Area"::float8, 'Volume', t."Volume"::float8) as "Room",
      case when c."Id" is not null then json_build_object('CriteriaName', c."CriteriaName", ${sql.join(criteriaLimits.map(n))}, 'SetBy', s."UserName",
        'SetTime', (extract(epoch from c."SetTime") * 1000)::float8) end as "Criteria"
    from cold_report r join cold_storage t on t."Id" = r."ColdStorageId" join enterprise e on e."Id" = r."EnterpriseId"
      left join "user" u on u."Id" = r."UserId" left join cold_criteria c on c."Id" = r."CriteriaId" left join "user" s on s."Id" = c."SetUserId"
    where r."Id" = ${Id}`)
  return row!
}

/** Running reports use the room's own band. */
const ownCriteria = ({ TempLow, TempHigh }: ColdRecord['Room']): RecordCriteria => ({
  ...{
    CriteriaName: '',
    TempLow,
    TempHigh,
    MaxUniformity: null,
    MaxFluctuation: null,
    MinPoints: 1,
    IntervalMin: switchHoldMs / minute,
    MinHours: 0,
  },
  ...{ RecoverMaxMin: null, PowerCutMinMin: null, DeltaH: 83.144, SetBy: null, SetTime: null },
})

/** A record with packed values; NaN: no value. */
export type Gathered = Omit<ColdRecord, 'Sensors'> & { Sensors: (Omit<RecordSensor, 'Values'> & { Values?: Float64Array })[] }

type Steps = Parameters<typeof offsetAt>[0]
/** Corrected readings of a point since it was bound. */
const readingsOf = (packed: PackedReadings | undefined, steps: Steps, from: number): Readings => {
  if (!packed) return { count: 0, time: () => 0, value: () => null }
  const { time, value, quality } = packed
  return {
    count: time.length,
    time: (i) => Math.max(time[i]!, from),
    value: (i) => (quality[i] !== 0 || Number.isNaN(value[i]!) ? null : corrected(value[i]!, offsetAt(steps, time[i]!))),
  }
}
const firstFrom = ({ count, time }: Readings, start: number): number | null => {
  for (let i = 0; i < count; i++) if (time(i) >= start) return time(i)
  return null
}

/** Reads the points one by one to limit memory. */
const withValues = async (db: Db, sensors: readonly Bound[], { Start, End }: Span, holds: number, { telemetry }: Reads) => {
  const stepsOf = await offsetsOf(
    db,
    sensors.map(({ Id }) => Id),
  )
  let [first, changes] = [null as number | null, 0]
  const read = async ({ ParaId, ...sensor }: Bound) => {
    const { Id, From, Until, SensorType } = sensor
    const isSwitch = switches.includes(SensorType)
    const before = isSwitch ? switchHoldMs : holds
    const [packed] = await telemetry.aside.packed([ParaId], Math.max(Start, From) - before, Math.min(End, Until))
    await ownTurn()
    const readings = readingsOf(packed, stepsOf(Id), From)
    const own = firstFrom(readings, Start)
    if (own !== null && (first === null || own < first)) first = own
    if (isSwitch) {
      const Changes = changesOf(readings, switchHoldMs, Math.min(End, Until), mostChanges - changes)
      changes += Changes.length
      return { ...sensor, Changes }
    }
    // Outside its binding, a sensor's values are unknown.
    const known = Math.ceil((Until - Start) / minute)
    const Values = minuteValues(readings, Start, End, holds)
    return { ...sensor, Values: known < Values.length ? Values.fill(Number.NaN, Math.max(0, known)) : Values }
  }
  const all = []
  for (const sensor of sensors) all.push(await read(sensor))
  return { all, first }
}

export const gather = async (db: Db, report: Report, reads: Reads, now: number): Promise<Gathered> => {
  const { Company, Zone, Author, StartMs: Start, EndMs: End, Room, Criteria } = await factsOf(db, report)
  const criteria = Criteria ?? ownCriteria(Room)
  const LastDay = wallText(End - 1, Zone).slice(0, 10)
  const bound = await boundDuring(db, report.ColdStorageId, { Start, End })
  const calibrations = await calibrationsOf(db, bound, LastDay)
  const holds = report.ReportType === check ? criteria.IntervalMin * minute : switchHoldMs
  const { all, first } = await withValues(db, bound, { Start, End }, holds, reads)
  const { ReportNo, ReportType, Period, CheckKind, LoadState, Season, Purpose } = report
  return {
    ...{ Format: format, Version: version, ReportNo, ReportType, Period, CheckKind, LoadState, Season, Purpose },
    ...{ Company, TimeZone: Zone, Author, Made: now, Start, End, LastDay, Room, Criteria: criteria, FirstReading: first },
    Sensors: all.map((sensor) => ({
      ...sensor,
      Calibrations: (calibrations.get(sensor.Id) ?? []).map(({ SensorBindId: _, ...calibration }) => calibration),
    })),
    Marks: report.Marks as ColdRecord['Marks'],
    Excursions: await excursionsIn(db, bound, { Start, End }),
    Formulas: formulas,
  }
}
