import type { Rejection } from '../../contract/telemetry.ts'

/**
 * How `replaced` is determined: a reading newer than every reading of its point cannot replace one; the others are looked up in the
 * store at their commit. Should that look-up fail (it is logged), they count as stored.
 */

/** Readings of one tenant since the start: received = stored + replaced + rejected + liveOnly, at any moment (findings 8). */
export type Counts = {
  received: number
  stored: number
  /** The point had a reading of that time already; the new one holds. */
  replaced: number
  /** An unreadable message counts as one. */
  rejected: number
  liveOnly: number
  byReason: Partial<Record<Rejection, number>>
}

/** Readings of one tenant that came to the same. */
export type Counted = [EnterpriseId: number, outcome: 'stored' | 'replaced' | 'liveOnly' | Rejection, amount: number]

/** Counts by EnterpriseId; 0 = gateways whose tenant is not known. */
export const createCounters = () => {
  const tenants = new Map<number, Counts>()
  const of = (EnterpriseId: number) => {
    let counts = tenants.get(EnterpriseId)
    if (!counts) {
      counts = { received: 0, stored: 0, replaced: 0, rejected: 0, liveOnly: 0, byReason: {} }
      tenants.set(EnterpriseId, counts)
    }
    return counts
  }
  return {
    /** Only way to count a reading: the sum cannot go wrong. */
    add: (EnterpriseId: number, outcome: Counted[1], amount = 1) => {
      const counts = of(EnterpriseId)
      counts.received += amount
      if (outcome === 'stored' || outcome === 'replaced' || outcome === 'liveOnly') counts[outcome] += amount
      else {
        counts.rejected += amount
        counts.byReason[outcome] = (counts.byReason[outcome] ?? 0) + amount
      }
    },
    /** For /metrics and screens. */
    tenants: tenants as ReadonlyMap<number, Readonly<Counts>>,
  }
}
export type Counters = ReturnType<typeof createCounters>
