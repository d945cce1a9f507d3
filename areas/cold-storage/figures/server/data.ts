// Readings of a room over a time: of its own sensors while they were bound, and of a composed room those of its members while they were.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { holdMs, type Reading } from '../../excursions/server/service.ts'
import { coldStorage, type StorageType } from '../../rooms/contract.ts'
import { corrected, offsetAt, offsetsOf } from '../../rooms/server/service.ts'
import { mostDays, mostMs } from '../contract.ts'

export type Needs = { telemetry: Pick<Telemetry, 'aside'>; clock: () => number }
export type Asked = { ColdStorageId: number; Start: number; End: number }
export type Sensor = {
  Id: number
  SensorName: string
  SensorType: number
  Position: number | null
  ParaId: number
  CalibDue: string | null
} & {
  from: number
  until: number
}
export type RoomData = {
  Id: number
  StorageName: string
  StorageType: StorageType
  TempLow: number | null
  TempHigh: number | null
  TempSet: number | null
  Zone: string
  sensors: readonly Sensor[]
  readings: (sensor: Sensor) => readonly Reading[]
}

const assertSpan = ({ Start, End }: Asked) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (End - Start > mostMs) throw new Fault('rangeTooLong', { max: mostDays })
}

const sensorsOf = (db: Db, { ColdStorageId, Start, End }: Asked) =>
  db.rows<Sensor>(sql`
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
  const [room] = await db.rows<Omit<RoomData, 'sensors' | 'readings'>>(sql`
    select t."Id", t."StorageName", t."StorageType", t."TempLow"::float8 as "TempLow", t."TempHigh"::float8 as "TempHigh", t."TempSet"::float8 as "TempSet",
      e."TimeZoneKey" as "Zone"
    from cold_storage t join enterprise e on e."Id" = t."EnterpriseId" where t."Id" = ${asked.ColdStorageId} and ${visible(coldStorage, actor)}`)
  if (!room) throw notFound()
  const sensors = await sensorsOf(db, asked)
  const stepsOf = await offsetsOf(
    db,
    sensors.map(({ Id }) => Id),
  )
  const points = [...new Set(sensors.map(({ ParaId }) => ParaId))]
  const columns = points.length ? await telemetry.aside.columns(points, asked.Start - holdMs, asked.End) : []
  const byPoint = new Map(columns.map((column) => [column.point, column]))
  return {
    ...room,
    sensors,
    readings: ({ Id, ParaId, from, until }) => {
      const column = byPoint.get(ParaId)
      const steps = stepsOf(Id)
      return (column?.time ?? []).flatMap((time, i) => {
        if (time < from - holdMs || time >= until) return []
        const value = column!.quality[i] === 0 ? (column!.value[i] ?? null) : null
        return [{ time: Math.max(time, from), value: value === null ? null : corrected(value, offsetAt(steps, time)) }]
      })
    },
  }
}
