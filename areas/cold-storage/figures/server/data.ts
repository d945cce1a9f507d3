// Readings of a room over a time: of its own sensors while they were bound, and of a composed room those of its members while they were.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { askWorker } from '../../../../server/jobs/askWorker.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { holdMs } from '../../excursions/server/service.ts'
import { coldStorage, type StorageType } from '../../rooms/contract.ts'
import { offsetsOf } from '../../rooms/server/service.ts'
import { mostDays, mostMs } from '../contract.ts'
import { type FiguresAsk, figuresOfRoom, type RoomFound, type RoomReadings, type RoomSensor } from '../readings.ts'

export type Needs = { telemetry: Pick<Telemetry, 'aside'>; clock: () => number }
export type Asked = { ColdStorageId: number; Start: number; End: number }
export type RoomData = RoomReadings & { Id: number; StorageName: string; StorageType: StorageType; Zone: string }

/** Maximum readings per request: a month of forty sensors at one-minute resolution. */
export const mostReadings = 2_000_000

const assertSpan = ({ Start, End }: Asked) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (End - Start > mostMs) throw new Fault('rangeTooLong', { max: mostDays })
}

const sensorsOf = (db: Db, { ColdStorageId, Start, End }: Asked) =>
  db.rows<Omit<RoomSensor, 'steps'>>(sql`
    with sources as (
      select ${ColdStorageId}::bigint as id, timestamptz '-infinity' as since, timestamptz 'infinity' as till
      union all select "MemberId", cold_member."From", coalesce("Until", 'infinity') from cold_member where "ComposeId" = ${ColdStorageId}),
    found as (
      select b.*, greatest(b."BindTime", s.since, ${new Date(Start)}::timestamptz) as since, least(coalesce(b."UnbindTime", 'infinity'), s.till, ${new Date(End)}::timestamptz) as till
      from sources s join cold_sensor_bind b on b."ColdStorageId" = s.id where b."ParaId" is not null)
    select "Id", "SensorName", "SensorType", "Position", "ParaId", "CalibDue", (extract(epoch from since) * 1000)::float8 as "from", (extract(epoch from till) * 1000)::float8 as "until"
    from found where since < till order by "SensorType", "Id" limit 400`)

export const roomData = async (db: Db, actor: Actor, asked: Asked, { telemetry }: Needs): Promise<RoomData> => {
  assertSpan(asked)
  const [room] = await db.rows<Omit<RoomData, 'sensors' | 'columns'>>(sql`
    select t."Id", t."StorageName", t."StorageType", t."TempLow"::float8 as "TempLow", t."TempHigh"::float8 as "TempHigh", t."TempSet"::float8 as "TempSet",
      e."TimeZoneKey" as "Zone"
    from cold_storage t join enterprise e on e."Id" = t."EnterpriseId" where t."Id" = ${asked.ColdStorageId} and ${visible(coldStorage, actor)}`)
  if (!room) throw notFound()
  const sensors = await sensorsOf(db, asked)
  const stepsOf = await offsetsOf(
    db,
    sensors.map(({ Id }) => Id),
  )
  const columns = await columnsOf([...new Set(sensors.map(({ ParaId }) => ParaId))], asked, telemetry)
  return { ...room, sensors: sensors.map((sensor) => ({ ...sensor, steps: stepsOf(sensor.Id) })), columns }
}

/** Reads points one by one. @throws FieldFaults if they exceed the limit in total */
const columnsOf = async (points: readonly number[], { Start, End }: Asked, telemetry: Needs['telemetry']) => {
  const columns = []
  let count = 0
  for (const point of points) {
    const [column] = await telemetry.aside.packed([point], Start - holdMs, End)
    if (!column) continue
    count += column.time.length
    if (count > mostReadings) throw new FieldFaults([{ field: 'End', rule: 'cold.report.tooMuch' }])
    columns.push(column)
  }
  return columns
}

/** Maximum readings to process on the main thread. Larger requests go to a worker thread. */
const fewReadings = 20_000
const limits = { mostMs: 60_000, heapMb: 1024 }
export const roomFound = (ask: FiguresAsk): Promise<RoomFound> | RoomFound =>
  ask.room.columns.reduce((sum, { time }) => sum + time.length, 0) <= fewReadings
    ? figuresOfRoom(ask)
    : askWorker<RoomFound>(new URL('./figures-worker.ts', import.meta.url), ask, limits)
