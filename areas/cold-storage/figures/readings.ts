// A room's readings and figures. Free of schemas, so that worker threads start quickly.
import { holdMs, type Reading } from '../excursions/excursions.ts'
import { corrected, type From, offsetAt } from '../rooms/corrections.ts'
import { Sensor as Kind } from '../rooms/sensors.ts'
import { type Span, switchedOf } from './figures.ts'
import { type Limits, roomFigures } from './judging.ts'

/** Readings of a point in columns, ascending; NaN is no value. */
type PointColumns = { point: number; time: Float64Array; value: Float64Array; quality: Uint8Array }
export type RoomSensor = {
  Id: number
  SensorName: string
  SensorType: number
  Position: number | null
  ParaId: number
  CalibDue: string | null
  from: number
  until: number
  steps: readonly From[]
}
export type RoomReadings = {
  TempLow: number | null
  TempHigh: number | null
  TempSet: number | null
  sensors: readonly RoomSensor[]
  columns: readonly PointColumns[]
}

/** Corrected readings of a sensor while it was bound. */
export const readingsOf = ({ columns }: Pick<RoomReadings, 'columns'>, { ParaId, from, until, steps }: RoomSensor): Reading[] => {
  const column = columns.find(({ point }) => point === ParaId)
  const readings: Reading[] = []
  if (!column) return readings
  for (const [i, time] of column.time.entries()) {
    if (time < from - holdMs || time >= until) continue
    const value = column.quality[i] !== 0 || Number.isNaN(column.value[i]!) ? null : corrected(column.value[i]!, offsetAt(steps, time))
    readings.push({ time: Math.max(time, from), value })
  }
  return readings
}

/** `switches`: also evaluate on/off sensors. */
export type FiguresAsk = { room: RoomReadings; span: Span; limits: Limits; switches?: boolean }
export const figuresOfRoom = ({ room, span, limits, switches = false }: FiguresAsk) => {
  const of = (type: number) =>
    switchedOf(switches ? room.sensors.filter(({ SensorType }) => SensorType === type).map((sensor) => readingsOf(room, sensor)) : [], {
      ...span,
      holdMs,
    })
  return {
    figures: roomFigures({ ...room, readings: (sensor) => readingsOf(room, sensor) }, span, limits),
    switches: { Door: of(Kind.door), Defrost: of(Kind.defrost), Compressor: of(Kind.compressor), PowerCut: of(Kind.powerCut) },
  }
}
export type RoomFound = ReturnType<typeof figuresOfRoom>
