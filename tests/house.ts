// A whole Penstock for tests: the server as it starts, a Modbus device, the soft gateway, a console's hub connection.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import pino, { type Logger } from 'pino'
import type { HubMessages, LiveValue } from '../contract/hub.ts'
import { type GatewayOptions, startGateway } from '../edge/agent.ts'
import { openApiProcess } from '../main/apiProcess.ts'
import { openFleetBroker } from '../main/gatewayProcess.ts'
import { readSettings, type Settings } from '../main/settings.ts'
import { startServer } from '../main/start.ts'
import { freshDatabase } from '../main/testing/database.ts'
import { freePort } from '../main/testing/freePort.ts'
import { startNats } from '../main/testing/nats.ts'
import { clickhouseServer, startClickHouse } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { openFrontDoor, password } from './front-door.ts'

export { password, until } from './front-door.ts'
export const temporary = () => mkdtempSync(join(tmpdir(), 'penstock-house-'))

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

/** A console's connection and the messages it received. */
export const connectHub = async (origin: string, token: string, headers: Record<string, string> = {}) => {
  const values: (LiveValue & { heard?: number })[] = []
  const alarms: HubMessages['Alarm'][0][] = []
  const changes: HubMessages['Changed'][0][] = []
  const notices: HubMessages['Notice'][0][] = []
  const connection: HubConnection = new HubConnectionBuilder()
    .withUrl(`${origin}/api/hubs/sysmsghub`, { accessTokenFactory: () => token, headers })
    .configureLogging(LogLevel.None)
    .build()
  const heard: { value: LiveValue; at: number }[] = []
  connection.on('Values', (push: HubMessages['Values'][0]) => {
    for (const value of push.Values) {
      values.push(value)
      heard.push({ value, at: Date.now() })
    }
  })
  connection.on('Alarm', (alarm) => alarms.push(alarm))
  connection.on('Changed', (change) => changes.push(change))
  connection.on('Notice', (notice) => notices.push(notice))
  await connection.start()
  return { connection, values, heard, alarms, changes, notices }
}
