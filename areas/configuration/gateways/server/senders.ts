import type { Commands } from './commands.ts'
import type { Presence } from './presence.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** Events of foreign senders, by the serial number of their gateway: activity, disconnection, device changes, answers. */
type LogEvent = (gateway: GatewayMeta, type: number, text: string, level: 0 | 1 | 2 | 3) => void
export const sendersOf = (registry: Registry, presence: Presence, commands: Commands, logEvent: LogEvent) => {
  const of = (sn: string, work: (gateway: GatewayMeta) => void) => {
    const gateway = registry.gateway(sn)
    if (gateway) work(gateway)
  }
  return {
    seen: (sn: string) => of(sn, (gateway) => presence.seen(gateway)),
    gone: (sn: string) => of(sn, (gateway) => presence.state(gateway, { Online: 0 })),
    deviceIs: (sn: string, DeviceId: number, isThere: boolean) =>
      of(sn, (gateway) => presence.heartbeat(gateway, { Devices: [{ DeviceId, Status: isThere ? 1 : 0, OkCount: 0, ErrCount: 0 }] })),
    event: (sn: string, type: number, level: 0 | 1 | 2 | 3, text: string) => of(sn, (gateway) => logEvent(gateway, type, text, level)),
    replied: commands.answered,
  }
}
