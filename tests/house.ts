// A whole Penstock in the process of the test: the server as it starts, and the soft gateway. Whoever needs no server in this process
// imports front-door.ts or hub.ts: to load the server costs two seconds of a processor.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { type GatewayOptions, startGateway } from '../edge/agent.ts'
import { openApiProcess } from '../main/apiProcess.ts'
import { openFleetBroker } from '../main/gatewayProcess.ts'
import { readSettings, type Settings } from '../main/settings.ts'
import { startServer } from '../main/start.ts'
import { freshDatabase } from '../main/testing/database.ts'
import { freePort } from '../main/testing/freePort.ts'
import { startNats } from '../main/testing/nats.ts'
import { clickhouseServer, startClickHouse } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { openFrontDoor, password, temporary } from './front-door.ts'

export { password, temporary, until } from './front-door.ts'
export { connectHub } from './hub.ts'

export type House = Awaited<ReturnType<typeof startHouse>>

/** Gateways connect to a gateway process, which carries their messages over NATS. With IN_A_FLEET=api, people use an API process. */
const startFleet = async (settings: Settings, log: Logger) => {
  const nats = await startNats()
  const broker = await openFleetBroker({ ...settings, natsUrl: nats.url }, log, true)
  const isApi = process.env.IN_A_FLEET === 'api'
  const clickhouse = isApi ? await startClickHouse(clickhouseServer!) : undefined
  const shared = {
    ...{ natsUrl: nats.url, mqttPort: broker.port() },
    ...(clickhouse ? { clickhouseUrl: clickhouse.url, trustProxy: () => true, vaultKey: randomBytes(32).toString('base64') } : {}),
  }
  let closeApi: (() => Promise<void>) | undefined
  return {
    settings: shared,
    /** Port that people use. */
    join: async (port: number) => {
      if (!isApi) return port
      const own = { ...settings, ...shared, databaseUrl: settings.databaseUrl!, vaultKey: shared.vaultKey!, port: await freePort() }
      closeApi = await openApiProcess({ settings: own, log, isStopping: () => false })
      return own.port
    },
    close: async () => {
      await closeApi?.()
      await broker.close()
      await nats.remove()
      await clickhouse?.remove()
    },
  }
}

export const startHouse = async (env: Record<string, string> = {}, clock = Date.now, log: Logger = pino({ level: 'silent' })) => {
  const fresh = await freshDatabase()
  const folder = temporary()
  const settings = readSettings({
    PENSTOCK_DATA: folder,
    PENSTOCK_PORT: '0',
    PENSTOCK_MQTT_PORT: '0',
    PENSTOCK_ADMIN_PASSWORD: password,
    PENSTOCK_DEMO: 'off',
    DATABASE_URL: fresh.adminUrl,
    ...env,
  })
  const fleet = process.env.IN_A_FLEET ? await startFleet(settings, log) : undefined
  const server = await startServer({ ...settings, ...fleet?.settings }, log, clock)
  const door = await openFrontDoor(`http://127.0.0.1:${(await fleet?.join(server.port)) ?? server.port}`)
  if (!settings.demo) await door.ensureCompany()

  const edgeFolders: string[] = []
  const edgeFolder = () => {
    const made = temporary()
    edgeFolders.push(made)
    return made
  }
  const startEdge = (
    { SN, Key }: { SN: string; Key: string },
    { port = server.mqttPort, data = edgeFolder(), ...more }: { port?: number } & Partial<GatewayOptions> = {},
  ) => startGateway({ server: `mqtt://127.0.0.1:${port}`, sn: SN, key: Key, data, reconnectMs: { min: 50, max: 400 }, ...more })
  return {
    ...server,
    ...door,
    folder,
    /** Signs in as the superuser of the database. */
    databaseUrl: fresh.adminUrl,
    startEdge,
    close: async () => {
      await server.close()
      await fleet?.close()
      await fresh.drop()
      for (const path of [folder, ...edgeFolders]) rmSync(path, { recursive: true, force: true })
    },
  }
}
