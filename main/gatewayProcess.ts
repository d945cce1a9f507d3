// The role `gateway`: runs a broker and forwards its messages to the server that owns the database. A process with this role alone
// needs no database, no console and no data folder.
import type { Logger } from 'pino'
import { type BrokerEnd, startBrokerEnd } from '../server/fleet/brokerEnd.ts'
import { openNats } from '../server/fleet/natsConnection.ts'
import type { Figure } from '../server/http/health.ts'
import { tlsOf } from '../server/http/tls.ts'
import { standardLimits } from '../server/mqtt/limits.ts'
import { brokerFigures } from './figures.ts'
import type { Settings } from './settings.ts'

/** Maximum number of connections of a process with this role alone. */
const connections = 60_000

/** Load balancers are identified by network only: a number of hops would match every address. */
export const balancersOf =
  ({ trustProxy }: Pick<Settings, 'trustProxy'>) =>
  (address: string) =>
    trustProxy !== false && trustProxy(address, 100)

/** Starts the broker of this process and connects it to NATS. Throws if NATS refuses the sign-in. */
export const openFleetBroker = async (settings: Settings & { natsUrl: string }, log: Logger, isAlone: boolean): Promise<BrokerEnd> => {
  const { host, mqttPort: port, proxyProtocol } = settings
  const tls = tlsOf(settings)
  const nats = await openNats(settings.natsUrl, 'penstock gateways', log)
  const limits = isAlone ? { connections } : { inFlightBytesOfAll: standardLimits.inFlightBytesOfAll / 2 }
  const options = { nats, log, host, port, limits, isBalancer: balancersOf(settings), proxyProtocol, ...(tls ? { tls } : {}) }
  return startBrokerEnd(options).catch(async (error) => {
    await nats.close()
    throw error
  })
}

export const processFigures = ({ counters, waiting, hasOwner }: BrokerEnd): Figure[] => [
  ...brokerFigures(counters),
  { name: 'fleet_owner', help: 'Whether a server that owns the database is there', read: () => Number(hasOwner()) },
  { name: 'fleet_unanswered_bytes', help: 'Bytes of messages that the owner has not answered', read: () => waiting().bytes },
  { name: 'fleet_queued_messages', help: 'Messages that wait to be sent to the owner', read: () => waiting().queued },
]
