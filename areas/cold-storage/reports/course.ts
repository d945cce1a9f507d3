// The points of a record on the plan over time.
import type { PlanCourse } from '../rooms/calls.ts'
import { Sensor } from '../rooms/sensors.ts'
import { type ColdRecord, minute } from './record.ts'

const moments = 336
/** Where the points are, and the value of each at some moments of the record. */
export const courseOf = ({ Start, End, Sensors }: ColdRecord): PlanCourse => {
  const step = Math.max(1, Math.ceil((End - Start) / minute / moments))
  return {
    ...{ Start, Step: step * minute },
    Points: Sensors.flatMap(({ Id, SensorName, SensorType, X, Y, Values }) =>
      SensorType === Sensor.temperature && Values && X !== null && Y !== null
        ? [{ SensorBindId: Id, SensorName, X, Y, Values: Values.filter((_, i) => i % step === 0) }]
        : [],
    ),
  }
}
