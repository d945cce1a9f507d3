// Sensor types. Free of schemas, so that worker threads start quickly.

/** 1 temperature, 2 humidity, 3 door, 4 power, 5 energy, 6 compressor, 7 defrost, 8 fan, 9 outdoor temperature, 10 power cut. */
export const sensorTypes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
export type SensorType = (typeof sensorTypes)[number]
export const Sensor = {
  ...{ temperature: 1, humidity: 2, door: 3, power: 4, energy: 5, compressor: 6, defrost: 7, fan: 8, outdoor: 9, powerCut: 10 },
} as const satisfies Record<string, SensorType>
/** Sensors whose values are corrected by calibrations, and judged against the band of their room. */
export const calibrated: readonly SensorType[] = [Sensor.temperature, Sensor.humidity]
