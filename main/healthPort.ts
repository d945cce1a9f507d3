import { Fault } from '../server/http/faults.ts'
import { type Figure, healthRoutes, type Probe } from '../server/http/health.ts'
import { smallApp } from '../server/http/smallApp.ts'
import type { Settings } from './settings.ts'

/** Serves `/healthz`, `/readyz` and `/metrics` of a process that answers no calls. Returns a close function. */
export const openHealthPort = async (settings: Settings, of: { probes: readonly Probe[]; figures: readonly Figure[] }) => {
  const { metricsToken, trustProxy, host, port } = settings
  const app = smallApp(settings)
  healthRoutes(app, { ...of, metricsToken, trustProxy })
  app.all('/*', async () => {
    throw new Fault('noSuchPath')
  })
  await app.listen({ host, port })
  return () => app.close()
}
