import type { Commands } from './commands.ts'
import type { Presence } from './presence.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** What foreign senders do, by the serial numbers of their gateways: one was heard, is gone, its device comes or goes, it answered. */
export const sendersOf = (registry: Registry, presence: Presence, commands: Commands) => {
  const of = (sn: string, work: (gateway: GatewayMeta) => void) => {
    const gateway = registry.gateway(sn)
    if (gateway) work(gateway)
  }
  return {
    seen: (sn: string) => of(sn, (gateway) => presence.seen(gateway)),
    gone: (sn: string) => of(sn, (gateway) => presence.state(gateway, { Online: 0 })),
    deviceIs: (sn: string, DeviceId: number, isThere: boolean) =>
      of(sn, (gateway) => presence.heartbeat(gateway, { Devices: [{ DeviceId, Status: isThere ? 1 : 0, OkCount: 0, ErrCount: 0 }] })),
    replied: commands.answered,
  }
}
