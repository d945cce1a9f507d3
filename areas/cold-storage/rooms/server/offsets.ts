// What calibrations add to readings, from the first moment of their day in the company's zone on.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { From } from '../corrections.ts'

/** By sensor: what is added to its readings at a moment. Nothing before the first calibration. */
export const offsetsOf = async (db: Db, ids: readonly number[]): Promise<(sensor: number) => readonly From[]> => {
  const rows = ids.length
    ? await db.rows<From & { sensor: number }>(sql`
        select c."SensorBindId" as sensor, c."CalibOffset"::float8 as offset,
          (extract(epoch from c."CalibDate"::timestamp at time zone e."TimeZoneKey") * 1000)::float8 as at
        from cold_calibration c join enterprise e on e."Id" = c."EnterpriseId"
        where c."SensorBindId" = any(${[...ids]}::bigint[]) order by c."SensorBindId", c."CalibDate"`)
    : []
  const bySensor = Map.groupBy(rows, ({ sensor }) => sensor)
  return (sensor) => bySensor.get(sensor) ?? []
}

export { corrected, offsetAt } from '../corrections.ts'
