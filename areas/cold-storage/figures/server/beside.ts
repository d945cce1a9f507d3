// Door, power, defrost and compressor states before and during an excursion.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { coldExcursion } from '../../excursions/contract.ts'
import { holdMs } from '../../excursions/server/service.ts'
import { Sensor, type SensorType } from '../../rooms/contract.ts'
import { type coldFigureCalls, mostMs } from '../contract.ts'
import { switchedOf } from '../figures.ts'
import { readingsOf } from '../readings.ts'
import { type Needs, roomData } from './data.ts'

/** Lead time before the excursion: an earlier door opening may be the cause. */
const beforeMs = 1_800_000

export const besideOf = async (db: Db, actor: Actor, id: number, needs: Needs): Promise<Answer<typeof coldFigureCalls.beside>> => {
  const [row] = await db.rows<{ ColdStorageId: number; Begin: number; End: number }>(sql`
    select t."ColdStorageId", (extract(epoch from t."BeginTime") * 1000)::float8 as "Begin",
      (extract(epoch from coalesce(t."EndTime", t."KnownTime")) * 1000)::float8 as "End"
    from cold_excursion t where t."Id" = ${id} and ${visible(coldExcursion, actor)}`)
  if (!row) throw notFound()
  const Start = Math.floor(row.Begin) - beforeMs
  const End = Math.min(Math.max(Math.ceil(row.End), Start + beforeMs + 60_000), Start + mostMs)
  const room = await roomData(db, actor, { ColdStorageId: row.ColdStorageId, Start, End }, needs)
  const of = (type: SensorType) => {
    const series = room.sensors.filter(({ SensorType }) => SensorType === type).map((sensor) => readingsOf(room, sensor))
    return series.length ? switchedOf(series, { start: Start, end: End, holdMs }) : null
  }
  return {
    Start,
    End,
    Door: of(Sensor.door),
    PowerCut: of(Sensor.powerCut),
    Defrost: of(Sensor.defrost),
    Compressor: of(Sensor.compressor),
  }
}
