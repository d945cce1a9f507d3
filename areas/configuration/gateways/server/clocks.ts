import { believedAheadMs } from '../../../../server/telemetry/sample.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** A clock that stays off is told again after so long, ms. */
const againMs = 3_600_000

/**
 * Looks at the times of live readings: `tell` hears of a gateway whose times are further from `now` (epoch ms) than clocks are
 * believed, with the difference in seconds, ahead or behind. `steady` is a clock in ms that nobody sets.
 */
export const watchClocks = (
  registry: Registry,
  now: () => number,
  steady: () => number,
  tell: (gateway: GatewayMeta, seconds: number) => void,
) => {
  const told = new Map<number, number>()
  return (readings: readonly { point: number; time: number }[]) => {
    const at = now()
    for (const { point, time } of readings) {
      if (Math.abs(time - at) <= believedAheadMs) continue
      const gateway = registry.gatewayById(registry.get(point)?.GatewayId ?? 0)
      if (!gateway || steady() - (told.get(gateway.Id) ?? Number.NEGATIVE_INFINITY) < againMs) continue
      told.set(gateway.Id, steady())
      tell(gateway, Math.round((time - at) / 1000))
    }
    for (const id of told.size > 10_000 ? told.keys() : []) if (!registry.gatewayById(id)) told.delete(id)
  }
}
