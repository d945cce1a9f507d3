import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endReasons } from '../../contract/session.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import type { Credentials } from './credentials.ts'
import type { Ended, Sessions } from './sessions.ts'
import { isZone } from './zones.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called, without zone and preview, and when that was found out; null on public calls. */
    identified: { who: Actor; at: number } | null
  }
}

export const bearer = (request: FastifyRequest) => /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/** Zone of business times for one call: the person's, else the browser's, else the tenant's. */
const zoneOf = (request: FastifyRequest, own: string | null, tenant: string) => {
  const header = request.headers['x-time-zone']
  return own ?? (typeof header === 'string' && header.length < 64 && isZone(header) ? header : tenant)
}

/** How long a program, or a preview of a role, is not identified a second time: both need the database. */
const recentMs = 100

/** Refuses a session that ended. A displaced one is answered at once, where there is a reply. */
const refuse = ({ ended }: Ended, reply?: FastifyReply) => {
  if (ended === 'displaced' && reply) return reply.code(205).send()
  throw new Fault(endReasons[ended] ?? 'sessionOver')
}

/**
 * Who is calling: before anything is read of the body (ruling 15), and again once it is there, since rights may end before then.
 * `stranger` hears of a call whose Authorization header names nobody, and may refuse it. Answers the second identification, for bodies
 * that a handler receives itself.
 */
export const authenticate = (
  app: FastifyInstance,
  sessions: Sessions,
  credentials: Credentials,
  stranger: (request: FastifyRequest) => void = () => {},
) => {
  const personOf = async (request: FastifyRequest): Promise<Actor | Ended> => {
    const token = bearer(request)
    const who = token && (await sessions.who(token, request.headers['x-background'] !== '1'))
    if (!who) throw new Fault('tokenMissing')
    return who
  }
  const identify = async (request: FastifyRequest, permission: string): Promise<Actor | Ended> => {
    const program = await credentials.who(request)
    // What is a person's own (password, sessions, preferences) is no program's.
    // Nor does a program manage programs: it would take over another one of its owner, or lift its own limits.
    if (program && (permission === 'session' || permission?.startsWith('m10433.'))) throw new Fault('forbidden', { permission })
    return program ?? personOf(request)
  }
  const roleOf = (request: FastifyRequest) => (request.credential ? 0 : Number(request.headers['x-as-role']))
  const act = async (request: FastifyRequest, who: Actor) => {
    const origin = { ip: request.ip, requestId: request.id }
    const role = roleOf(request)
    const acting = role ? await sessions.asRole({ ...who, origin }, role) : who
    request.actor = { ...acting, zone: zoneOf(request, acting.zone, acting.tenantZone), origin }
    request.identified = { who, at: performance.now() }
  }
  /** The same person or program, as he is now. */
  const identifyAgain = async (request: FastifyRequest, reply?: FastifyReply) => {
    const { who: before, at } = request.identified!
    const isRecent = performance.now() - at < recentMs
    if (request.credential ? isRecent : sessions.isCurrent(before) && (isRecent || !roleOf(request))) return
    const who = request.credential ? await credentials.again(request) : await personOf(request)
    if ('ended' in who) return refuse(who, reply)
    await act(request, who)
  }

  app.decorateRequest('actor', null)
  app.decorateRequest('identified', null)
  app.addHook('onRequest', async (request, reply) => {
    const permission = request.routeOptions.config.permission
    if (!permission || permission === 'public') return
    const who = await identify(request, permission).catch((error) => {
      stranger(request)
      throw error
    })
    if ('ended' in who) {
      stranger(request)
      return refuse(who, reply)
    }
    await act(request, who)
  })
  app.addHook('preValidation', async (request, reply) => (request.actor ? identifyAgain(request, reply) : undefined))
  return identifyAgain
}
