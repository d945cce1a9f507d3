import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { countedRequests, guardConnections } from './connectionGuard.ts'
import { Fault } from './faults.ts'
import { answerClientError, protectAnswers } from './headers.ts'
import { type TlsFiles, tlsOf } from './tls.ts'
import { wrapFaults } from './wrapper.ts'

export const standsBy = 'Penstock stands by: another process works on this database. This one takes over when that one ends.'

/** What a process answers that is not the owner: it lives, it serves nothing, and balancers are to ask another. Answers what closes it. */
export const openStandby = async (settings: TlsFiles & { host: string; port: number }) => {
  const https = tlsOf(settings)
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
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => reply.code(503).send({ status: 'standing by', text: standsBy }))
  app.all('/*', async () => {
    throw new Fault('unavailable')
  })
  await app.listen({ host: settings.host, port: settings.port })
  return () => app.close()
}
