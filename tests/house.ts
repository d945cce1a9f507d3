// A whole Penstock for tests: the server as it starts, a Modbus device, the soft gateway, a console's hub connection.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import pino from 'pino'
import type { HubMessages, LiveValue } from '../contract/areas/hub.ts'
import type { Wrapper } from '../contract/base/call.ts'
import { type GatewayOptions, startGateway } from '../edge/agent.ts'
import { readSettings } from '../server/settings.ts'
import { startServer } from '../server/start.ts'
import { freshDatabase } from '../server/testing/database.ts'

export const password = 'a password of tests'
export const temporary = () => mkdtempSync(join(tmpdir(), 'penstock-house-'))

/** Waits for something to become true; what it answers is the result. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 20_000,
): Promise<T> => {
  for (const end = performance.now() + withinMs; ; await new Promise((r) => setTimeout(r, 20))) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}`)
  }
}

export type House = Awaited<ReturnType<typeof startHouse>>

export const startHouse = async (env: Record<string, string> = {}) => {
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
  const server = await startServer(settings, pino({ level: 'silent' }))
  const origin = `http://127.0.0.1:${server.port}`

  const call = async <T>(token: string | undefined, method: string, path: string, body?: unknown): Promise<Wrapper<T>> => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en',
        'x-time-zone': 'UTC',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Wrapper<T>
  }
  const login = async (UserNO = 'admin', Pwd = password) =>
    (await call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd })).Data.Token
  const admin = await login()
  const data = async <T = { Id: number }>(method: string, path: string, body?: unknown, token = admin): Promise<T> => {
    const answer = await call<T>(token, method, path, body)
    if (!answer.Succeeded) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.Data
  }

  /** A project with a gateway, its key, a channel to a Modbus port and one device on it. */
  const newGateway = async (SN: string, modbusPort: number, more: object = {}) => {
    const project = await data('POST', '/Project/Project', { ProjectName: `Project of ${SN}` })
    const gateway = await data('POST', '/Project/Gateway', { GatewayName: SN, SN, ProjectId: project.Id })
    const channel = await data('POST', '/Project/Protocol/NetProtocol', {
      ProtocolName: 'Network',
      GatewayId: gateway.Id,
      Ip: '127.0.0.1',
      Port: modbusPort,
      ...more,
    })
    const device = await data('POST', '/Project/Device', { DeviceName: 'Device', GatewayId: gateway.Id, NetProtocolId: channel.Id })
    const { Key } = await data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway.Id })
    return { SN, Key, project: project.Id, gateway: gateway.Id, device: device.Id }
  }
  const startEdge = (
    { SN, Key }: { SN: string; Key: string },
    { port = server.mqttPort, data: edgeFolder = temporary(), ...more }: { port?: number } & Partial<GatewayOptions> = {},
  ) => startGateway({ server: `mqtt://127.0.0.1:${port}`, sn: SN, key: Key, data: edgeFolder, reconnectMs: { min: 50, max: 400 }, ...more })
  const online = (gateway: number) =>
    until(
      'the gateway to be online',
      async () => (await data<{ OnlineStatus: number }>('GET', `/Project/Gateway?Id=${gateway}`)).OnlineStatus === 1,
    )
  const push = (GatewayId: number) =>
    data<{ Code: number; Msg: string; Detail?: unknown[] }>('POST', '/Project/Protocol/OptionPush', { GatewayId })

  return {
    ...server,
    origin,
    folder,
    call,
    login,
    admin,
    data,
    newGateway,
    startEdge,
    online,
    push,
    close: async () => {
      await server.close()
      await fresh.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A console's connection, with what it heard. */
export const connectHub = async (origin: string, token: string) => {
  const values: (LiveValue & { heard?: number })[] = []
  const alarms: HubMessages['Alarm'][0][] = []
  const changes: HubMessages['Changed'][0][] = []
  const connection: HubConnection = new HubConnectionBuilder()
    .withUrl(`${origin}/api/hubs/sysmsghub`, { accessTokenFactory: () => token })
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
  await connection.start()
  return { connection, values, heard, alarms, changes }
}
