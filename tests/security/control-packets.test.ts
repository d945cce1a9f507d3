// Gateways flood with packets that are no messages: pings, subscriptions, acknowledgements. Work is asserted, not time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { until } from '../front-door.ts'
import { openRawGateway, type RawGateway } from '../raw-gateway.ts'

const own = ownServer()
let neighbour: RawGateway
let SN: string
const open: RawGateway[] = []
const newRaw = async (name: string) => {
  const gateway = await own.door.newGateway(name, 1)
  const raw = await openRawGateway(own.process.mqttPort, gateway)
  open.push(raw)
  await raw.connack()
  return { raw, gateway }
}
beforeAll(async () => {
  const { raw, gateway } = await newRaw('NEIGHBOUR1')
  neighbour = raw
  SN = gateway.SN
})
afterAll(() => {
  for (const raw of open) raw.close()
})

const text = (value: string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}
const packet = (header: number, body: Buffer) => {
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7]
  return Buffer.concat([Buffer.from([header, ...length]), body])
}
const id = Buffer.from([0, 1])
const floods: [kind: string, packet: (filter: string) => Buffer, answer: string][] = [
  ['PINGREQ', () => packet(0xc0, Buffer.alloc(0)), 'pingresp'],
  ['SUBSCRIBE', (filter) => packet(0x82, Buffer.concat([id, text(filter), Buffer.from([1])])), 'suback'],
  ['UNSUBSCRIBE', (filter) => packet(0xa2, Buffer.concat([id, text(filter)])), 'unsuback'],
  ['PUBACK', () => packet(0x40, id), ''],
]
const refused = (reason: string) => own.figure('mqtt_refused_total', `{reason="${reason}"}`)

test.each(floods)('a flood of %s is read as slowly as its rate, and others are acknowledged', async (kind, make, answer) => {
  const { raw, gateway } = await newRaw(`FLOOD${kind}`)
  const [limited, flood] = [await refused('limited'), make(`iot/v1/${gateway.SN}/down/ack`)]
  const count = Math.floor(200_000 / flood.length)
  raw.socket.write(Buffer.concat(Array(count).fill(flood)))
  for (let n = 0; n < 5; n++) {
    const message = { MsgId: `${kind}${n}`, Ts: Date.now(), Data: { Type: 1, Level: 0, Text: '' } }
    await neighbour.puback(neighbour.publish(`iot/v1/${SN}/up/event`, JSON.stringify(message)))
  }
  await until('the flood to be slowed down', async () => (await refused('limited')) > limited)
  // At once come 500, and then 50 a second: of thousands nearly all wait.
  if (answer) expect(raw.of(answer).length).toBeLessThan(3000)
  expect(raw.of(answer || 'puback').length).toBeLessThan(count / 2)
})

test.each(['state', 'heartbeat', 'reply'])(
  'a flood of %s messages is read as slowly as its rate, while readings of others are stored',
  async (kind) => {
    const { raw, gateway } = await newRaw(`MANY${kind.toUpperCase()}`)
    const limited = await refused('limited')
    const topic = `iot/v1/${gateway.SN}/up/${kind}`
    const message = Buffer.from(JSON.stringify({ MsgId: 'm', Ts: Date.now(), Data: {} }))
    const before = await own.figure('mqtt_messages_total', `{kind="${kind}"}`)
    raw.socket.write(Buffer.concat(Array(4000).fill(packet(0x30, Buffer.concat([text(topic), message])))))
    await until('the flood to be slowed down', async () => (await refused('limited')) > limited)
    const Items = [{ D: 1, T: Date.now(), V: { 1: 1 } }]
    const reading = JSON.stringify({ MsgId: `beside-${kind}`, Ts: Date.now(), Data: { Items } })
    await neighbour.puback(neighbour.publish(`iot/v1/${SN}/up/data`, reading))
    expect((await own.figure('mqtt_messages_total', `{kind="${kind}"}`)) - before).toBeLessThan(2000)
    expect(raw.isClosed()).toBe(false)
    raw.close()
  },
)

test('those that go on are cut with a reason, and no neighbour is', async () => {
  await Promise.all(open.slice(1).map((raw) => raw.closed()))
  expect([await refused('flooding'), neighbour.isClosed()]).toEqual([floods.length, false])
})

test('a SUBSCRIBE of thousands of filters is cut by its header', async () => {
  const { raw, gateway } = await newRaw('MANYFILTERS')
  raw.socket.write(Buffer.from([0x82, 0x80, 0x80, 0x04]))
  await raw.closed()
  expect(await refused('tooLarge')).toBe(1)
  const back = await openRawGateway(own.process.mqttPort, gateway)
  open.push(back)
  await back.connack()
  const kinds = ['ack', 'config', 'write', 'read', 'nettest', 'timesync']
  // As after each of several reconnects, with pings in between.
  for (let n = 0; n < 5; n++) {
    back.send({ cmd: 'pingreq' })
    expect(await back.subscribe(...kinds.map((kind) => `iot/v1/${gateway.SN}/down/${kind}`))).toEqual(kinds.map(() => 1))
  }
  await until('the pings to be answered', () => back.of('pingresp').length === 5)
})
