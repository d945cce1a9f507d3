import { Throttle } from '../jobs/throttle.ts'
import { ControlThrottle, isControl, OtherThrottle, PUBACK, PUBREL, type Shares } from './controlThrottle.ts'
import type { Limits } from './limits.ts'
import type { Refusal } from './uplink.ts'

const CONNECT = 1

/** All that one connection is charged for: its own rates, and those that it shares. */
export class ConnectionThrottle {
  readonly #limits: Limits
  readonly #own: Throttle
  readonly #guaranteed: Throttle
  readonly #control: ControlThrottle
  readonly #others: OtherThrottle
  /** Shared with the other connections of its tenant. */
  #tenant: Throttle | undefined

  constructor(limits: Limits) {
    this.#limits = limits
    this.#own = new Throttle(limits)
    this.#guaranteed = new Throttle(limits.guaranteed)
    this.#control = new ControlThrottle(limits)
    this.#others = new OtherThrottle(limits)
  }

  join(shared: Throttle | undefined, shares: Shares) {
    this.#tenant = shared
    this.#control.join(shares.control)
    this.#others.join(shares.others)
  }

  /** A packet comes, of which the fixed header is known. */
  take(first: number, length: number) {
    const type = first >> 4
    if (type === CONNECT) return
    this.#own.take(length)
    this.#guaranteed.take(length)
    this.#tenant?.take(length)
    if (isControl(type)) this.#control.take(type, length)
    // QoS 2 calls for a second packet.
    else if ((first & 6) === 4) this.#control.expect(PUBREL)
  }

  takeReadings(count: number) {
    this.#own.takeReadings(count)
    this.#guaranteed.takeReadings(count)
    this.#tenant?.takeReadings(count)
  }

  /** A message that is no reading. */
  takeOther(length: number) {
    this.#others.take(length)
  }

  isOverOthers() {
    return this.#others.wait() !== undefined
  }

  /** A message to the gateway will be acknowledged. */
  expectPuback() {
    this.#control.expect(PUBACK)
  }

  /** Whether a packet with this first byte must wait, so that it is not even parsed. */
  holdsBack(first: number) {
    return isControl(first >> 4) && this.#control.wait() !== undefined
  }

  /** What is over, and for how many ms; undefined when nothing is. */
  wait(): { ms: number; reason: Extract<Refusal, 'limited' | 'tenantLimited' | 'flooding'>; detail: string } | undefined {
    const mine = this.#own.wait()
    const overShare = this.#tenant?.wait()
    const ours = overShare && this.#guaranteed.wait() ? overShare : undefined
    const [flooding, other] = [this.#control.wait(), this.#others.wait()]
    const packets = (other?.ms ?? 0) > (flooding?.ms ?? 0) ? other : flooding
    const ms = Math.max(mine?.ms ?? 0, ours?.ms ?? 0, packets?.ms ?? 0)
    if (!ms) return
    if (flooding && this.#control.isFlood())
      return { ms, reason: 'flooding', detail: `More than ${flooding.limit} for ${this.#limits.control.patienceMs / 1000} s.` }
    const limit = mine?.limit ?? (packets?.isTenant ? undefined : packets?.limit)
    if (limit) return { ms, reason: 'limited', detail: `More than ${limit}.` }
    const together = (ours ?? packets)!.limit
    return { ms, reason: 'tenantLimited', detail: `The gateways of the enterprise send more than ${together} together.` }
  }
}
