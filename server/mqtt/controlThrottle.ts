import { type Rate, rate } from '../jobs/throttle.ts'
import type { Limits } from './limits.ts'

const [CONNECT, PUBLISH] = [1, 3]
export const [PUBACK, PUBREL] = [4, 6] as const

/** Every packet that asks for work and is no message: pings, subscriptions, acknowledgements, and what a gateway has no use for. */
export const isControl = (type: number) => type !== CONNECT && type !== PUBLISH

/** A subscription costs by its filters, a ping 1. */
const costOf = (length: number) => 1 + Math.floor(length / 8)

type GatewayShares = { own: Rate; tenant: Rate | undefined }
type Rates = Record<'own' | 'ofTenant' | 'guaranteed', { perSecond: number; burst: number }>

/** Rates by gateway and by tenant. They outlive connections: who comes back has no new share. */
const gatewayShares = ({ own, ofTenant }: Omit<Rates, 'guaranteed'>) => {
  const gateways = new Map<string, Rate>()
  const tenants = new Map<number, Rate>()
  const of = <K>(rates: Map<K, Rate>, key: K, share: Rates['own']) => {
    const known = rates.get(key) ?? rate(share.perSecond, share.burst)
    rates.set(key, known)
    return known
  }
  return (sn: string, tenant: number | undefined): GatewayShares => ({
    own: of(gateways, sn, own),
    tenant: tenant === undefined ? undefined : of(tenants, tenant, ofTenant),
  })
}

export const openShares = (limits: Limits) => {
  const [control, others] = [gatewayShares(limits.control), gatewayShares(limits.others)]
  return (sn: string, tenant: number | undefined) => ({ control: control(sn, tenant), others: others(sn, tenant) })
}
export type Shares = ReturnType<ReturnType<typeof openShares>>

/** What one connection may send of a kind: as much as its gateway, its tenant, and even while its tenant is over, what is guaranteed. */
class FairRate {
  readonly #unit: string
  readonly #guaranteed: Rate
  #own: Rate
  #tenant: Rate | undefined

  constructor({ own, guaranteed }: Rates, unit: string) {
    this.#unit = unit
    this.#own = rate(own.perSecond, own.burst)
    this.#guaranteed = rate(guaranteed.perSecond, guaranteed.burst)
  }

  join({ own, tenant }: GatewayShares) {
    this.#own = own
    this.#tenant = tenant
  }

  take(cost: number) {
    this.#own.take(cost)
    this.#tenant?.take(cost)
    this.#guaranteed.take(cost)
  }

  left() {
    return this.#own.left()
  }

  /** How long to wait before the next one; undefined when it may come. */
  wait(): { ms: number; limit: string; isTenant: boolean } | undefined {
    const ms = this.#own.wait()
    if (ms) return { ms, limit: `${this.#own.perSecond} ${this.#unit} a second`, isTenant: false }
    const ofTenant = this.#tenant && this.#guaranteed.wait() ? this.#tenant.wait() : 0
    return ofTenant ? { ms: ofTenant, limit: `${this.#tenant!.perSecond} ${this.#unit} a second`, isTenant: true } : undefined
  }
}

/** Messages that are no readings cost more than these: each goes through the broker and into a table. Large ones count as several. */
export class OtherThrottle {
  readonly #shares: FairRate

  constructor({ others }: Limits) {
    this.#shares = new FairRate(others, 'messages that are no readings')
  }

  join(shared: GatewayShares) {
    this.#shares.join(shared)
  }

  take(length: number) {
    this.#shares.take(1 + Math.floor(length / 4096))
  }

  wait() {
    return this.#shares.wait()
  }
}

/** Delays clients that send more control packets than a gateway needs, and tells when to disconnect them. */
export class ControlThrottle {
  readonly #limits: Limits['control']
  readonly #shares: FairRate
  /** Since when it has been over its rate, without a pause that filled half of its burst again. */
  #floodsSince: number | undefined
  /** Packets that messages of QoS 1 to the gateway, and of QoS 2 from it, call for. They cost nothing here. */
  #pubacks = 0
  #pubrels = 0

  constructor({ control }: Limits) {
    this.#limits = control
    this.#shares = new FairRate(control, 'control packets')
  }

  join(shared: GatewayShares) {
    this.#shares.join(shared)
  }

  expect(type: typeof PUBACK | typeof PUBREL) {
    if (type === PUBACK) this.#pubacks++
    else this.#pubrels++
  }

  take(type: number, length: number) {
    if (type === PUBACK && this.#pubacks) this.#pubacks--
    else if (type === PUBREL && this.#pubrels) this.#pubrels--
    else this.#shares.take(costOf(length))
  }

  /** How long to wait before the next packet; undefined when it may come. */
  wait() {
    const over = this.#shares.wait()
    if (over && !over.isTenant) this.#floodsSince ??= performance.now()
    else if (this.#floodsSince !== undefined && this.#shares.left() >= this.#limits.own.burst / 2) this.#floodsSince = undefined
    return over
  }

  /** Delays have not slowed the gateway down for too long. */
  isFlood() {
    return this.#floodsSince !== undefined && performance.now() - this.#floodsSince > this.#limits.patienceMs
  }
}
