import { type Rate, rate } from '../jobs/throttle.ts'
import type { Limits } from './limits.ts'

const [CONNECT, PUBLISH] = [1, 3]
export const [PUBACK, PUBREL] = [4, 6] as const

/** Every packet that asks for work and is no message: pings, subscriptions, acknowledgements, and what a gateway has no use for. */
export const isControl = (type: number) => type !== CONNECT && type !== PUBLISH

/** A subscription costs by its filters, a ping 1. */
const costOf = (length: number) => 1 + Math.floor(length / 8)

export type ControlShares = { own: Rate; tenant: Rate | undefined }

/** Rates of control packets by gateway and by tenant. They outlive connections: who comes back has no new share. */
export const controlShares = ({ control }: Limits) => {
  const gateways = new Map<string, Rate>()
  const tenants = new Map<number, Rate>()
  const of = <K>(rates: Map<K, Rate>, key: K, share: Limits['control']['own']) => {
    const known = rates.get(key) ?? rate(share.perSecond, share.burst)
    rates.set(key, known)
    return known
  }
  return (sn: string, tenant: number | undefined): ControlShares => ({
    own: of(gateways, sn, control.own),
    tenant: tenant === undefined ? undefined : of(tenants, tenant, control.ofTenant),
  })
}

/** Delays who sends more control packets than a gateway needs, and says when it is time to cut. */
export const controlThrottle = ({ control }: Limits) => {
  const guaranteed = rate(control.guaranteed.perSecond, control.guaranteed.burst)
  let { own, tenant }: ControlShares = { own: rate(control.own.perSecond, control.own.burst), tenant: undefined }
  /** Since when it has been over its rate, without a pause that filled half of its burst again. */
  let floodsSince: number | undefined
  /** Packets that messages of QoS 1 to the gateway, and of QoS 2 from it, call for. They cost nothing here. */
  const expected = { [PUBACK]: 0, [PUBREL]: 0 }

  return {
    join(shared: ControlShares) {
      own = shared.own
      tenant = shared.tenant
    },
    expect(type: typeof PUBACK | typeof PUBREL) {
      expected[type]++
    },
    take(type: number, length: number) {
      if ((type === PUBACK || type === PUBREL) && expected[type]) return void expected[type]--
      const cost = costOf(length)
      for (const share of [own, tenant, guaranteed]) share?.take(cost)
    },
    /** How long to wait before the next packet; undefined when it may come. */
    wait(): { ms: number; limit: string; isTenant: boolean } | undefined {
      const ms = own.wait()
      if (ms) floodsSince ??= performance.now()
      else if (floodsSince !== undefined && own.left() >= control.own.burst / 2) floodsSince = undefined
      if (ms) return { ms, limit: `${own.perSecond} control packets a second`, isTenant: false }
      const ofTenant = tenant && guaranteed.wait() ? tenant.wait() : 0
      return ofTenant ? { ms: ofTenant, limit: `${tenant!.perSecond} control packets a second`, isTenant: true } : undefined
    },
    /** Delays have not slowed the gateway down for too long. */
    isFlood: () => floodsSince !== undefined && performance.now() - floodsSince > control.patienceMs,
  }
}
