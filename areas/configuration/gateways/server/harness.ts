import type { FastifyInstance } from 'fastify'
import mqtt from 'mqtt'
import { type Down, topic } from '../../../../contract/gateway-protocol.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { openVault } from '../../../../server/identity/vault.ts'
import { startEmbedded } from '../../../../server/mqtt/embedded.ts'
import type { UpKind } from '../../../../server/mqtt/uplink.ts'
import type { Rejected } from '../../../../server/telemetry/sample.ts'
import { openStock } from '../../../people/serials/server/service.ts'
import { netProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { command, gateway } from '../contract.ts'
import { type Binding, openBinding } from './binding.ts'
import { openRegistry } from './registry.ts'
import { type GatewayRouteOptions, gatewayRoutes } from './routes.ts'
import { type GatewayOptions, type Gateways, openGateways, type UplinkHandlers } from './service.ts'

type Tasks = { pushMany?: GatewayRouteOptions['pushMany']; routes?: ((api: FastifyInstance) => void)[] }
/** A test plant: the gateways area on a real broker and PostgreSQL. Readings go to `ingest` of the test. */
export const startPlant = async ({ pushMany = async () => Promise.reject(new Error('No tasks here')), routes = [] }: Tasks = {}) => {
  const clock = { now: Date.now() }
  let gateways!: Gateways
  let binding!: Binding
  let ingest: GatewayOptions['ingest'] = async () => ({ readings: 0 })
  const rejected: Rejected[] = []
  const latest = new Map<number, { Time: number; Value: number | null; Quality: number }>()
  const stored = new Map<number, number>()
  let handlers!: UplinkHandlers
  const kit: Kit = await startKit({
    areas: () => [
      (api) =>
        gatewayRoutes(api, {
          get gateways() {
            return gateways
          },
          pushMany,
          get binding() {
            return binding
          },
          address: () => ({ Host: 'plant.example', Port: 8421 }),
          rejected: async (_, serials) => ({ ...emptyPage, Items: rejected.filter((r) => serials.includes(r.SN)) }),
        }),
      ...routes,
    ],
  })
  const registry = await openRegistry(kit.database)
  const now = () => clock.now
  binding = openBinding(kit.database, openStock(kit.database, openAttempts(kit.database.system, now)), now)
  const open = async () => {
    gateways = await openGateways({
      database: kit.database,
      vault: openVault(kit.database, Buffer.alloc(32, 7)),
      registry,
      startUplink: async (given) => {
        handlers = given
        const broker = await startEmbedded({ host: '127.0.0.1', port: 0, ...handlers })
        await broker.open()
        return broker
      },
      ingest: (sn, kind, payload) => ingest(sn, kind, payload),
      reject: (r) => void rejected.push(r),
      evidence: {
        latest: (id) => latest.get(id),
        lastStored: async (ids) => Math.max(...ids.map((id) => stored.get(id) ?? 0)) || undefined,
        rejections: async (_, serials) =>
          [
            ...Map.groupBy(
              rejected.filter((r) => serials.includes(r.SN)),
              (r) => r.reason,
            ),
          ].map(([reason, of]) => ({ reason, count: of.length })),
      },
      log: { warn: () => undefined },
      now: () => clock.now,
    })
  }
  await open()
  const { create } = maker(kit)
  const clients: mqtt.MqttClient[] = []

  return {
    kit,
    clock,
    registry,
    rejected,
    latest,
    stored,
    create,
    ingest: (handler: GatewayOptions['ingest']) => {
      ingest = handler
    },
    get gateways() {
      return gateways
    },
    /** A message as if from a broker that accepts every serial number. */
    says: (sn: string, kind: UpKind, message: object) => handlers.onMessage(sn, kind, Buffer.from(JSON.stringify(message))),
    /** Restarts the server's part; rows stay. */
    restart: async () => {
      await gateways.close()
      await open()
    },
    row: (id: number) => kit.data<Record<string, unknown>>('owner', 'GET', `${gateway.path}?Id=${id}`),
    history: async (id: number) =>
      (
        await kit.data<{ Items: Record<string, unknown>[] }>(
          'owner',
          'GET',
          `${command.path}/List?GatewayId=${id}&OrderColumn=Id&OrderType=asc`,
        )
      ).Items,
    /** A gateway with a channel, a device and this many points. */
    async equip(points: number, fields: Record<string, unknown> = {}) {
      const made = await create(gateway, { HeartbeatPeriod: 60 })
      const net = await create(netProtocol, { GatewayId: made.Id })
      const dev = await create(device, { GatewayId: made.Id, NetProtocolId: net.Id, CommType: 0 })
      const ids: number[] = []
      for (let i = 0; i < points; i++) ids.push((await create(point, { DeviceId: dev.Id, Address: String(2 * i), ...fields })).Id)
      return { Id: made.Id, SN: String(made.SN), device: dev.Id, net: net.Id, points: ids }
    },
    /** A real MQTT client that signs in with a new key and answers commands as the test specifies. */
    async connect(
      of: { Id: number; SN: string },
      answer: (kind: string, message: Down['config'] | Down['write']) => object | Promise<object> = () => ({ Code: 0, Msg: '' }),
    ) {
      const { Key } = await kit.data<{ Key: string }>('owner', 'POST', '/Project/Gateway/ResetKey', { Id: of.Id })
      const port = (gateways.uplink as unknown as { port: number }).port
      const will = {
        topic: topic(of.SN, 'up', 'state'),
        payload: Buffer.from(JSON.stringify({ MsgId: 'w', Ts: clock.now, Data: { Online: 0 } })),
        qos: 1,
        retain: true,
      } as const
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
        clientId: of.SN,
        username: of.SN,
        password: Key,
        reconnectPeriod: 0,
        will,
      })
      clients.push(client)
      client.on('error', () => undefined)
      const heard: { kind: string; message: { MsgId: string; Data: Record<string, unknown> } }[] = []
      let sent = 0
      const report = (kind: string, Data: unknown, MsgId = `m${++sent}`) =>
        client.publishAsync(topic(of.SN, 'up', kind), JSON.stringify({ MsgId, Ts: clock.now, Data }), { qos: 1 })
      client.on('message', async (name, payload) => {
        const kind = name.split('/').at(-1)!
        const message = JSON.parse(payload.toString())
        heard.push({ kind, message })
        const reply = kind === 'ack' || (kind === 'timesync' && message.Data.T1 !== undefined) ? undefined : await answer(kind, message)
        if (reply)
          client.publish(topic(of.SN, 'up', 'reply'), JSON.stringify({ MsgId: message.MsgId, Ts: clock.now, ...reply }), { qos: 1 })
      })
      await client.subscribeAsync(topic(of.SN, 'down', '+'), { qos: 1 })
      return {
        client,
        report,
        heard,
        Key,
        raw: (kind: string, text: string) => client.publishAsync(topic(of.SN, 'up', kind), text, { qos: 1 }),
      }
    },
    close: async () => {
      await Promise.all(clients.map((c) => c.endAsync(true)))
      await gateways.close()
      await kit.close()
    },
  }
}
export type Plant = Awaited<ReturnType<typeof startPlant>>

const emptyPage = { PageIndex: 1, PageSize: 20, TotalCount: 0, TotalMore: false, TotalPages: 0, HasPrevPages: false, HasNextPages: false }
