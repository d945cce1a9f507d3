import { fullName, type ParaInfo } from '../../contract/telemetry.ts'

export { fullName }

type Named = Pick<ParaInfo, 'DeviceId' | 'DeviceName' | 'ParaName'>

/** The device of the points, if all share it. */
export const onlyDevice = (points: readonly Named[]): string | undefined =>
  new Set(points.map((p) => p.DeviceId)).size === 1 ? points[0]!.DeviceName : undefined

/** Names of points in a legend: with their devices, unless all share one. */
export const namesOf = (points: readonly Named[]): string[] =>
  points.map((p) => (onlyDevice(points) === undefined ? fullName(p) : p.ParaName))
