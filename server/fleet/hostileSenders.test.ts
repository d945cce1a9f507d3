// What a foreign sender at a gateway process can do to the gateways of others there.
import { once } from 'node:events'
import { connect } from 'node:net'
import { generate } from 'mqtt-packet'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasNats, startNats } from '../../main/testing/nats.ts'
import { broker, gateway, one, owner, sender, two } from './harness.ts'

describe.skipIf(!hasNats)('a hostile sender at a gateway process (skipped without nats-server)', () => {
  let nats: Awaited<ReturnType<typeof startNats>>
  const closers: (() => unknown)[] = []
  beforeEach(async () => {
    nats = await startNats()
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
    await nats.remove()
  })
  const opened = async (limits?: Parameters<typeof broker>[1]) => {
    const { uplink, taken } = await owner(nats.url, 1)
    const process = await broker(nats.url, limits)
    closers.push(
      () => uplink.close(),
      () => process.close(),
    )
    return { uplink, taken, process }
  }
  const joined = async (port: number, sn: string) => {
    const made = await gateway(port, sn)
    closers.push(() => made.client.endAsync(true))
    return made
  }

  test('filters that are too long for one message of NATS are refused; gateways beside it can be reached', async () => {
    // Sent slowly, they stay below the rates.
    const much = { perSecond: 1e6, burst: 1e6 }
    const { uplink, process } = await opened({ control: { own: much, ofTenant: much, guaranteed: much, patienceMs: 5000 } })
    const foreign = await sender(process.port(), 'STRANGER1')
    closers.push(() => foreign.client.endAsync(true))
    for (let i = 0; i < 32; i++) await foreign.client.subscribeAsync(`${i}/${'\u0001'.repeat(16_000)}`).catch(() => undefined)
    const pump = await joined(process.port(), one)
    await vi.waitFor(() => expect(uplink.hears(one, 'write')).toBe(true))
    await uplink.publish(one, 'write', { Value: 1 })
    await vi.waitFor(() => expect(pump.heard).toEqual(['write {"Value":1}']))
    expect(process.counters().refused).toEqual({ foreignSubscribe: 32 })
  })

  test('a message that grows beyond what NATS takes closes its connection, and holds up nobody', async () => {
    const { taken, process } = await opened()
    const socket = connect(process.port(), '127.0.0.1').on('error', () => undefined)
    const gone = new Promise<void>((done) => socket.once('close', () => done()))
    const login = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60, clientId: 'x' } as const
    socket.write(generate({ ...login, username: 'token of STRANGER1' } as never))
    await once(socket, 'data')
    // Bytes that are no UTF-8 become three each.
    const most = 1024 * 1024 - 4096
    const topic = Buffer.alloc(16_000, 0x80)
    const packet = Buffer.from(
      generate({
        cmd: 'publish',
        topic: 'y'.repeat(topic.length),
        payload: Buffer.alloc(most - topic.length),
        qos: 1,
        messageId: 1,
        dup: false,
        retain: false,
      } as never),
    )
    topic.copy(packet, packet.indexOf('yyyy'))
    socket.write(packet)
    await gone
    expect(process.waiting()).toEqual({ bytes: 0, queued: 0 })
    const pump = await joined(process.port(), two)
    await pump.send('a')
    expect(taken).toEqual([`${two} data a`])
  })

  test('foreign senders share the rate of their tenant', async () => {
    const ofTenant = { messagesPerSecond: 1, burst: 5, bytesPerSecond: 1e9, readingsPerSecond: 1e9 }
    const guaranteed = { messagesPerSecond: 1, burst: 5, bytesPerSecond: 1e9, readingsPerSecond: 1e9 }
    const { process } = await opened({ ofTenant, guaranteed })
    const foreign = await sender(process.port(), 'STRANGER1')
    closers.push(() => foreign.client.endAsync(true))
    for (let i = 0; i < 50; i++) foreign.client.publish('a', `${i}`, { qos: 1 }, () => undefined)
    await vi.waitFor(() => expect(process.counters().refused.tenantLimited).toBeGreaterThan(0))
  })
})
