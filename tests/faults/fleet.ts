// Gateways that outlive the server: each runs the newest configuration that it accepted, and says so when it is back.
import mqtt from 'mqtt'
import { type Down, topic } from '../../contract/gateway-protocol.ts'
import type { FrontDoor } from '../front-door.ts'
import { pause } from './tiers.ts'

type Message = { MsgId: string; Data: Down['config']['Data'] & Down['read']['Data'] }

type Options = { count: number; prefix: string; within?: number }
const joinFleet = async (door: FrontDoor, mqttPort: number, { prefix, within }: Required<Options>, i: number) => {
  const made = await door.newGateway(`${prefix}${String(i).padStart(6, '0')}`, 1)
  const point = await door.data('POST', '/Project/DevPara', { DeviceId: made.device, ParaName: 'Flow', Address: '0' })
  const { SN } = made
  const accepted: number[] = []
  const client = mqtt.connect(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: SN,
    username: SN,
    password: made.Key,
    reconnectPeriod: 100,
    resubscribe: false,
  })
  const say = (kind: string, MsgId: string, more: object) =>
    client.publish(topic(SN, 'up', kind as 'state'), JSON.stringify({ MsgId, Ts: Date.now(), ...more }), { qos: 1 })
  const replyTo: Record<string, (message: Message) => Promise<object>> = {
    config: async ({ Data }) => {
      accepted.push(Data.ConfigVersion)
      await pause(Math.random() * within)
      return {}
    },
    read: async ({ Data }) => ({ Data: { Values: Data.ParaIds.map((ParaId) => ({ ParaId, Value: 1, Quality: 0 })) } }),
  }
  client.on('error', () => undefined)
  client.on('message', async (name, payload) => {
    const message = JSON.parse(payload.toString()) as Message
    const reply = await replyTo[name.split('/').at(-1)!]?.(message)
    if (reply) say('reply', message.MsgId, { Code: 0, Msg: '', ...reply })
  })
  client.on('connect', async () => {
    await client.subscribeAsync(topic(SN, 'down', '+'), { qos: 1 }).catch(() => undefined)
    say('state', `birth${Date.now()}`, { Data: { Online: 1, ConfigVersion: accepted.at(-1) ?? 0 } })
  })
  return { ...made, point: point.Id, accepted, client }
}

/** Connects so many gateways of one point each. An accepted push is answered up to `within` ms later. */
export const startFleet = async (door: FrontDoor, mqttPort: number, { count, prefix, within = 300 }: Options) => {
  const members: Awaited<ReturnType<typeof joinFleet>>[] = []
  for (let i = 0; i < count; i++) members.push(await joinFleet(door, mqttPort, { count, prefix, within }, i))
  for (const { gateway } of members) await door.online(gateway)
  return { members, close: () => Promise.all(members.map(({ client }) => client.endAsync(true))) }
}
