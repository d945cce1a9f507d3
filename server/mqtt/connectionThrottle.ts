import { type Throttle, throttle } from '../jobs/throttle.ts'
import { controlThrottle, isControl, otherThrottle, PUBACK, PUBREL, type Shares } from './controlThrottle.ts'
import type { Limits } from './limits.ts'
import type { Refusal } from './uplink.ts'

const CONNECT = 1

/** All that one connection is charged for: its own rates, and those that it shares. */
export const connectionThrottle = (limits: Limits) => {
  const own = throttle(limits)
  const guaranteed = throttle(limits.guaranteed)
  const control = controlThrottle(limits)
  const others = otherThrottle(limits)
  /** Shared with the other connections of its tenant. */
  let tenant: Throttle | undefined
  return {
    join(shared: Throttle | undefined, shares: Shares) {
      tenant = shared
      control.join(shares.control)
      others.join(shares.others)
    },
    /** A packet comes, of which the fixed header is known. */
    take(first: number, length: number) {
      const type = first >> 4
      if (type === CONNECT) return
      for (const share of [own, guaranteed, tenant]) share?.take(length)
      if (isControl(type)) control.take(type, length)
      // QoS 2 calls for a second packet.
      else if ((first & 6) === 4) control.expect(PUBREL)
    },
    takeReadings(count: number) {
      for (const share of [own, guaranteed, tenant]) share?.takeReadings(count)
    },
    /** A message that is no reading. */
    takeOther: (length: number) => others.take(length),
    isOverOthers: () => others.wait() !== undefined,
    /** A message to the gateway will be acknowledged. */
    expectPuback: () => control.expect(PUBACK),
    /** Whether a packet with this first byte must wait, so that it is not even parsed. */
    holdsBack: (first: number) => isControl(first >> 4) && control.wait() !== undefined,
    /** What is over, and for how many ms; undefined when nothing is. */
    wait(): { ms: number; reason: Extract<Refusal, 'limited' | 'tenantLimited' | 'flooding'>; detail: string } | undefined {
      const mine = own.wait()
      const overShare = tenant?.wait()
      const ours = overShare && guaranteed.wait() ? overShare : undefined
      const [flooding, other] = [control.wait(), others.wait()]
      const packets = (other?.ms ?? 0) > (flooding?.ms ?? 0) ? other : flooding
      const ms = Math.max(mine?.ms ?? 0, ours?.ms ?? 0, packets?.ms ?? 0)
      if (!ms) return
      if (flooding && control.isFlood())
        return { ms, reason: 'flooding', detail: `More than ${flooding.limit} for ${limits.control.patienceMs / 1000} s.` }
      const limit = mine?.limit ?? (packets?.isTenant ? undefined : packets?.limit)
      if (limit) return { ms, reason: 'limited', detail: `More than ${limit}.` }
      const together = (ours ?? packets)!.limit
      return { ms, reason: 'tenantLimited', detail: `The gateways of the enterprise send more than ${together} together.` }
    },
  }
}
