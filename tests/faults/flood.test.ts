import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { until } from '../front-door.ts'
import { ownServer } from './own-server.ts'
import { makePlant, type Source } from './plant.ts'
import { startSenders } from './senders.ts'
import { byApi, enter, flawless, perfect, tally } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const own = ownServer()

/** Writes publishes as fast as the wire takes them, far above any share. Deaf ones subscribe to acknowledgements and never read them. */
const flood = (port: number, { SN, Key, device, points }: Source, isDeaf = false) => {
  const socket: Socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const login = { clientId: SN, username: SN, password: Buffer.from(Key), clean: true, keepalive: 0 }
  socket.write(generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, ...login }))
  const subscriptions = [{ topic: topic(SN, 'down', '#'), qos: 1 }]
  if (isDeaf) socket.write(generate({ cmd: 'subscribe', messageId: 1, qos: 1, dup: false, retain: false, subscriptions } as never))
  else socket.resume()
  let offered = 0
  const many = (first: number) =>
    Buffer.concat(
      Array.from({ length: 500 }, (_, i) => {
        const Items = [{ D: device, T: Date.now() + i, V: { [points[0]!]: i } }]
        const payload = JSON.stringify({ MsgId: `${first + i}`, Ts: Date.now(), Data: { Items } })
        return generate({
          cmd: 'publish',
          topic: topic(SN, 'up', 'data'),
          payload,
          qos: 1,
          messageId: 1 + ((first + i) % 60_000),
          dup: false,
          retain: false,
        })
      }),
    )
  const timer = setInterval(() => {
    while (!socket.destroyed && socket.writableLength < 1_000_000) {
      socket.write(many(offered))
      offered += 500
    }
  }, 5)
  return {
    offered: () => offered,
    stop: () => {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

const p99 = (latencies: readonly { at: number; ms: number }[], from: number, to: number) => {
  const of = latencies
    .filter(({ at }) => at >= from && at < to)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return of[Math.floor(of.length * 0.99)] ?? 0
}
test(
  'a gateway that floods at a hundred times its share is held to it, says so in an event, and slows nobody',
  inTime(2),
  async ({ task }) => {
    const sources = await makePlant(own.door, 5, 10, 'FLOODS')
    const [flooder, ...others] = sources
    const sending = startSenders(others, { port: own.process.mqttPort, messagesPerSecond: 25 })
    await until('the first acknowledgements', () => sending.ackedCount() > 50)
    const lasts = rounds(4000, 30_000)
    const calmFrom = performance.now()
    await pause(lasts / 2)
    const [calm, calmCount] = [p99(sending.latencies, calmFrom, performance.now()), sending.ackedCount()]
    const from = performance.now()
    const flooding = flood(own.process.mqttPort, flooder!)
    const events = () => own.query('select "GatewayId"::int, "Type", "Level" from gateway_event where "Type" = 11')
    // A busy machine takes longer to send more than a share.
    await Promise.all([pause(lasts), until('the event of the flood', async () => (await events()).length, 60_000)])
    const [busy, busyCount] = [p99(sending.latencies, from, performance.now()), sending.ackedCount() - calmCount]
    const allowed = 10_000 + (2500 * (performance.now() - from)) / 1000
    flooding.stop()
    await sending.finish()
    const handled = (await own.figure('mqtt_messages_total', '{kind="data"}')) - sending.ackedCount()
    const counts = await tally(sending, byApi(own.door))
    const sent = sending.senders.reduce((n, s) => n + s.sent(), 0)
    await sending.stop()

    const rows = await events()
    const note = `others wait ${Math.round(busy)} ms (p99), ${Math.round(calm)} ms before; ${handled} of ${flooding.offered()} messages taken`
    enter(task, { fault: 'a gateway floods', rounds: 1, ...counts, note })
    expect(flawless(counts)).toEqual(perfect)
    expect(rows).toEqual([{ GatewayId: flooder!.gateway, Type: 11, Level: 2 }])
    expect(await own.figure('mqtt_refused_total', '{reason="limited"}')).toBeGreaterThan(0)
    expect(handled).toBeLessThan(allowed * 1.1)
    expect(busyCount / sent).toBeGreaterThan(0.3)
  },
)

test(
  'forty gateways flood and do not read: what waits is bounded, and those who send little get all of it acknowledged',
  inTime(2),
  async ({ task }) => {
    const sources = await makePlant(own.door, 44, 2, 'DEAFER')
    const sending = startSenders(sources.slice(0, 4), { port: own.process.mqttPort, messagesPerSecond: 5 })
    await until('the first acknowledgements', () => sending.ackedCount() > 4)
    const handled = await own.figure('mqtt_messages_total', '{kind="data"}')
    const takenOf = async () => (await own.figure('mqtt_messages_total', '{kind="data"}')) - handled
    const flooding = sources.slice(4).map((source) => flood(own.process.mqttPort, source, true))
    await until('the flood to arrive', async () => (await takenOf()) > 1000, 60_000)
    const from = performance.now()
    const most = { up: 0, down: 0 }
    for (const until = from + rounds(8000, 60_000); performance.now() < until; await pause(200))
      for (const way of ['up', 'down'] as const) most[way] = Math.max(most[way], await own.figure('mqtt_waiting_bytes', `{way="${way}"}`))
    const busy = p99(sending.latencies, from, performance.now())
    const taken = await takenOf()
    for (const { stop } of flooding) stop()
    await sending.finish()
    const counts = await tally(sending, byApi(own.door))
    await sending.stop()
    const note = `40 flood with ${taken} messages; others wait ${Math.round(busy)} ms (p99); ${most.up} and ${most.down} bytes wait at most`
    enter(task, { fault: 'forty gateways flood and do not read', rounds: 1, ...counts, note })
    expect(flawless(counts)).toEqual(perfect)
    expect(most.up).toBeLessThan(48 * 1024 * 1024)
    expect(most.down).toBeLessThan(40 * 2 * 64 * 1024)
    expect(await own.figure('mqtt_refused_total', '{reason="handler"}')).toBe(0)
  },
)
