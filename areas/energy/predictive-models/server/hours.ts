// Hourly data of a model's inputs, with the reader's permissions.
import { dayMs } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { lengthOf, periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import { keyOf, offsets } from '../../../../server/telemetry/zone.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { type Column, datasetOf, type Reader } from '../../analytics/server/service.ts'
import { calendarOf } from '../../tariffs/server/service.ts'
import { dayHours, type Series } from './learn/forecast.ts'

export type Subject = { EnergyInfoId: number | null; PointIds: readonly number[]; ProjectId: number; Zone: string }
export const hourMs = lengthOf.hour

/** The time of day of hours, and whether they are of a day off: by the holidays and make-up days of the project. */
const slotsOf = async (db: Db, { ProjectId, Zone }: Subject, first: number, hours: number) => {
  const isOff = calendarOf(await shiftPlansIn(db, ProjectId))
  const end = first + hours * hourMs
  const { edges } = periodsOf('day', first - 2 * dayMs, end + dayMs, Zone)
  const spans = offsets(Zone, first - 2 * dayMs, end + dayMs)
  const slots = new Uint8Array(hours)
  for (let i = 0, day = 0; i < hours; i++) {
    const at = first + i * hourMs
    while (day + 1 < edges.length && edges[day + 1]! <= at) day++
    // A day of 25 hours has two of one number.
    const hour = Math.min(dayHours - 1, Math.floor((at - edges[day]!) / hourMs))
    slots[i] = hour + (isOff(keyOf('day', spans, at)) ? dayHours : 0)
  }
  return slots
}

/** `first`: when the first hour begins. `columns`: NaN where an hour is not known. */
export type Hours = { first: number; columns: Column[] }
/** @throws 404 where the reader does not see all of it */
export const hoursOf = async (reader: Reader, { EnergyInfoId, PointIds }: Subject, Start: number, End: number): Promise<Hours> => {
  const of = { circuits: EnergyInfoId === null ? [] : [EnergyInfoId], points: PointIds }
  const { edges, columns } = await datasetOf(reader, of, { Start, End, Step: 'hour' })
  return { first: edges[0] ?? 0, columns }
}

/** The hours of a forecast with the slots of `ahead` hours more. */
export const seriesOf = async (reader: Reader, subject: Subject, { first, columns }: Hours, ahead = 0): Promise<Series> => {
  const values = columns[0]?.values ?? new Float64Array()
  return { values, slots: await slotsOf(reader.db, subject, first, values.length + ahead) }
}
