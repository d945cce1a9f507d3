import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endReasons } from '../../contract/areas/session.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import type { Credentials } from './credentials.ts'
import type { Sessions } from './sessions.ts'
import { isZone } from './zones.ts'

export const bearer = (request: FastifyRequest) => /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/** Zone of business times for one call: the person's, else the browser's, else the tenant's. */
const zoneOf = (request: FastifyRequest, own: string | null, tenant: string) => {
  const header = request.headers['x-time-zone']
  return own ?? (typeof header === 'string' && header.length < 64 && isZone(header) ? header : tenant)
}

/** Who is calling, before anything is read of the body (ruling 15). */
export const authenticate = (app: FastifyInstance, sessions: Sessions, credentials: Credentials) => {
  app.decorateRequest('actor', null)
  app.addHook('onRequest', async (request, reply) => {
    const permission = request.routeOptions.config.permission
    if (!permission || permission === 'public') return
    const acting = (who: Actor): Actor => ({
      ...who,
      zone: zoneOf(request, who.zone, who.tenantZone),
      origin: { ip: request.ip, requestId: request.id },
    })
    const program = await credentials.who(request)
    if (program) {
      // What is a person's own (password, sessions, preferences) is no program's.
      if (permission === 'session') throw new Fault('forbidden', { permission })
      request.actor = acting(program)
      return
    }
    const token = bearer(request)
    if (!token) throw new Fault('tokenMissing')
    const who = await sessions.who(token, request.headers['x-background'] !== '1')
    if (!who) throw new Fault('tokenMissing')
    if ('ended' in who) {
      if (who.ended === 'displaced') return reply.code(205).send()
      throw new Fault(endReasons[who.ended] ?? 'sessionOver')
    }
    const role = Number(request.headers['x-as-role'])
    request.actor = acting(role ? await sessions.asRole(who, role) : who)
  })
}
