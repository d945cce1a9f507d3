// Minute values of a room's sensors: mean temperature, and on/off states by kind.
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { holdMs } from '../../excursions/excursions.ts'
import { type RoomReadings, readingsOf } from '../../figures/readings.ts'
import { Sensor } from '../../rooms/sensors.ts'
import { minute, type Signals, stagesOf } from '../stages.ts'

export type Needs = { telemetry: Pick<Telemetry, 'aside'>; clock: () => number }

/** The value at the start of each minute. */
const held = (data: RoomReadings, sensor: RoomReadings['sensors'][number], start: number, count: number): (number | null)[] => {
  const readings = readingsOf(data, sensor)
  let at = -1
  return Array.from({ length: count }, (_, i) => {
    const time = start + i * minute
    while (at + 1 < readings.length && readings[at + 1]!.time <= time) at++
    const last = readings[at]
    return last && time - last.time < holdMs && time < sensor.until ? last.value : null
  })
}

export const minutesOf = (data: RoomReadings, start: number, count: number): Omit<Signals, 'low' | 'high'> => {
  const of = (type: number) =>
    data.sensors.filter(({ SensorType }) => SensorType === type).map((sensor) => held(data, sensor, start, count))
  const joined = (type: number, join: (values: readonly number[]) => number) => {
    const series = of(type)
    if (!series.length) return undefined
    return Array.from({ length: count }, (_, i) => {
      const values = series.flatMap((one) => one[i] ?? [])
      return values.length ? join(values) : null
    })
  }
  const any = (values: readonly number[]) => Number(values.some((value) => value !== 0))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const signal = (name: 'door' | 'defrost' | 'compressor' | 'powerCut') => {
    const values = joined(Sensor[name], any)
    return values ? { [name]: values } : {}
  }
  return {
    temperature: joined(Sensor.temperature, mean) ?? [],
    ...{ ...signal('door'), ...signal('defrost'), ...signal('compressor'), ...signal('powerCut') },
  }
}

/** The stage of each minute; null where none is known. */
export type StagesAsk = { room: RoomReadings; start: number; count: number }
export const stagesOfRoom = ({ room, start, count }: StagesAsk) =>
  stagesOf({ ...minutesOf(room, start, count), low: room.TempLow, high: room.TempHigh })
