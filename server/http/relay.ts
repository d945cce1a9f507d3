// Reverse proxy to another server of the fleet, for HTTP requests and WebSockets.
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { createProxyServer } from 'httpxy'
import type { Door } from '../live/doors.ts'
import { callerOf, type TrustProxy } from './addresses.ts'
import { answerAndClose } from './connectionGuard.ts'
import { Fault } from './faults.ts'

/** Timeout of a forwarded call, ms: longer than the other server's own. */
const answerMs = 330_000

type ServerOptions = {
  http?: object
  https?: object | null
  keepAliveTimeout?: number
  requestTimeout?: number
  connectionTimeout?: number
}
type Handle = (request: IncomingMessage, response: ServerResponse) => void
type Relay = {
  /** The other server's URL; undefined while it is unavailable. */
  target: () => string | undefined
  /** Whether this process answers a request itself. */
  isOwn: (method: string, path: string) => boolean
  /** Proxies in front of this process. */
  trustProxy: TrustProxy | false
  /** Counts a request. */
  count?: (way: 'own' | 'forwarded') => void
}

/** Requests that could not be forwarded. */
const unreachable = new WeakSet<IncomingMessage>()
/**
 * Refuses them with an error in the caller's language. Checks `isOwn` again for the matched route, because a path may be percent-encoded.
 */
export const guardRelay = (app: FastifyInstance, { isOwn }: Pick<Relay, 'isOwn'>) =>
  app.addHook('onRequest', async ({ raw, method, routeOptions }) => {
    if (unreachable.has(raw)) throw new Fault('unavailable')
    if (!isOwn(method, routeOptions.url ?? '/')) throw new Fault('noSuchPath')
  })

/** Headers in which proxies describe a request. The other server believes this one, so a caller must not write them. */
const ofProxies = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'forwarded',
  'via',
]

/** Replaces what the request says of its caller by what this process knows. Headers of a proxy of ours stay. */
const nameCaller = (request: IncomingMessage, trustProxy: TrustProxy | false) => {
  const caller = callerOf(request, trustProxy)
  const isOfProxy = trustProxy !== false && trustProxy(request.socket.remoteAddress ?? '', 0)
  if (!isOfProxy) for (const name of ofProxies) delete request.headers[name]
  if (caller) request.headers['x-forwarded-for'] = caller
  else delete request.headers['x-forwarded-for']
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0]!

/**
 * Forwards requests that are not `isOwn` to `target`: streams bodies and answers, and puts the caller's address into X-Forwarded-For. If that fails,
 * Fastify refuses the request (`guardRelay`). `serverFactory` is Fastify's option; `end` closes WebSockets.
 */
export const openRelay = ({ target, isOwn, trustProxy, count = () => {} }: Relay) => {
  const agent = new Agent({ keepAlive: true })
  const proxy = createProxyServer({ xfwd: true, agent, proxyTimeout: answerMs })
  const upgraded = new Set<Socket>()

  /** Forwards a WebSocket. */
  const door: Door = (request, duplex, head) => {
    const [socket, to] = [duplex as Socket, target()]
    if (!to) return answerAndClose(socket, '503 Service Unavailable', socket instanceof TLSSocket)
    nameCaller(request, trustProxy)
    // An upgrade has no body. With a length, the other server would read the next request as one.
    for (const name of ['content-length', 'transfer-encoding']) delete request.headers[name]
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    proxy.ws(request, socket, { target: to, xfwd: true }, head).catch(() => socket.destroy())
  }
  const serverFactory = (handle: Handle, { http = {}, https, keepAliveTimeout, requestTimeout, connectionTimeout }: ServerOptions) => {
    const refuse = (request: IncomingMessage, response: ServerResponse) => {
      if (response.headersSent) return void response.destroy()
      unreachable.add(request)
      handle(request, response)
    }
    const receive = (request: IncomingMessage, response: ServerResponse) => {
      const isHere = isOwn(request.method ?? 'GET', pathOf(request))
      count(isHere ? 'own' : 'forwarded')
      if (isHere) return handle(request, response)
      const to = target()
      if (!to) return refuse(request, response)
      nameCaller(request, trustProxy)
      proxy.web(request, response, { target: to }).catch(() => refuse(request, response))
    }
    const server = https ? createTlsServer(https, receive) : createServer(http, receive)
    // Fastify sets these only on servers that it creates itself.
    if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout
    if (requestTimeout !== undefined) server.requestTimeout = requestTimeout
    return server.setTimeout(connectionTimeout)
  }
  const end = () => {
    for (const socket of upgraded) socket.destroy()
    agent.destroy()
  }
  return { serverFactory, isOwn, door, end }
}
export type OpenRelay = ReturnType<typeof openRelay>
