import { Fault } from './faults.ts'
import { smallApp } from './smallApp.ts'
import type { TlsFiles } from './tls.ts'

export const standsBy = 'Penstock stands by: another process works on this database. This one takes over when that one ends.'

/** What a process answers that is not the owner: it lives, it serves nothing, and balancers are to ask another. Answers what closes it. */
export const openStandby = async (settings: TlsFiles & { host: string; port: number }) => {
  const app = smallApp(settings)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => reply.code(503).send({ status: 'standing by', text: standsBy }))
  app.all('/*', async () => {
    throw new Fault('unavailable')
  })
  await app.listen({ host: settings.host, port: settings.port })
  return () => app.close()
}
