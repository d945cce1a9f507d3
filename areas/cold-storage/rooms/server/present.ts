// What rooms measure now, and over the last day.
import { sql } from 'kysely'
import type { Static, Type } from 'typebox'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Present } from '../calls.ts'
import { coldStorage, Sensor } from '../contract.ts'
import type { Needs } from './init.ts'
import { corrected, offsetAt, offsetsOf } from './offsets.ts'
import { wallText, zoneOf } from './sensors.ts'

type Now = Static<ReturnType<typeof Type.Object<typeof Present>>>
/** Values older than this are not current. */
const freshMs = 1_800_000
const soonDays = 30

export type BoundSensor = { Id: number; RoomId: number; SensorType: number; ParaId: number; CalibDue: string | null }
/** Present sensors of rooms; of a composed room those of its members. */
export const boundOf = (db: Db, ids: readonly number[]) =>
  db.rows<BoundSensor>(sql`
    with wanted as (
      select r."Id" as room, r."Id" as source from cold_storage r where r."Id" = any(${[...ids]}::bigint[])
      union all select m."ComposeId", m."MemberId" from cold_member m where m."Until" is null and m."ComposeId" = any(${[...ids]}::bigint[]))
    select b."Id", w.room as "RoomId", b."SensorType", b."ParaId", b."CalibDue" from wanted w join cold_sensor_bind b on b."ColdStorageId" = w.source
    where b."UnbindTime" is null and b."ParaId" is not null order by b."Id"`)

const mean = (values: readonly number[]) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null)
const hundredths = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100)

export const createPresent = ({ telemetry, clock }: Needs) => {
  const nowOf = (
    sensors: readonly BoundSensor[],
    stepsOf: Awaited<ReturnType<typeof offsetsOf>>,
    days: { today: string; soon: string },
  ): Omit<Now, 'MemberIds'> => {
    const now = clock()
    const read = sensors.flatMap(({ Id, SensorType, ParaId }) => {
      const reading = telemetry.latest.get(ParaId)
      if (!reading || reading.value === null || reading.quality !== 0 || now - reading.time > freshMs) return []
      return [{ SensorType, time: reading.time, value: corrected(reading.value, offsetAt(stepsOf(Id), reading.time)) }]
    })
    const of = (type: number) => read.filter(({ SensorType }) => SensorType === type).map(({ value }) => value)
    const temperatures = of(Sensor.temperature)
    const judged = sensors.filter(({ SensorType }) => SensorType <= Sensor.humidity)
    const doors = of(Sensor.door)
    const power = of(Sensor.power)
    return {
      LastTemp: hundredths(mean(temperatures)),
      LastTempMin: temperatures.length ? hundredths(Math.min(...temperatures)) : null,
      LastTempMax: temperatures.length ? hundredths(Math.max(...temperatures)) : null,
      LastHum: hundredths(mean(of(Sensor.humidity))),
      LastDoor: doors.length ? Number(doors.some((value) => value !== 0)) : null,
      LastPower: power.length ? hundredths(power.reduce((sum, value) => sum + value, 0)) : null,
      LastTime: read.length ? Math.max(...read.map(({ time }) => time)) : null,
      CalibExpired: judged.filter(({ CalibDue }) => CalibDue !== null && CalibDue < days.today).length,
      CalibSoon: judged.filter(({ CalibDue }) => CalibDue !== null && CalibDue >= days.today && CalibDue <= days.soon).length,
    }
  }

  const shown = async <T extends { Id: number }>(db: Db, actor: Actor, rows: readonly T[]): Promise<(T & Now)[]> => {
    const ids = rows.map(({ Id }) => Id)
    const sensors = Map.groupBy(await boundOf(db, ids), ({ RoomId }) => RoomId)
    const members = Map.groupBy(
      await db.rows<{ Id: number; ParentId: number }>(
        sql`select t."Id", t."ParentId" from cold_storage t where t."ParentId" = any(${ids}::bigint[]) and ${visible(coldStorage, actor)} order by t."Id"`,
      ),
      ({ ParentId }) => ParentId,
    )
    const stepsOf = await offsetsOf(
      db,
      [...sensors.values()].flatMap((all) => all.map(({ Id }) => Id)),
    )
    const day = (after: number) => wallText(clock() + after * 86_400_000, zoneOf(actor)).slice(0, 10)
    const days = { today: day(0), soon: day(soonDays) }
    return rows.map((row) => ({
      ...row,
      MemberIds: (members.get(row.Id) ?? []).map(({ Id }) => Id),
      ...nowOf(sensors.get(row.Id) ?? [], stepsOf, days),
    }))
  }

  const rows = store(coldStorage)
  const one = async <T extends { Id: number }>(db: Db, actor: Actor, row: T) => (await shown(db, actor, [row]))[0]!
  return {
    shown,
    one,
    find: async (db: Db, actor: Actor, id: number) => one(db, actor, await rows.find(db, actor, id)),
    list: async (db: Db, actor: Actor, q: Listing) => {
      const page = await rows.list(db, actor, q)
      return { ...page, Items: await shown(db, actor, page.Items) }
    },
  }
}
