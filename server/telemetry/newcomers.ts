/** ms: silence after which a gateway counts as new, and how long it does. */
const times = { silent: 60_000, isNew: 10_000 }
/** Gateways that are remembered. */
const most = 200_000

/**
 * Gateways that this process has not heard for a while: another process may have stored what they send again. `now`: monotonic clock, ms.
 */
export const createNewcomers = (now = () => performance.now()) => {
  const heard = new Map<string, { since: number; last: number }>()
  return (sn: string): boolean => {
    const known = heard.get(sn)
    const isBack = known !== undefined && now() - known.last <= times.silent
    const { since } = isBack ? known : { since: now() }
    if (!known && heard.size >= most) heard.clear()
    heard.set(sn, { since, last: now() })
    return now() - since < times.isNew
  }
}
