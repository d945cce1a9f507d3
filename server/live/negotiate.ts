import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { preferred } from '../http/words.ts'
import type { Hub } from './hub.ts'

const NegotiateAnswer = Type.Object({
  negotiateVersion: Type.Optional(Type.Integer()),
  connectionId: Type.Optional(Type.String()),
  connectionToken: Type.Optional(Type.String()),
  availableTransports: Type.Optional(
    Type.Array(Type.Object({ transport: Type.Literal('WebSockets'), transferFormats: Type.Array(Type.Literal('Text')) })),
  ),
  error: Type.Optional(Type.String()),
})

/**
 * Negotiation of SignalR (TransportProtocols.md, "POST [endpoint-base]/negotiate request"), answered bare, as its clients
 * expect. A session that is over gets SignalR's `error` form: `sessionOver`. Registered below `/api`. The body, which clients send empty and as text, is not read.
 */
export const negotiateRoute = (app: FastifyInstance, hub: Pick<Hub, 'negotiate'>, path = '/hubs/sysmsghub/negotiate') =>
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) => done(null))
    scope.post(
      path,
      {
        config: { permission: 'public' },
        schema: { querystring: Type.Object({ negotiateVersion: Type.Optional(Type.Integer()) }), response: { 200: NegotiateAnswer } },
      },
      async (request) => {
        const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
        const role = Number(request.headers['x-as-role'])
        const asked = request.headers['accept-language']
        // Programs without a language setting send `*`.
        const answer = await hub.negotiate(bearer, role || undefined, asked && asked !== '*' ? preferred(asked) : undefined)
        if (answer === 'ended') return { error: 'sessionOver' }
        const { negotiateVersion = 0 } = request.query as { negotiateVersion?: number }
        const availableTransports = [{ transport: 'WebSockets' as const, transferFormats: ['Text' as const] }]
        // Version 0 has no token of its own: its connectionId opens the socket.
        if (negotiateVersion < 1) return { connectionId: answer.token, availableTransports }
        return { negotiateVersion: 1, connectionId: crypto.randomUUID(), connectionToken: answer.token, availableTransports }
      },
    )
  })
