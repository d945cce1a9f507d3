import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { configVersion, configVersionCalls } from '../../config-versions/contract.ts'

/** The changes that a push would make at the gateway. */
export const useUnpushed = (GatewayId: number, enabled = true) =>
  useCall(configVersionCalls.compare, {
    body: { GatewayId },
    of: ['gateway', 'device', 'point', 'netProtocol', 'serialProtocol'],
    enabled,
  }).data

/** Larger configurations take the server a second or more to compare. */
const mostPoints = 10_000

/** The number of rows that a push would change; undefined if unknown or too slow to compute. */
export const useUnpushedCount = (GatewayId: number | undefined) => {
  const known = useRows(configVersion, { GatewayId, PageSize: 1 }, { enabled: GatewayId !== undefined }).data?.Items[0]
  const unpushed = useUnpushed(GatewayId ?? 0, GatewayId !== undefined && known !== undefined && known.Points <= mostPoints)
  return GatewayId !== undefined && unpushed ? unpushed.Added + unpushed.Removed + unpushed.Changed : undefined
}
