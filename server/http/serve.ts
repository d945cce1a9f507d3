import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type Answer, type Body, type Call, type Permission, type Query, wrapped } from '../../contract/call.ts'
import { permissions } from '../../contract/menus.ts'
import { beforeOwnPassword } from '../../contract/session.ts'
import type { Db } from '../database/db.ts'
import type { Actor } from '../identity/actor.ts'
import { isBarred } from '../identity/dataScope.ts'
import { Fault } from './faults.ts'
import { working } from './lifetime.ts'
import { answerWriter } from './pieces.ts'
import { succeeded } from './wrapper.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only on public calls. */
    actor: Actor | null
  }
  interface FastifyContextConfig {
    permission?: Permission
    /** Further codes that are enough. */
    alsoBy?: readonly string[]
    /** It writes nothing. */
    reads?: boolean
  }
  interface FastifyInstance {
    /** Handle on PostgreSQL in the actor's scope. */
    dbOf(actor: Actor): Db
    /** Handle for list queries; may use a read replica. */
    listDbOf(actor: Actor): Db
  }
}

export type Served<C> = { actor: Actor; db: Db; body: Body<C>; query: Query<C>; request: FastifyRequest; reply: FastifyReply }

/** Only what the schema names reaches the handler (ruling 9). */
const named = (schema: TSchema | undefined, given: unknown) => {
  const properties = (schema as { properties?: Record<string, unknown> } | undefined)?.properties
  if (!properties || typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.keys(properties)
      .filter((k) => Object.hasOwn(given, k))
      .map((k) => [k, (given as Record<string, unknown>)[k]]),
  )
}

/** Bytes of a body. A list query of 50 conditions and 5,000 values fits many times over. */
export const bodyBytes = 64 * 1024
const has = (schema: TSchema | undefined, name: string) =>
  Object.hasOwn((schema as { properties?: object } | undefined)?.properties ?? {}, name)
const takesListQuery = ({ method, answer, body }: Call) => method === 'POST' && (has(answer, 'TotalPages') || has(body, 'Query'))

type Part = { type?: string; maxLength?: number; maxItems?: number; pattern?: string; properties?: Record<string, Part>; items?: Part } & {
  anyOf?: Part[]
  enum?: unknown[]
  const?: unknown
}
/** Bytes of the largest JSON that a schema allows. Programs may write a letter as `\\u00e9`; patterns without a length are of dates and codes. */
const mostBytes = (part: Part): number => {
  if (part.anyOf) return Math.max(...part.anyOf.map(mostBytes))
  const isSmall = part.enum || part.const !== undefined || ['number', 'integer', 'boolean', 'null'].includes(part.type ?? '')
  if (isSmall) return 25
  if (part.type === 'string') return 6 * (part.maxLength ?? (part.pattern ? 100 : Number.POSITIVE_INFINITY))
  if (part.type === 'array') return (part.maxItems ?? Number.POSITIVE_INFINITY) * (1 + mostBytes(part.items ?? {}))
  if (part.properties) return Object.entries(part.properties).reduce((sum, [name, one]) => sum + name.length + 4 + mostBytes(one), 2)
  return Number.POSITIVE_INFINITY
}
/** A body with `x-bytes` takes as many. Strangers send as much as the schema has room for. Few calls take more than `bodyBytes`, up to the limit of the server. */
const bodyLimitOf = (call: Call) => {
  const own = (call.body as { 'x-bytes'?: number } | undefined)?.['x-bytes']
  if (own) return { bodyLimit: own }
  const most = call.body ? mostBytes(call.body as Part) : 0
  if (call.permission === 'public') return { bodyLimit: Math.min(Math.max(most, 4096), bodyBytes) }
  return most > bodyBytes && !takesListQuery(call) ? {} : { bodyLimit: bodyBytes }
}

/** Whether a call changes nothing. */
export const onlyReads = ({ method, permission, reads = method === 'GET' && !permission.includes('.') }: Call) => reads

const wraps = new WeakMap<TSchema, TSchema>()
/** The same object for the same answer, so that its writer is compiled once. */
const wrappedOnce = (answer: TSchema) => {
  const made = wraps.get(answer) ?? wrapped(answer)
  wraps.set(answer, made)
  return made
}

/**
 * Serves one call of the contract on its path and its aliases. The handler answers the Data; a reply it has sent itself
 * (a file) stays as it is. Public calls get no actor and no database: their handlers bring their own.
 */
export const serve = <C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: (served: Served<C>) => Promise<Answer<C> | FastifyReply> | Answer<C>,
) => {
  const written = answerWriter(call.answer)
  for (const path of [call.path, ...(call.aliases ?? [])])
    app.route({
      method: call.method,
      url: path,
      config: { permission: call.permission, reads: onlyReads(call), ...(call.alsoBy ? { alsoBy: call.alsoBy } : {}) },
      ...bodyLimitOf(call),
      schema: {
        ...(call.body ? { body: call.body } : {}),
        ...(call.query ? { querystring: call.query } : {}),
        response: { 200: wrappedOnce(call.answer ?? Type.Unknown()) },
      },
      handler: async (request, reply) => {
        const actor = request.actor as Actor
        const served = {
          actor,
          db: actor ? app.dbOf(actor) : (undefined as never),
          body: named(call.body, request.body),
          query: named(call.query, request.query),
          request,
          reply,
        }
        return working(request, reply, async () => {
          const data = await handler(served as Served<C>)
          if (reply.sent || data === reply) return reply
          // A handler that sets the content type writes its own answer.
          const text = reply.hasHeader('content-type') ? undefined : await written(data)
          if (text !== undefined) reply.type('application/json; charset=utf-8')
          return text ?? succeeded(data)
        })
      },
    })
}

const allowedFirst = new Set(beforeOwnPassword.map(([method, path]) => `${method} /api${path}`.toLowerCase()))

/** Whether the caller, as he is now, may make this call. */
export const assertMay = (request: FastifyRequest): Actor => {
  const { permission = 'public', alsoBy = [], reads } = request.routeOptions.config
  const { actor } = request
  if (!actor || actor.shared) throw new Fault('tokenMissing')
  if (actor.mustChangePassword && !allowedFirst.has(`${request.method} ${request.routeOptions.url}`.toLowerCase()))
    throw new Fault('mustChangePassword')
  if (actor.preview && !reads) throw new Fault('previewOnly')
  if (permission === 'session' || permission === 'caller') return actor
  const held = [permission, ...alsoBy].filter((code) => actor.may.has(code))
  if (!held.length) throw new Fault('forbidden', { permission })
  if (held.every((code) => isBarred(actor, code))) throw new Fault('moreRights')
  return actor
}

/** Refuses an actor who lacks one of these permissions. */
export const assertHolds = (actor: Actor, needed: readonly string[]) => {
  const missing = needed.find((permission) => !actor.may.has(permission))
  if (missing) throw new Fault('forbidden', { permission: missing })
}

/** One gate for every route: one without a permission, or without a schema of its answer, does not start. */
export const guard = (app: FastifyInstance) => {
  const known = new Set<string>(['public', 'session', 'caller', ...permissions])
  app.addHook('onRoute', (route) => {
    const { permission, alsoBy = [] } = (route.config ?? {}) as { permission?: string; alsoBy?: readonly string[] }
    if (route.method === 'HEAD' || route.method === 'OPTIONS') return
    if (!permission || ![permission, ...alsoBy].every((code) => known.has(code)))
      throw new Error(`${route.method} ${route.url} names no known permission.`)
    if (!route.schema && permission !== 'public') throw new Error(`${route.method} ${route.url} has no schema.`)
  })
  app.addHook('preValidation', async (request) => {
    const { permission } = request.routeOptions.config
    if (permission && permission !== 'public') assertMay(request)
  })
}
