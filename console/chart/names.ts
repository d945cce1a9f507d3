import { fullName, type ParaInfo } from '../../contract/telemetry.ts'

export { fullName }

type Named = Pick<ParaInfo, 'DeviceId' | 'DeviceName' | 'ParaName'>

/** The device that all of these belong to. */
export const onlyDevice = (points: readonly Named[]): string | undefined =>
  new Set(points.map((p) => p.DeviceId)).size === 1 ? points[0]!.DeviceName : undefined

/** Names of points beside each other: with their devices, unless all are of one. */
export const namesOf = (points: readonly Named[]): string[] =>
  points.map((p) => (onlyDevice(points) === undefined ? fullName(p) : p.ParaName))
