import { believedAheadMs } from '../../../../server/telemetry/sample.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** A clock that stays wrong is reported again after so long, ms. */
const againMs = 3_600_000

/**
 * Looks at the times of live readings: `onDrift` is called for a gateway whose times are further from `now` (epoch ms) than clocks are
 * believed, with the difference in seconds, ahead or behind. `steady` is a clock in ms that nobody sets.
 */
export const watchClocks = (
  registry: Registry,
  now: () => number,
  steady: () => number,
  onDrift: (gateway: GatewayMeta, seconds: number) => void,
) => {
  const lastReported = new Map<number, number>()
  return (readings: readonly { point: number; time: number }[]) => {
    const at = now()
    for (const { point, time } of readings) {
      if (Math.abs(time - at) <= believedAheadMs) continue
      const gateway = registry.gatewayById(registry.get(point)?.GatewayId ?? 0)
      if (!gateway || steady() - (lastReported.get(gateway.Id) ?? Number.NEGATIVE_INFINITY) < againMs) continue
      lastReported.set(gateway.Id, steady())
      onDrift(gateway, Math.round((time - at) / 1000))
    }
    for (const id of lastReported.size > 10_000 ? lastReported.keys() : []) if (!registry.gatewayById(id)) lastReported.delete(id)
  }
}
