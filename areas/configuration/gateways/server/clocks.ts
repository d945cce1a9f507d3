import { believedAheadMs } from '../../../../server/telemetry/sample.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** Interval at which a clock that stays wrong is reported again, ms. */
const againMs = 3_600_000

/**
 * Checks the times of live readings. Calls `onDrift` for a gateway whose times differ from `now` (epoch ms) by more than the
 * tolerance, with the difference in seconds, ahead or behind. `steady` is a monotonic clock in ms.
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
