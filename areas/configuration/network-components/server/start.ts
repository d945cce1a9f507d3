// Starts the entry points of foreign senders. The gateways' broker admits them; their messages go to ingest.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import type { Uplink } from '../../../../server/mqtt/uplink.ts'
import type { PointRegistry } from '../../../../server/telemetry/sample.ts'
import { openCallers } from './callers.ts'
import { type Door, openDoors } from './doors.ts'
import { foreignRoutes } from './http.ts'
import { openIntake } from './intake.ts'
import { openForeign } from './mqtt.ts'
import { openPorts, type Ports } from './ports.ts'
import { createReplay } from './replay.ts'
import { componentRoutes } from './routes.ts'
import { openSenderPoints } from './senders.ts'
import { senderSecret } from './service.ts'
import { openSignatures } from './signatures.ts'
import { openStations, type Place } from './stations.ts'
import { openTokenThrottle } from './throttle.ts'

/** Functions of the gateways area for senders. */
export type Gateways = {
  /** The gateway with this serial number sent something, or its connection closed. */
  seen(sn: string): void
  gone(sn: string): void
  deviceIs(sn: string, device: number, isThere: boolean): void
  replied(sn: string, reply: { MsgId: string; Ts: number; Code: number; Msg: string }): void
  /** Stores a server event about a gateway. */
  event(sn: string, type: number, level: 0 | 1 | 2 | 3, text: string): void
  uplink: Pick<Uplink, 'disconnect'>
}
/** Event types: a script was deactivated, a script reports. */
const [scriptOff, ofScript] = [14, 15]
type Needs = {
  registry: PointRegistry
  stores(EnterpriseId: number): boolean
  mqttUrl: string | undefined
  host: string
  uplinkPorts: readonly Place[]
}

export const openForeignSenders = async (c: Context, { registry, stores, mqttUrl, host, uplinkPorts }: Needs) => {
  const { database, telemetry, clock, log, vault } = c
  const ready = Promise.withResolvers<Gateways>()
  let gateways: Gateways | undefined
  const points = c.opened(openSenderPoints(database.system, registry), (p) => p.close())
  /** Disconnects clients that signed in with former credentials. */
  const closed = ({ SN, Id }: Door) => {
    void ready.promise.then(({ uplink }) => uplink.disconnect(SN)).catch(() => undefined)
    ports?.cut(Id)
  }
  let ports: Ports | undefined
  const doors = c.opened(await openDoors(database, log, closed, () => void ports?.apply()), (d) => d.close())
  const intake = openIntake({
    ...{ db: database.system, ingest: telemetry.ingest, pointsOf: points.of, stores, now: clock, sandbox: c.sandbox },
    report: ({ SN }, { isOff, level, text }) => gateways?.event(SN, isOff ? scriptOff : ofScript, level, text),
    alive: ({ SN }) => gateways?.seen(SN),
  })
  const throttle = openTokenThrottle(doors)
  const signatures = openSignatures({ doors, vault, now: clock })
  const stations = openStations({ doors, intake, throttle, now: clock })
  const gone = ({ SN }: Door) => gateways?.gone(SN)
  const callers = openCallers({ doors, stations, intake, throttle, gone })
  const listening = openPorts({ doors, callers, host, allowed: uplinkPorts, gone, log })
  ports = c.opened(listening, (p) => p.close())
  const senders = openForeign({
    ...{ doors, intake, pointsOf: points.of, now: clock },
    ...{ gone, writeDialled: callers.write },
    deviceIs: ({ SN }, device, isThere) => gateways?.deviceIs(SN, device, isThere),
    reply: (sn, reply) => gateways?.replied(sn, reply),
  })
  const stop = database.onChange(({ resource, id, verb, EnterpriseId }) => {
    if (['dataParse', 'device', 'gateway'].includes(resource)) intake.forgetParsers()
    if (resource !== 'networkComponent' || verb !== 'remove') return
    intake.tallies.drop(id)
    senders.drop(id)
    vault.put(database.system, EnterpriseId, senderSecret(id), null).catch((err) => log.warn({ err }, 'a secret of a sender was left'))
  })
  c.opened(stop, (undo) => undo())
  return {
    ...senders,
    /** From now on messages mark their gateways as online. */
    connect: (to: Gateways) => {
      gateways = to
      ready.resolve(to)
      void listening.apply()
    },
    /** Calls of people. */
    routes: (brokerPort: () => number, tls: boolean) => (api: FastifyInstance) =>
      componentRoutes(api, {
        ...{ database, vault, doors, intake, connections: senders.connections, stations, ports: listening, allowed: uplinkPorts },
        replay: createReplay({ intake, rejected: telemetry.rejected, now: clock }),
        address: (request: FastifyRequest) => ({
          Host: c.url ? new URL(c.url).hostname : request.hostname,
          MqttPort: mqttUrl ? null : brokerPort(),
          Tls: tls ? 1 : 0,
        }),
      }),
    /** Calls of senders, outside the `/api` of the console. */
    root: (root: FastifyInstance) => foreignRoutes(root, { doors, intake, throttle, signatures }),
  }
}
export type ForeignArea = Awaited<ReturnType<typeof openForeignSenders>>
