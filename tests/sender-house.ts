// External senders at a server of their own, with clients that know nothing of us.
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll } from 'vitest'
import type { DoorState, SeenKey } from '../areas/configuration/network-components/contract.ts'
import type { Page } from '../contract/call.ts'
import { type House, startHouse } from './house.ts'

export type Row = Record<string, unknown> & { Id: number }
export type Made = Row & { Token: string; GatewayId: number; EnterpriseId: number }
export const path = '/Protocol/NetworkComponents'

/** Registers what starts and ends the server of a test file. */
export const useSenders = (env: Record<string, string> = {}) => {
  let house: House
  let project = 0
  const clients: MqttClient[] = []
  beforeAll(async () => {
    house = await startHouse(env)
    project = (await house.data('POST', '/Project/Project', { ProjectName: 'Foreign', Longitude: 2, Latitude: 41 })).Id
  })
  afterAll(async () => {
    for (const client of clients) client.end(true)
    await house?.close()
  })

  let count = 0
  const door = (Language: 1 | 2 | 3 | 4 | 5 | 6, more: object = {}) =>
    house.data<Made>('POST', path, { ComponentName: `Door ${++count}`, Language, ProjectId: project, ...more })
  const connect = async (username: string, more: mqtt.IClientOptions = {}) => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, { username, reconnectPeriod: 0, ...more })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }
  const publish = (client: MqttClient, topic: string, message: unknown) =>
    client.publishAsync(topic, typeof message === 'string' ? message : JSON.stringify(message), { qos: 1 })
  const seen = async (Id: number) => (await house.data<Page<SeenKey>>('GET', `${path}/SeenList?Id=${Id}`)).Items
  const adopt = async (Id: number, Items?: Pick<SeenKey, 'Device' | 'Key'>[]) => {
    const made = await house.data<{ Devices: number; Points: number }>('POST', `${path}/Adopt`, { Id, ...(Items && { Items }) })
    await house.registry.settled()
    return made
  }
  const stateOf = async (Id: number) => (await house.data<DoorState[]>('GET', `${path}/StateList?Id=${Id}`))[0]!
  const pointsOf = async ({ GatewayId }: Made) => {
    const devices = (await house.data<Page<Row>>('GET', `/Project/Device/List?GatewayId=${GatewayId}&PageSize=100`)).Items
    const ids = devices.map(({ Id }) => Id).join(',')
    const points = (await house.data<Page<Row>>('GET', `/V2/Project/DevPara/List?DeviceIds=${ids}&PageSize=100`)).Items
    return Object.fromEntries(points.map((p) => [`${p.DeviceName}/${p.Address}`, p.Id]))
  }
  const latest = (point: number | undefined) => house.telemetry.latest.get(point ?? 0)
  const send = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${house.port}${url}`, { method: 'POST', body: body as BodyInit, headers })
  return { house: () => house, project: () => project, door, connect, publish, seen, adopt, stateOf, pointsOf, latest, send }
}
