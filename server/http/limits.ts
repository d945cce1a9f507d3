import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Rate, rate } from '../jobs/throttle.ts'
import { networkOf, type TrustProxy } from './addresses.ts'
import { nameConnection } from './connectionGuard.ts'
import { Fault } from './faults.ts'
import { whenOver } from './lifetime.ts'

/** Rate of calls per second, and burst. */
export type Share = { perSecond: number; burst: number }
export type HttpLimits = {
  /** Anonymous calls: pages, sign-ins, probes. */
  address: Share
  person: Share
  tenant: Share
  /** Connections of one address that are open at the same time; behind a proxy, calls. */
  connections: number
  /** New connections of one address, and bytes that it sends over anonymous connections. */
  opened?: Share
  bytes?: Share
  /** Calls of one person that are worked on together, and that may wait for that; files under way count. */
  atOnce: number
  waiting: number
}

/** A browser makes some dozen calls when a screen opens; a list call costs about a millisecond (docs/performance.md). 0: people and tenants are not limited. */
export const standardLimits = (of = 500, personPerSecond = of || 1e6): HttpLimits => ({
  address: { perSecond: 0.6 * personPerSecond, burst: 6 * personPerSecond },
  person: { perSecond: personPerSecond, burst: 4 * personPerSecond },
  tenant: { perSecond: 4 * personPerSecond, burst: 16 * personPerSecond },
  connections: 1000,
  // Programs may open one for each call.
  opened: { perSecond: 2 * personPerSecond, burst: 12 * personPerSecond },
  // A page and its files are asked for with some 30 KB.
  bytes: { perSecond: 2 ** 20, burst: 8 * 2 ** 20 },
  // As many as a browser's connections over HTTP/1.1: single users do not wait, and heavy calls of one person leave room for the others.
  atOnce: 6,
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

/** How much of each address is open. Answers whether there is room for one more, which counts until it closes. */
const openCount = (most: number) => {
  const open = new Map<string, number>()
  return (address: string, opened: { once(event: 'close', closed: () => void): unknown }) => {
    const count = open.get(address) ?? 0
    if (count >= most) return false
    open.set(address, count + 1)
    opened.once('close', () => {
      const rest = (open.get(address) ?? 1) - 1
      if (rest) open.set(address, rest)
      else open.delete(address)
    })
    return true
  }
}

/** Calls of one person wait for each other. `turn` resolves when it is the call's turn; `over` gives the place to the next. */
const openLines = (limits: Pick<HttpLimits, 'atOnce' | 'waiting'>, refused: (person: number, EnterpriseId: number) => Fault) => {
  const lines = new Map<number, Line>()
  return (person: number, EnterpriseId: number) => {
    const line = lines.get(person) ?? { running: 0, queue: [] }
    lines.set(person, line)
    if (line.running >= limits.atOnce && line.queue.length >= limits.waiting) throw refused(person, EnterpriseId)
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
}

/**
 * Keeps calls of one address, person or tenant from taking the server from the others: what is over its share, or over what may wait,
 * is refused with 429 before its body is read. `onFlood` is called for every refusal.
 */
export const openLimits = (limits: HttpLimits, onFlood: (flood: Flood) => void, now = () => performance.now()) => {
  const rates = new Map<string, Rate>()
  /** Calls that were admitted since other processes were last informed; undefined in a single process. */
  let admitted: Map<string, number> | undefined
  const counts = { address: 0, person: 0, tenant: 0 }

  const rateOf = (key: string, { perSecond, burst }: Share) => {
    const known = rates.get(key) ?? rate(perSecond, burst, now)
    // Evict the least recently used first.
    rates.delete(key)
    rates.set(key, known)
    if (rates.size > most) rates.delete(rates.keys().next().value!)
    return known
  }
  const refuse = (flood: Flood) => {
    counts[flood.of]++
    onFlood(flood)
    return new Fault('tooMany')
  }
  const take = (of: Flood['of'], key: string, share: Share, EnterpriseId?: number) => {
    const own = rateOf(`${of} ${key}`, share)
    if (own.left() < 1) throw refuse({ of, key, perSecond: share.perSecond, ...(EnterpriseId === undefined ? {} : { EnterpriseId }) })
    own.take()
    admitted?.set(`${of} ${key}`, (admitted.get(`${of} ${key}`) ?? 0) + 1)
  }

  const enter = openLines(limits, (person, EnterpriseId) =>
    refuse({ of: 'person', key: String(person), perSecond: limits.person.perSecond, EnterpriseId }),
  )
  const takeOfAddress = (request: FastifyRequest) => take('address', networkOf(request.ip), limits.address)

  return {
    counts,
    /** Shares the limits with other processes: `admitted` returns calls by key since its last call, and `count` adds those of others. */
    share: () => {
      admitted = new Map()
      return {
        admitted: () => {
          const calls = [...admitted!]
          admitted!.clear()
          return calls
        },
        count: (key: string, calls: number) => {
          const of = key.slice(0, key.indexOf(' '))
          if (of in counts) rateOf(key, limits[of as Flood['of']]).take(calls)
        },
      }
    },
    /** ms for which nothing is read from an anonymous connection. A proxy's connections serve many people. */
    delayOf: (trusts: TrustProxy | false) => (socket: Socket, bytes: number) => {
      if (!limits.bytes || (trusts !== false && trusts(socket.remoteAddress ?? '', 0))) return 0
      const own = rateOf(`bytes ${networkOf(socket.remoteAddress ?? '')}`, limits.bytes)
      own.take(bytes)
      return own.wait()
    },
    /** Before anybody asks who it is. */
    before: (app: FastifyInstance, trusts: TrustProxy | false = false) => {
      const isProxy = (address = '') => trusts !== false && trusts(address, 0)
      const hasRoom = { connection: openCount(limits.connections), call: openCount(limits.connections) }
      const flood = (address: string): Flood => ({ of: 'address', key: address, perSecond: limits.address.perSecond })
      // A proxy connects for everybody: there the calls of a person's address are counted instead.
      app.server.on('connection', (socket: Socket) => {
        const address = networkOf(socket.remoteAddress ?? '')
        if (isProxy(socket.remoteAddress)) return
        const opened = limits.opened && rateOf(`opened ${address}`, limits.opened)
        if (!(opened && opened.left() < 1) && hasRoom.connection(address, socket)) return opened?.take()
        refuse(flood(address))
        socket.destroy()
      })
      app.addHook('onRequest', async (request: FastifyRequest, reply) => {
        const address = networkOf(request.ip)
        if (isProxy(request.socket.remoteAddress) && !hasRoom.call(address, reply.raw)) throw refuse(flood(address))
        const permission = request.routeOptions.config?.permission
        // Whether an Authorization header is valid is only known once a call checks it.
        if (!request.headers.authorization || !permission || permission === 'public') takeOfAddress(request)
      })
    },
    /** A call with an invalid Authorization header. */
    stranger: takeOfAddress,
    /** When it is known who calls. */
    after: (app: FastifyInstance) =>
      app.addHook('onRequest', async (request, reply) => {
        if (!request.actor) return
        nameConnection(request.raw.socket)
        const { UserId, EnterpriseId } = request.actor
        take('person', String(UserId), limits.person, EnterpriseId)
        take('tenant', String(EnterpriseId), limits.tenant, EnterpriseId)
        const { turn, over } = enter(UserId, EnterpriseId)
        whenOver(request, reply, over)
        await turn
      }),
  }
}
export type Limits = ReturnType<typeof openLimits>
