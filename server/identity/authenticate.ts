import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endReasons } from '../../contract/session.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import type { Credentials } from './credentials.ts'
import type { Ended, Sessions } from './sessions.ts'
import { isZone } from './zones.ts'

export const bearer = (request: FastifyRequest) => /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/** Zone of business times for one call: the person's, else the browser's, else the tenant's. */
const zoneOf = (request: FastifyRequest, own: string | null, tenant: string) => {
  const header = request.headers['x-time-zone']
  return own ?? (typeof header === 'string' && header.length < 64 && isZone(header) ? header : tenant)
}

/**
 * Who is calling, before anything is read of the body (ruling 15). `stranger` hears of a call whose Authorization header names nobody,
 * and may refuse it.
 */
export const authenticate = (
  app: FastifyInstance,
  sessions: Sessions,
  credentials: Credentials,
  stranger: (request: FastifyRequest) => void = () => {},
) => {
  const identify = async (request: FastifyRequest, permission: string): Promise<Actor | Ended> => {
    const program = await credentials.who(request)
    // What is a person's own (password, sessions, preferences) is no program's.
    // Nor does a program manage programs: it would take over another one of its owner, or lift its own limits.
    if (program && (permission === 'session' || permission?.startsWith('m10433.'))) throw new Fault('forbidden', { permission })
    if (program) return program
    const token = bearer(request)
    if (!token) throw new Fault('tokenMissing')
    const who = await sessions.who(token, request.headers['x-background'] !== '1')
    if (!who) throw new Fault('tokenMissing')
    return who
  }
  app.decorateRequest('actor', null)
  app.addHook('onRequest', async (request, reply) => {
    const permission = request.routeOptions.config.permission
    if (!permission || permission === 'public') return
    const who = await identify(request, permission).catch((error) => {
      stranger(request)
      throw error
    })
    if ('ended' in who) {
      stranger(request)
      if (who.ended === 'displaced') return reply.code(205).send()
      throw new Fault(endReasons[who.ended] ?? 'sessionOver')
    }
    const origin = { ip: request.ip, requestId: request.id }
    const role = request.credential ? 0 : Number(request.headers['x-as-role'])
    const acting = role ? await sessions.asRole({ ...who, origin }, role) : who
    request.actor = { ...acting, zone: zoneOf(request, acting.zone, acting.tenantZone), origin }
  })
}
