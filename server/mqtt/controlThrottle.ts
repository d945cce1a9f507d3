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
const fairRate = (shares: Rates, unit: string) => {
  const guaranteed = rate(shares.guaranteed.perSecond, shares.guaranteed.burst)
  let { own, tenant }: GatewayShares = { own: rate(shares.own.perSecond, shares.own.burst), tenant: undefined }
  return {
    join(shared: GatewayShares) {
      own = shared.own
      tenant = shared.tenant
    },
    take(cost: number) {
      for (const share of [own, tenant, guaranteed]) share?.take(cost)
    },
    left: () => own.left(),
    /** How long to wait before the next one; undefined when it may come. */
    wait(): { ms: number; limit: string; isTenant: boolean } | undefined {
      const ms = own.wait()
      if (ms) return { ms, limit: `${own.perSecond} ${unit} a second`, isTenant: false }
      const ofTenant = tenant && guaranteed.wait() ? tenant.wait() : 0
      return ofTenant ? { ms: ofTenant, limit: `${tenant!.perSecond} ${unit} a second`, isTenant: true } : undefined
    },
  }
}

/** Messages that are no readings cost more than these: each goes through the broker and into a table. Large ones count as several. */
export const otherThrottle = ({ others }: Limits) => {
  const shares = fairRate(others, 'messages that are no readings')
  return { ...shares, take: (length: number) => shares.take(1 + Math.floor(length / 4096)) }
}

/** Delays clients that send more control packets than a gateway needs, and tells when to disconnect them. */
export const controlThrottle = ({ control }: Limits) => {
  const shares = fairRate(control, 'control packets')
  /** Since when it has been over its rate, without a pause that filled half of its burst again. */
  let floodsSince: number | undefined
  /** Packets that messages of QoS 1 to the gateway, and of QoS 2 from it, call for. They cost nothing here. */
  const expected = { [PUBACK]: 0, [PUBREL]: 0 }

  return {
    join: shares.join,
    expect(type: typeof PUBACK | typeof PUBREL) {
      expected[type]++
    },
    take(type: number, length: number) {
      if ((type === PUBACK || type === PUBREL) && expected[type]) return void expected[type]--
      shares.take(costOf(length))
    },
    /** How long to wait before the next packet; undefined when it may come. */
    wait() {
      const over = shares.wait()
      if (over && !over.isTenant) floodsSince ??= performance.now()
      else if (floodsSince !== undefined && shares.left() >= control.own.burst / 2) floodsSince = undefined
      return over
    },
    /** Delays have not slowed the gateway down for too long. */
    isFlood: () => floodsSince !== undefined && performance.now() - floodsSince > control.patienceMs,
  }
}
