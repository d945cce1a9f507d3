import mqtt from 'mqtt'
import { expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { hasMosquitto, startMosquitto } from '../../main/testing/mosquitto.ts'
import { startExternal } from './external.ts'
import type { RefusalEvent } from './uplink.ts'

const sn = 'PUMPHOUSE1'

test.skipIf(!hasMosquitto)('after the broker was away the server hears its gateways again (skipped without mosquitto)', async () => {
  const broker = await startMosquitto({ [sn]: 'key', penstock: 'server' }, 'penstock')
  const received: string[] = []
  const uplink = await startExternal({
    url: `mqtt://penstock:server@127.0.0.1:${broker.port}`,
    clientId: 'penstock',
    onMessage: async (from, kind, payload) => void received.push(`${from} ${kind} ${payload}`),
  })
  try {
    await broker.stop()
    await vi.waitFor(() => expect(uplink.counters.connected).toBe(0), 5000)
    await expect(uplink.publish(sn, 'ack', {})).rejects.toThrow(/cannot be reached/)
    await broker.restart()
    await vi.waitFor(() => expect(uplink.counters.connected).toBe(1), 10_000)
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
      clientId: sn,
      username: sn,
      password: 'key',
      reconnectPeriod: 0,
    })
    await vi.waitFor(async () => {
      await client.publishAsync(topic(sn, 'up', 'event'), 'back', { qos: 1 })
      expect(received).toContain(`${sn} event back`)
    }, 5000)
    await client.publishAsync(topic(sn, 'up', 'nonsense'), 'x', { qos: 1 })
    await vi.waitFor(() => expect(uplink.counters.refused.unknownKind).toBe(1))
    await client.endAsync(true)
  } finally {
    await uplink.close()
    await broker.remove()
  }
})

test.skipIf(!hasMosquitto)('a broker that refuses us is a clear error at the start (skipped without mosquitto)', async () => {
  const broker = await startMosquitto({ penstock: 'server' }, 'penstock')
  const url = `mqtt://penstock:wrong@127.0.0.1:${broker.port}`
  await expect(startExternal({ url, clientId: 'penstock', onMessage: async () => undefined })).rejects.toThrow(
    /The MQTT broker does not let us in: .*Not authorized/,
  )
  await broker.remove()
})

test('a broker that is not there at the start is joined when it comes', async () => {
  const refused: RefusalEvent[] = []
  const start = (url: string) =>
    startExternal({ url, clientId: 'penstock', onMessage: async () => undefined, refused: (event) => refused.push(event) })
  const alone = await start('mqtt://127.0.0.1:1')
  expect(alone.ready()).toBe(false)
  await expect(alone.publish(sn, 'ack', {})).rejects.toThrow(/cannot be reached/)
  await vi.waitFor(() => expect(refused[0]).toMatchObject({ reason: 'brokerAway' }), 5000)
  await alone.close()
  if (!hasMosquitto) return
  const broker = await startMosquitto({ penstock: 'server' }, 'penstock')
  await broker.stop()
  const uplink = await start(`mqtt://penstock:server@127.0.0.1:${broker.port}`)
  expect(uplink.ready()).toBe(false)
  await broker.restart()
  await vi.waitFor(() => expect(uplink.ready()).toBe(true), 10_000)
  await uplink.close()
  await broker.remove()
})
