/** So many a second in the long run, and so many at once. What is over goes into debt, which `wait` tells. */
export const rate = (perSecond: number, burst: number, now: () => number = () => performance.now()) => {
  let left = burst
  let filled = now()
  const fill = () => {
    const at = now()
    left = Math.min(burst, left + ((at - filled) / 1000) * perSecond)
    filled = at
    return left
  }
  return {
    perSecond,
    /** How many may come at once now; negative in debt. */
    left: fill,
    take: () => {
      left--
    },
    /** ms until there is no debt; 0 when there is none. */
    wait: (): number => {
      fill()
      return left < 0 ? (-left / perSecond) * 1000 + 1 : 0
    },
  }
}
export type Rate = ReturnType<typeof rate>

/** PUBLISH a second of all gateways of a tenant together, in the long run, and at once. */
export type TenantLimits = { tenantMessagesPerSecond: number; tenantBurst: number }
export const tenantLimits: TenantLimits = { tenantMessagesPerSecond: 50_000, tenantBurst: 200_000 }
