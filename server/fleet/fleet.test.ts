// Both ends of a fleet with real NATS servers and real MQTT clients.
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasNats, startNats } from '../../main/testing/nats.ts'
import { broker, gateway, keys, one, owner, reset, sender, two } from './harness.ts'

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe.skipIf(!hasNats)('a fleet (skipped without nats-server)', () => {
  let nats: Awaited<ReturnType<typeof startNats>>
  const closers: (() => unknown)[] = []
  const opened = <T>(thing: T, close: (thing: T) => unknown) => {
    closers.push(() => close(thing))
    return thing
  }
  const openBroker = async (url = nats.url) => opened(await broker(url), (b) => b.close())
  const openOwner = async (epoch: number, handle?: Parameters<typeof owner>[2]) =>
    opened(await owner(nats.url, epoch, handle), ({ uplink }) => uplink.close())
  const join = async (...args: Parameters<typeof gateway>) => opened(await gateway(...args), ({ client }) => client.endAsync(true))
  beforeEach(async () => {
    keys.set(one, 'first key')
    nats = await startNats()
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
    await nats.remove()
  })

  test('a message is acknowledged once the owner has taken it, and its acknowledgement comes along', async () => {
    const stored = Promise.withResolvers<void>()
    const { uplink, taken } = await openOwner(1, () => stored.promise)
    const { port, counters } = await openBroker()
    const pump = await join(port(), one)
    const sent = pump.send('a')
    await pause(700)
    expect([pump.acknowledged, pump.heard]).toEqual([[], []])
    stored.resolve()
    await sent
    // Sent twice, stored once.
    expect(taken).toEqual([`${one} data a`])
    await vi.waitFor(() => expect(pump.heard).toEqual(['ack {"MsgId":"a"}']))
    expect(counters()).toMatchObject({ connected: 1, messages: { data: 1 } })
    await vi.waitFor(() => expect(uplink.counters).toMatchObject({ connected: 1, messages: { data: 1 } }))
    expect(uplink.ready()).toBe(true)
  })

  test('a message that the owner cannot keep is not acknowledged: the gateway is disconnected, and sends it again', async () => {
    await openOwner(1, () => Promise.reject(new Error('full')))
    const { port } = await openBroker()
    const pump = await join(port(), one)
    pump.send('a').catch(() => undefined)
    await pump.closed
    expect(pump.acknowledged).toEqual([])
  })

  test('keys are checked by the owner; refusals reach it; without an owner a login waits, and is told to come back', async () => {
    const { port } = await openBroker()
    await expect(gateway(port(), one)).rejects.toThrow(/Server unavailable/i)
    const late = join(port(), one)
    const { refused } = await openOwner(1)
    await late
    await expect(gateway(port(), two, { password: 'wrong' })).rejects.toThrow(/Bad username or password/)
    await vi.waitFor(() => expect(refused).toEqual(['badCredentials']))
  })

  test('what the owner sends goes to the process that the gateway is connected to, or fails at once', async () => {
    const { uplink } = await openOwner(1)
    const [first, second] = [await openBroker(), await openBroker()]
    const [left, right] = [await join(first.port(), one), await join(second.port(), two)]
    await vi.waitFor(() => expect([one, two].map((sn) => uplink.hears(sn, 'write'))).toEqual([true, true]))
    await uplink.publish(one, 'write', { Value: 1 })
    await uplink.publish(two, 'write', { Value: 2 })
    await vi.waitFor(() => expect([left.heard, right.heard]).toEqual([['write {"Value":1}'], ['write {"Value":2}']]))
    expect([uplink.isPrivate!(one), uplink.isPrivate!('PUMPHOUSE3')]).toEqual([true, false])
    await left.client.unsubscribeAsync(`iot/v1/${one}/down/+`)
    await vi.waitFor(() => expect(uplink.hears(one, 'write')).toBe(false))
    await expect(uplink.publish(one, 'write', {})).rejects.toThrow(/not connected, or does not listen/)
    // A key that is reset is worth nothing, also where it was right a moment ago.
    keys.set(one, 'another key')
    await uplink.disconnect(one)
    await left.closed
    await expect(gateway(first.port(), one, { password: 'first key' })).rejects.toThrow()
  })

  test('while no owner is there messages wait; the next one takes them, in their order', async () => {
    const before = await openOwner(1)
    const { port, probes, hasOwner } = await openBroker()
    const pump = await join(port(), one)
    await pump.send('a')
    await before.uplink.close()
    const waiting = ['b', 'c', 'd'].map((text) => pump.send(text))
    await pause(300)
    expect([hasOwner(), await probes[0]!.ready()]).toEqual([false, true])
    expect(pump.acknowledged).toEqual(['a'])
    const after = await openOwner(2)
    await Promise.all(waiting)
    expect(after.taken).toEqual(['b', 'c', 'd'].map((text) => `${one} data ${text}`))
    // It knows the gateways that stayed connected.
    await vi.waitFor(() => expect(after.uplink.hears(one, 'write')).toBe(true))
    expect(hasOwner()).toBe(true)
  })

  test('a gateway whose key was reset while no owner was there is disconnected by the next one; others stay', async () => {
    const before = await openOwner(1)
    const { port } = await openBroker()
    const [pump, mixer] = [await join(port(), one), await join(port(), two)]
    await before.uplink.close()
    keys.set(one, 'a new key')
    try {
      const after = await openOwner(2)
      await pump.closed
      await expect(gateway(port(), one, { password: 'first key' })).rejects.toThrow()
      const again = await join(port(), one)
      await pause(600)
      expect([again.client.connected, mixer.client.connected]).toEqual([true, true])
      expect([after.uplink.hears(one, 'write'), after.uplink.hears(two, 'write')]).toEqual([true, true])
    } finally {
      keys.set(one, 'first key')
    }
  })

  test('a sender whose token was reset while no owner was there is disconnected by the next one; others stay', async () => {
    const before = await openOwner(1)
    const { port } = await openBroker()
    const [meter, valve] = [await sender(port(), 'METER1'), await sender(port(), 'VALVE1')]
    await before.uplink.close()
    reset.add('METER1')
    try {
      const after = await openOwner(2)
      await meter.closed
      await valve.client.publishAsync('v1/devices/me/telemetry', '1', { qos: 1 })
      expect(after.taken).toEqual([expect.stringContaining('VALVE1')])
      await valve.client.endAsync(true)
    } finally {
      reset.delete('METER1')
    }
  })

  test('of two owners the later one gets everything', async () => {
    const late = await openOwner(2)
    const early = await openOwner(1)
    const { port } = await openBroker()
    const pump = await join(port(), one)
    await pause(1200)
    await pump.send('a')
    expect([late.taken.length, early.taken.length]).toEqual([1, 0])
  })

  test('a gateway that connects elsewhere is disconnected where it was, and stays online', async () => {
    const { uplink, taken } = await openOwner(1)
    const [first, second] = [await openBroker(), await openBroker()]
    const will = { topic: `iot/v1/${one}/up/state`, payload: Buffer.from('gone'), qos: 1 as const, retain: false }
    const was = await join(first.port(), one, { will })
    await vi.waitFor(() => expect(uplink.hears(one, 'write')).toBe(true))
    const is = await join(second.port(), one)
    await was.closed
    await is.send('a')
    await uplink.publish(one, 'write', {})
    await vi.waitFor(() => expect(is.heard).toContain('write {}'))
    await pause(300)
    expect(taken).toEqual([`${one} data a`])
  })

  test('a process that was cut off from NATS disconnects its gateways, and lets them in again', async () => {
    const { taken } = await openOwner(1)
    // A line that can be cut between this process and NATS.
    const sockets = new Set<Socket>()
    let isCut = false
    const line = createServer((near) => {
      if (isCut) return near.destroy()
      const far = connect(nats.ports[0]!, '127.0.0.1')
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from)
        from.on('error', () => undefined)
        from.on('close', () => to.destroy())
        from.pipe(to)
      }
    })
    await new Promise<void>((done) => line.listen(0, '127.0.0.1', done))
    opened(line, (l) => l.close())
    const { port } = await openBroker(`nats://penstock:secret@127.0.0.1:${(line.address() as { port: number }).port}`)
    const pump = await join(port(), one)
    await pump.send('a')
    isCut = true
    for (const socket of sockets) socket.destroy()
    pump.send('b').catch(() => undefined)
    await pump.closed
    expect(pump.acknowledged).toEqual(['a'])
    isCut = false
    const again = await vi.waitFor(() => join(port(), one), 10_000)
    await again.send('b')
    expect(taken).toEqual([`${one} data a`, `${one} data b`])
  })
})

describe.skipIf(!hasNats)('a cluster of three NATS servers (skipped without nats-server)', () => {
  test('a server that is killed delays acknowledgements, and nothing is lost', async () => {
    const nats = await startNats(3)
    const { uplink, taken } = await owner(nats.url, 1)
    const process = await broker(nats.url)
    const pump = await gateway(process.port(), one)
    const sent: Promise<void>[] = []
    for (let i = 0; i < 300; i++) {
      sent.push(pump.send(`${i}`))
      if (i === 100 || i === 200) await nats.kill(i / 100 - 1)
      await pause(5)
    }
    await Promise.all(sent)
    expect(new Set(taken).size).toBe(300)
    await pump.client.endAsync(true)
    await process.close()
    await uplink.close()
    await nats.remove()
  })

  test('servers that take only small messages are refused by name', async () => {
    const nats = await startNats(1, 'max_payload: 65536\n')
    await expect(broker(nats.url)).rejects.toThrow(/take messages of 65536 bytes/)
    await nats.remove()
  })

  test('a wrong password is refused by name', async () => {
    const nats = await startNats()
    await expect(broker(nats.url.replace('secret', 'wrong'))).rejects.toThrow(/NATS_URL do not let us in/)
    await nats.remove()
  })
})
