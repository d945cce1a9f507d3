// Gateways that send readings and do not read their subscriptions: raw TCP, acknowledged beside the broker.
import type { Socket } from 'node:net'
import mqttPacket from 'mqtt-packet'
import { expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { broker, keys, loginPacket, on, publishPacket, refused, start, subscribePacket, useBroker, wire } from './harness.ts'

useBroker()

/** Acknowledgements long enough to fill the kernel's buffers soon. */
const longAck = 'x'.repeat(4000)
const sns = Array.from({ length: 3 }, (_, i) => `DEAFGATEWAY${i}`)
const limits = { messagesPerSecond: 1e6, burst: 1e6, unsentPauseBytes: 64 * 1024, unsentBytes: 4 * 1024 * 1024 }

const acknowledge = async (sn: string) => {
  await broker.publish(sn, 'ack', { MsgId: longAck })
}
const open = async (sn: string) => {
  keys.set(sn, 'its key')
  const socket = await wire()
  const answers = await new Promise<Buffer>((done) => {
    const parts: Buffer[] = []
    const hear = (part: Buffer) => {
      parts.push(part)
      if (Buffer.concat(parts).length < 9) return
      socket.off('data', hear)
      done(Buffer.concat(parts))
    }
    socket.on('data', hear)
    socket.write(Buffer.concat([loginPacket(sn), subscribePacket(sn)]))
  })
  expect(answers.toString('hex')).toBe('20020000' + '9003000101')
  return socket
}
/** Sends so many readings as fast as the wire takes them. */
const flood = (socket: Socket, sn: string, count: number) => {
  const send = (from: number) => {
    for (let i = from; i < count; i++)
      if (!socket.write(publishPacket(topic(sn, 'up', 'data'), 'reading', i + 1))) return void socket.once('drain', () => send(i + 1))
  }
  send(0)
}
const mostUnsent = () => Math.max(...broker.memory!().unsent)

test('what they do not read is bounded: they are read no further, and cut when they take nothing for a while', async () => {
  await start({ ...limits, unsentTimeoutMs: 1000 })
  on.message = acknowledge
  for (const sn of sns) {
    const socket = await open(sn)
    socket.pause()
    flood(socket, sn, 60_000)
  }
  let most = 0
  await vi.waitFor(
    () => {
      most = Math.max(most, ...broker.memory!().unsent)
      expect(broker.memory!().unsent).toEqual([])
    },
    { timeout: 240_000, interval: 5 },
  )
  // What may be in flight when reading stops is acknowledged as well.
  expect(most).toBeGreaterThan(limits.unsentPauseBytes)
  expect(most).toBeLessThan(limits.unsentPauseBytes + 257 * 2 * longAck.length)
  expect(broker.counters.refused).toEqual({ slowReader: sns.length })
  expect(refused.map(({ reason, sn, detail }) => [reason, sn, /took none of \d+ bytes/.test(detail)]).sort()).toEqual(
    sns.map((sn) => ['slowReader', sn, true]),
  )
  expect(broker.memory!().inFlight).toBe(0)
})

test('one that reads slowly is slowed down, is not cut, and gets everything once it reads again', async () => {
  await start({ ...limits, unsentTimeoutMs: 1500 })
  on.message = acknowledge
  const [sn] = sns
  const socket = await open(sn!)
  const sent = 5000
  const parser = mqttPacket.parser()
  const heard = { puback: [] as number[], ack: 0 }
  parser.on('packet', (packet) => {
    if (packet.cmd === 'puback') heard.puback.push(packet.messageId!)
    if (packet.cmd === 'publish') heard.ack++
  })
  socket.on('data', (chunk) => parser.parse(chunk))
  socket.pause()
  flood(socket, sn!, sent)
  await vi.waitFor(() => expect(mostUnsent()).toBeGreaterThan(limits.unsentPauseBytes), { timeout: 60_000 })
  // A sip every now and then, for longer than the time-out.
  for (let i = 0; i < 4; i++) {
    await new Promise((done) => setTimeout(done, 600))
    socket.resume()
    await new Promise((done) => socket.once('data', done))
    await new Promise((done) => setTimeout(done, 5))
    socket.pause()
  }
  expect(mostUnsent()).toBeGreaterThan(0)
  socket.resume()
  await vi.waitFor(() => expect(heard).toEqual({ puback: Array.from({ length: sent }, (_, i) => i + 1), ack: sent }), { timeout: 60_000 })
  expect(broker.counters.refused).toEqual({})
})

test('a gateway has so many subscriptions and no more', async () => {
  await start({ subscriptions: 3 })
  const sn = sns[0]!
  const socket = await open(sn)
  const answers: Buffer[] = []
  socket.on('data', (part) => answers.push(part))
  const subscriptions = ['ack', 'write', 'read'].map((kind) => ({ topic: topic(sn, 'down', kind), qos: 1 }))
  socket.write(mqttPacket.generate({ cmd: 'subscribe', messageId: 2, qos: 1, dup: false, retain: false, subscriptions } as never))
  await vi.waitFor(() => expect(Buffer.concat(answers).toString('hex')).toBe('90050002' + '010180'))
  expect(broker.counters.refused).toEqual({ foreignSubscribe: 1 })
})
