// Passes requests and WebSockets on to another server of the fleet.
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { createProxyServer } from 'httpxy'
import type { Door } from '../live/doors.ts'
import { answerAndClose } from './connectionGuard.ts'
import { Fault } from './faults.ts'

/** How long a call may take at the other server, ms: the longest there, and a moment for its refusal to arrive. */
const answerMs = 330_000

type Handle = (request: IncomingMessage, response: ServerResponse) => void
type Relay = {
  /** The other server's address; undefined while there is none. */
  target: () => string | undefined
  /** Whether this process answers a request itself. */
  isOwn: (method: string, path: string) => boolean
  /** Counts a request. */
  count?: (way: 'own' | 'forwarded') => void
}

/** Requests whose other server is away. */
const unreachable = new WeakSet<IncomingMessage>()
/**
 * Refuses them with an error in the caller's language. `isOwn` is asked again, about the route: a path may be spelt in more than one way, such as with
 * escaped letters.
 */
export const guardRelay = (app: FastifyInstance, { isOwn }: Pick<Relay, 'isOwn'>) =>
  app.addHook('onRequest', async ({ raw, method, routeOptions }) => {
    if (unreachable.has(raw)) throw new Fault('unavailable')
    if (!isOwn(method, routeOptions.url ?? '/')) throw new Fault('noSuchPath')
  })

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0]!

/**
 * Requests that are not `isOwn` go to `target`, bodies and answers as streams, with the caller's address in X-Forwarded-For. Without an answer from
 * there, Fastify gets the request, which refuses it (`guardRelay`). `serverFactory` is Fastify's option; `end` closes WebSockets.
 */
export const openRelay = ({ target, isOwn, count = () => {} }: Relay) => {
  const agent = new Agent({ keepAlive: true })
  const proxy = createProxyServer({ xfwd: true, agent, proxyTimeout: answerMs })
  const upgraded = new Set<Socket>()

  /** Forwards a WebSocket. */
  const door: Door = (request, duplex, head) => {
    const [socket, to] = [duplex as Socket, target()]
    if (!to) return answerAndClose(socket, '503 Service Unavailable', socket instanceof TLSSocket)
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    proxy.ws(request, socket, { target: to, xfwd: true }, head).catch(() => socket.destroy())
  }
  const serverFactory = (handle: Handle, { http = {}, https }: { http?: object; https?: object | null }) => {
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
      proxy.web(request, response, { target: to }).catch(() => refuse(request, response))
    }
    return https ? createTlsServer(https, receive) : createServer(http, receive)
  }
  const end = () => {
    for (const socket of upgraded) socket.destroy()
    agent.destroy()
  }
  return { serverFactory, isOwn, door, end }
}
export type OpenRelay = ReturnType<typeof openRelay>
