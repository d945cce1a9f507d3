import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Rate, rate } from '../mqtt/rate.ts'
import { Fault } from './faults.ts'

/** Calls a second in the long run, and at once. */
export type Share = { perSecond: number; burst: number }
export type HttpLimits = {
  /** Calls that say nothing of who makes them: pages, sign-ins, probes. */
  address: Share
  person: Share
  tenant: Share
  /** Calls of one person that are worked on together, and that may wait for that; files under way count. */
  atOnce: number
  waiting: number
}

/** A browser makes some dozen calls when a screen opens; a list call costs about a millisecond (docs/performance.md). 0: people and tenants are not limited. */
export const standardLimits = (of = 500, personPerSecond = of || 1e6): HttpLimits => ({
  address: { perSecond: 0.6 * personPerSecond, burst: 6 * personPerSecond },
  person: { perSecond: personPerSecond, burst: 4 * personPerSecond },
  tenant: { perSecond: 4 * personPerSecond, burst: 16 * personPerSecond },
  atOnce: 24,
  waiting: 200,
})

export type Flood = {
  of: 'address' | 'person' | 'tenant'
  /** The address, or the Id of the person or tenant. */
  key: string
  perSecond: number
  EnterpriseId?: number
}

/** Addresses, people and tenants that are remembered. */
const most = 20_000
type Line = { running: number; queue: (() => void)[] }

/**
 * Keeps calls of one address, person or tenant from taking the server from the others: what is over its share, or over what may wait,
 * is refused with 429 before its body is read. `told` hears of every refusal.
 */
export const openLimits = (limits: HttpLimits, told: (flood: Flood) => void, now = () => performance.now()) => {
  const rates = new Map<string, Rate>()
  const lines = new Map<number, Line>()
  const counts = { address: 0, person: 0, tenant: 0 }

  const rateOf = (key: string, { perSecond, burst }: Share) => {
    const known = rates.get(key) ?? rate(perSecond, burst, now)
    // Whoever was not heard of for the longest time goes first.
    rates.delete(key)
    rates.set(key, known)
    if (rates.size > most) rates.delete(rates.keys().next().value!)
    return known
  }
  const refuse = (flood: Flood) => {
    counts[flood.of]++
    told(flood)
    return new Fault('tooMany')
  }
  const take = (of: Flood['of'], key: string, share: Share, EnterpriseId?: number) => {
    const own = rateOf(`${of} ${key}`, share)
    if (own.left() < 1) throw refuse({ of, key, perSecond: share.perSecond, ...(EnterpriseId === undefined ? {} : { EnterpriseId }) })
    own.take()
  }

  /** Resolves when it is the call's turn; `over` gives the place to the next. */
  const enter = (person: number, EnterpriseId: number) => {
    const line = lines.get(person) ?? { running: 0, queue: [] }
    lines.set(person, line)
    if (line.running >= limits.atOnce && line.queue.length >= limits.waiting)
      throw refuse({ of: 'person', key: String(person), perSecond: limits.person.perSecond, EnterpriseId })
    let begin = () => {}
    const turn = new Promise<void>((done) => {
      begin = () => {
        line.running++
        begin = () => {}
        done()
      }
    })
    const mine = () => begin()
    if (line.running < limits.atOnce) begin()
    else line.queue.push(mine)
    const over = () => {
      const at = line.queue.indexOf(mine)
      if (at >= 0) line.queue.splice(at, 1)
      else {
        line.running--
        line.queue.shift()?.()
      }
      if (!line.running && !line.queue.length) lines.delete(person)
    }
    return { turn, over }
  }

  return {
    counts,
    /** Before anybody asks who it is. */
    before: (app: FastifyInstance) =>
      app.addHook('onRequest', async (request: FastifyRequest) => {
        if (!request.headers.authorization) take('address', request.ip, limits.address)
      }),
    /** When it is known who calls. */
    after: (app: FastifyInstance) =>
      app.addHook('onRequest', async (request, reply) => {
        if (!request.actor) return
        const { UserId, EnterpriseId } = request.actor
        take('person', String(UserId), limits.person, EnterpriseId)
        take('tenant', String(EnterpriseId), limits.tenant, EnterpriseId)
        const { turn, over } = enter(UserId, EnterpriseId)
        reply.raw.once('close', over)
        await turn
      }),
  }
}
export type Limits = ReturnType<typeof openLimits>
