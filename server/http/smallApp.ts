import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { countedRequests, guardConnections } from './connectionGuard.ts'
import { answerClientError, protectAnswers } from './headers.ts'
import { type TlsFiles, tlsOf } from './tls.ts'
import { wrapFaults } from './wrapper.ts'

/** An HTTP server without sessions, for the health checks of a process that answers no calls. */
export const smallApp = (files: TlsFiles): FastifyInstance => {
  const https = tlsOf(files)
  const app = Fastify({
    ...countedRequests(https),
    bodyLimit: 1024,
    forceCloseConnections: true,
    clientErrorHandler: answerClientError(Boolean(https)),
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance
  wrapFaults(app)
  protectAnswers(app, { https: Boolean(https) })
  guardConnections(app.server, Boolean(https))
  return app
}
