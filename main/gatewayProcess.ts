// A process that gateways connect to, and that carries their messages to the owner of the database. With the role `gateway` alone it
// has no database, no console and no data folder.
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type BrokerEnd, startBrokerEnd } from '../server/fleet/brokerEnd.ts'
import { openNats } from '../server/fleet/natsConnection.ts'
import { countedRequests, guardConnections } from '../server/http/connectionGuard.ts'
import { Fault } from '../server/http/faults.ts'
import { answerClientError, protectAnswers } from '../server/http/headers.ts'
import { type Figure, healthRoutes } from '../server/http/health.ts'
import { tlsOf } from '../server/http/tls.ts'
import { wrapFaults } from '../server/http/wrapper.ts'
import { standardLimits } from '../server/mqtt/limits.ts'
import type { Settings } from './settings.ts'

/** A process that does nothing else may hold more connections. */
const connections = 60_000

/** Networks alone name balancers: a number of hops is about HTTP, and would make each address one. */
export const balancersOf =
  ({ trustProxy }: Pick<Settings, 'trustProxy'>) =>
  (address: string) =>
    trustProxy !== false && trustProxy(address, 100)

/** The broker of this process, joined to the fleet. Throws when NATS refuses the sign-in. */
export const openFleetBroker = async (settings: Settings & { natsUrl: string }, log: Logger, isAlone: boolean): Promise<BrokerEnd> => {
  const { host, mqttPort: port } = settings
  const tls = tlsOf(settings)
  const nats = await openNats(settings.natsUrl, 'penstock gateways', log)
  const limits = isAlone ? { connections } : { inFlightBytesOfAll: standardLimits.inFlightBytesOfAll / 2 }
  const options = { nats, log, host, port, limits, isBalancer: balancersOf(settings), ...(tls ? { tls } : {}) }
  return startBrokerEnd(options).catch(async (error) => {
    await nats.close()
    throw error
  })
}

const figuresOf = ({ counters, waiting, hasOwner }: BrokerEnd): Figure[] => {
  const by = (label: string, counts: Partial<Record<string, number>>) =>
    Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value: value ?? 0 }))
  return [
    { name: 'gateways_connected', help: 'MQTT connections of gateways', read: () => counters().connected },
    { name: 'mqtt_messages_total', help: 'Messages of gateways, by kind', read: () => by('kind', counters().messages) },
    { name: 'mqtt_refused_total', help: 'What the broker refused or cut, by reason', read: () => by('reason', counters().refused) },
    { name: 'fleet_owner', help: 'Whether a server that owns the database is there', read: () => Number(hasOwner()) },
    { name: 'fleet_unanswered_bytes', help: 'Bytes of messages that the owner has not answered', read: () => waiting().bytes },
    { name: 'fleet_queued_messages', help: 'Messages that wait to be sent to the owner', read: () => waiting().queued },
  ]
}

/** `/healthz`, `/readyz` and `/metrics` of a process that does nothing but take gateways. Returns how to close it. */
export const openHealthPort = async (settings: Settings, broker: BrokerEnd) => {
  const https = tlsOf(settings)
  const { metricsToken, trustProxy, host, port } = settings
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
  healthRoutes(app, { probes: broker.probes, figures: figuresOf(broker), metricsToken, trustProxy })
  app.all('/*', async () => {
    throw new Fault('noSuchPath')
  })
  await app.listen({ host, port })
  return () => app.close()
}
