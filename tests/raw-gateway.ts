// A gateway that is none of ours: packets of mqtt-packet on a bare socket.
import { connect, type Socket } from 'node:net'
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet'
import { until } from './front-door.ts'

export type Heard = { kind: string; message: { MsgId: string; Data: Record<string, unknown> & { Ts?: number } } }
export type RawGateway = Awaited<ReturnType<typeof openRawGateway>>
type Login = { SN: string; Key: string }

export const connectPacket = ({ SN, Key }: Login, more: object = {}) =>
  ({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    clientId: SN,
    username: SN,
    password: Buffer.from(Key),
    ...more,
  }) as IConnectPacket

/** Connects and sends CONNECT. `localAddress` is another address of this machine. */
export const openRawGateway = async (port: number, login: Login, more: object = {}, localAddress = '127.0.0.1') => {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  const heard: Heard[] = []
  const packets: Packet[] = []
  let answer: (Heard & { reply: object })['reply'] | ((heard: Heard) => object | undefined) | undefined
  let isClosed = false
  let packetId = 0
  const parser = mqttPacket.parser({ protocolVersion: 4 })
  const send = (packet: object) => void socket.write(mqttPacket.generate(packet as Packet))
  const publish = (name: string, payload: string | Buffer, packet: object = {}) => {
    packetId = (packetId % 60_000) + 1
    send({ cmd: 'publish', topic: name, payload, qos: 1, retain: false, dup: false, messageId: packetId, ...packet })
    return packetId
  }
  parser.on('packet', (packet: Packet) => {
    packets.push(packet)
    if (packet.cmd !== 'publish') return
    const found = { kind: packet.topic.split('/').at(-1)!, message: JSON.parse(packet.payload.toString()) } as Heard
    heard.push(found)
    if (packet.qos) send({ cmd: 'puback', messageId: packet.messageId })
    const reply = typeof answer === 'function' ? answer(found) : undefined
    if (!reply) return
    const text = JSON.stringify({ MsgId: found.message.MsgId, Ts: Date.now(), Msg: '', ...reply })
    publish(`iot/v1/${login.SN}/up/reply`, text)
  })
  parser.on('error', () => socket.destroy())
  socket.on('data', (chunk) => parser.parse(chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  send(connectPacket(login, more))
  const of = (cmd: string) => packets.filter((packet) => packet.cmd === cmd)
  const puback = (messageId: number) => until(`PUBACK ${messageId}`, () => of('puback').some((packet) => packet.messageId === messageId))
  return {
    socket,
    heard,
    of,
    send,
    publish,
    puback,
    isClosed: () => isClosed,
    closed: () => until('the connection to be cut', () => isClosed),
    /** Its return code. */
    connack: async () => {
      const [packet] = await until('CONNACK', () => of('connack').length > 0 && of('connack'))
      return packet as Packet & { returnCode: number; sessionPresent: boolean }
    },
    /** What SUBACK grants. */
    subscribe: async (...topics: string[]) => {
      const messageId = 60_000 + of('suback').length + 1
      send({ cmd: 'subscribe', messageId, qos: 1, dup: false, retain: false, subscriptions: topics.map((topic) => ({ topic, qos: 1 })) })
      const found = await until('SUBACK', () => of('suback').find((packet) => packet.messageId === messageId))
      return (found as Packet & { granted: number[] }).granted
    },
    /** One message of the protocol; resolves with PUBACK. */
    say: async (kind: string, message: object, packet: object = {}) => {
      await puback(publish(`iot/v1/${login.SN}/up/${kind}`, JSON.stringify(message), packet))
    },
    acked: (MsgId: string) => until(`ack ${MsgId}`, () => heard.some(({ kind, message }) => kind === 'ack' && message.MsgId === MsgId)),
    hears: (kind: string, from = 0) => until(`down/${kind}`, () => heard.slice(from).find((found) => found.kind === kind)),
    answer: (how: (heard: Heard) => object | undefined) => {
      answer = how
    },
    close: () => socket.destroy(),
  }
}
