// Starts the uplink of gateways and serves their calls.
import { sql } from 'kysely'
import type { LiveValue } from '../../../../contract/hub.ts'
import type { Context } from '../../../../server/context.ts'
import { newestMigration } from '../../../../server/database/migrate.ts'
import type { OwnerAddress } from '../../../../server/fleet/frames.ts'
import { serveIngest } from '../../../../server/fleet/ingestMembers.ts'
import { newMemberName, openNats } from '../../../../server/fleet/natsConnection.ts'
import { tellNews } from '../../../../server/fleet/news.ts'
import { startOwnerEnd } from '../../../../server/fleet/ownerEnd.ts'
import { shareLimits } from '../../../../server/fleet/sharedLimits.ts'
import { serveWatches } from '../../../../server/fleet/watches.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { startEmbedded } from '../../../../server/mqtt/embedded.ts'
import { startExternal } from '../../../../server/mqtt/external.ts'
import type { Foreign } from '../../../../server/mqtt/foreign.ts'
import type { Uplink } from '../../../../server/mqtt/uplink.ts'
import { paged } from '../../../../server/resource/list.ts'
import type { Stored } from '../../../../server/telemetry/sample.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { openStock } from '../../../people/serials/server/service.ts'
import { dropUnusedSecrets } from '../../channels/server/service.ts'
import { openBinding } from './binding.ts'
import type { Registry } from './registry.ts'
import { type GatewayRouteOptions, gatewayRoutes } from './routes.ts'
import { type GatewayOptions, openGateways, type UplinkHandlers } from './service.ts'

/** The broker that gateways connect to: in this process, in the fleet's gateway processes, or the one at `mqttUrl`. */
export type Broker = {
  host: string
  mqttPort: number
  mqttUrl: string | undefined
  natsUrl: string | undefined
  /** In a fleet: the address to which other processes forward calls when this process serves them. */
  address?: (() => OwnerAddress | undefined) | undefined
  isBalancer?: ((address: string) => boolean) | undefined
  proxyProtocol?: boolean | undefined
  tls: { cert: Buffer; key: Buffer } | undefined
}

/** Foreign senders, by the serial numbers of their gateways. */
export type ForeignUplink = {
  foreign: Foreign
  owns(sn: string): boolean
  /** Sends a command to a foreign sender and answers it on its behalf. */
  command(sn: string, kind: string, message: never): Promise<void>
}

/** Joins the fleet as the owner of the database. */
const joinFleet = async (
  { natsUrl, address }: Broker & { natsUrl: string },
  { database, sessions, hub, telemetry, callLimits, isOwner, log, opened }: Context,
  handlers: UplinkHandlers & { foreign: Foreign | undefined },
) => {
  const [row] = await database.system.rows<{ epoch: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as epoch`,
  )
  const nats = await openNats(natsUrl, 'penstock server', log)
  const owner = newMemberName()
  const { latest } = telemetry
  const live = ({ point, time, value, quality }: Stored): LiveValue => [point, time, value, quality]
  const watches = opened(
    serveWatches(nats, owner, (id) => {
      const reading = latest.get(id)
      return reading && live(reading)
    }),
    (w) => w.close(),
  )
  const onMoved = (listener: (values: readonly LiveValue[]) => void) =>
    latest.onMoved((rows) => listener(rows.filter(({ point }) => watches.has(point)).map(live)))
  opened(tellNews({ nats, owner, database, sessions, hub, onMoved }), (stop) => stop())
  opened(shareLimits({ nats, process: owner, limits: callLimits }), (stop) => stop())
  const { elsewhere } = telemetry
  const schema = newestMigration()
  let end: Awaited<ReturnType<typeof startOwnerEnd>> | undefined
  const changed = () => end?.announce()
  const members =
    elsewhere && opened(serveIngest({ nats, owner, schema, elsewhere, isOwner, seen: handlers.seen, changed, log }), (m) => m.close())
  const own = { nats, owner, epoch: row!.epoch, ...(address ? { address } : {}), ...(members ? { ingest: members.names } : {}), log }
  end = await startOwnerEnd({ ...own, ...handlers })
  return end
}

const uplinkOf =
  (c: Context, broker: Broker, senders?: ForeignUplink): GatewayOptions['startUplink'] =>
  async (handlers: UplinkHandlers) => {
    const { host, mqttPort, mqttUrl, natsUrl, isBalancer, proxyProtocol, tls } = broker
    const options = { host, port: mqttPort, ...(tls ? { tls } : {}), isBalancer, proxyProtocol }
    const embedded = () => startEmbedded({ ...options, ...handlers, foreign: senders?.foreign })
    const uplink: Uplink = await (natsUrl
      ? joinFleet({ ...broker, natsUrl }, c, { ...handlers, foreign: senders?.foreign })
      : mqttUrl
        ? startExternal({ url: mqttUrl, clientId: `penstock-${c.sessions.installation}`, ...handlers })
        : embedded())
    if (!senders) return uplink
    const { publish, hears } = uplink
    return Object.assign(uplink, {
      publish: (sn: string, kind: string, payload: unknown) =>
        senders.owns(sn) ? senders.command(sn, kind, payload as never) : publish(sn, kind, payload),
      hears: (sn: string, kind: string) => (senders.owns(sn) ? kind === 'write' : hears(sn, kind)),
    })
  }

/** Telemetry about a gateway and its points, for the diagnosis. */
const evidenceOf = ({ latest, rejected }: Telemetry, clock: () => number): GatewayOptions['evidence'] => ({
  latest: (id) => {
    const s = latest.get(id)
    return s && { Time: s.time, Value: s.value, Quality: s.quality }
  },
  lastStored: async (ids) =>
    ids.reduce<number | undefined>((newest, id) => Math.max(newest ?? 0, latest.get(id)?.time ?? 0) || undefined, undefined),
  rejections: async (EnterpriseId, serials) => rejected.reasons({ EnterpriseId, serials }, clock() - 3_600_000),
})

/** Starts the uplink and serves the calls of gateways. */
export const startGatewayArea = async (
  c: Context,
  registry: Registry,
  flow: Pick<GatewayOptions, 'ingest' | 'reject' | 'stores'>,
  broker: Broker,
  pushMany: GatewayRouteOptions['pushMany'],
  senders?: ForeignUplink,
) => {
  const { database, vault, telemetry, clock, steady, log, url } = c
  const gateways = c.opened(
    await openGateways({
      ...flow,
      database,
      vault,
      registry,
      now: clock,
      steady,
      log,
      startUplink: uplinkOf(c, broker, senders),
      evidence: evidenceOf(telemetry, clock),
    }),
    (g) => g.close(),
  )
  const dropSecrets = () =>
    void dropUnusedSecrets(database).catch((error: Error) => log.warn({ error: error.message }, 'Unused secrets stay'))
  dropSecrets()
  c.opened(setInterval(dropSecrets, 86_400_000), clearInterval)
  const brokerPort = () => ('port' in gateways.uplink ? (gateways.uplink.port as number) : broker.mqttPort)
  c.routes.push((api) =>
    gatewayRoutes(api, {
      gateways,
      binding: openBinding(database, openStock(database, openAttempts(database.system, clock)), clock),
      pushMany,
      address: (request) => ({ Host: url ? new URL(url).hostname : request.hostname, Port: brokerPort() }),
      rejected: async (EnterpriseId, serials, { index, size }) => {
        const { Items, TotalCount } = telemetry.rejected.list({ EnterpriseId, serials, page: index, size })
        return paged({ index, size, exact: true }, Items, TotalCount)
      },
    }),
  )
  return { gateways, brokerPort }
}
