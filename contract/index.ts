import { alarmCalls, alarmInfo } from './areas/alarms.ts'
import { netProtocol, serialProtocol } from './areas/channels.ts'
import { device, deviceCalls } from './areas/devices.ts'
import { command, gateway, gatewayCalls } from './areas/gateways.ts'
import { organ } from './areas/organs.ts'
import { point, pointCalls } from './areas/points.ts'
import { preferenceCalls } from './areas/preferences.ts'
import { project } from './areas/projects.ts'
import { sessionCalls } from './areas/session.ts'
import { telemetryCalls } from './areas/telemetry.ts'
import { user, userCalls } from './areas/users.ts'
import type { Call } from './base/call.ts'
import type { Resource } from './base/resource.ts'

/** Every resource; a `ref` names one of these. */
export const resources = [
  organ,
  user,
  project,
  gateway,
  command,
  netProtocol,
  serialProtocol,
  device,
  point,
  alarmInfo,
] as unknown as Resource[]

/** Every call beside the resources' own. */
export const calls: Call[] = [sessionCalls, userCalls, gatewayCalls, deviceCalls, pointCalls, telemetryCalls, alarmCalls, preferenceCalls].flatMap(
  (group) => Object.values(group) as Call[],
)

export const languages = ['en', 'zh', 'es', 'ja'] as const
export type Language = (typeof languages)[number]
