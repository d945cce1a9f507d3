// What calibrations add to readings, from the first moment of their day in the company's zone on.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'

type From = { at: number; offset: number }
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

export const offsetAt = (steps: readonly From[], at: number): number => steps.findLast((step) => step.at <= at)?.offset ?? 0

/** A reading with its correction, without the digits that adding makes. */
export const corrected = (value: number, offset: number): number => (offset === 0 ? value : Math.round((value + offset) * 1e9) / 1e9)
