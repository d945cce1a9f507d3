import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt, { type IClientOptions } from 'mqtt'
import { expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { broker, closeAfterwards, closed, gateway, keys, loginPacket, on, one, start, useBroker, wire } from './harness.ts'

useBroker()

test('PUBACK waits until the handler is done, in the order of the messages, several at a time', async () => {
  const waiting: (() => void)[] = []
  on.message = () => new Promise<void>((done) => waiting.push(done))
  const client = await gateway(one)
  const acknowledged: number[] = []
  for (const n of [0, 1, 2]) client.publish(topic(one, 'up', 'data'), String(n), { qos: 1 }, () => acknowledged.push(n))
  await vi.waitFor(() => expect(waiting).toHaveLength(3))
  waiting[2]!()
  waiting[1]!()
  await new Promise((done) => setTimeout(done, 50))
  expect(acknowledged).toEqual([])
  waiting[0]!()
  await vi.waitFor(() => expect(acknowledged).toEqual([0, 1, 2]))
})

test('lets nobody in before it is opened, and everybody then', async () => {
  await start(undefined, undefined, false)
  expect(broker.ready()).toBe(false)
  await broker.open()
  expect(broker.ready()).toBe(true)
  expect((await gateway(one)).connected).toBe(true)
  await start(undefined, undefined, false)
  await broker.close()
})

test('when the handler fails there is no PUBACK, and the gateway sends the message again', async () => {
  const received: string[] = []
  on.message = async (_sn, _kind, payload) => {
    received.push(payload.toString())
    if (received.length === 1) throw new Error('the store is away')
  }
  const client = await gateway(one, { reconnectPeriod: 10, clean: false })
  await client.publishAsync(topic(one, 'up', 'data'), 'reading', { qos: 1 })
  expect(received).toEqual(['reading', 'reading'])
  expect(broker.counters.refused).toEqual({ handler: 1 })
})

test('a publish to a gateway that is offline or not subscribed rejects', async () => {
  await expect(broker.publish(one, 'write', {})).rejects.toThrow(/not connected/)
  const client = await gateway(one)
  await expect(broker.publish(one, 'write', {})).rejects.toThrow(/does not listen/)
  await client.subscribeAsync(topic(one, 'down', 'write'))
  await broker.publish(one, 'write', {})
  await client.unsubscribeAsync(topic(one, 'down', 'write'))
  await expect(broker.publish(one, 'write', {})).rejects.toThrow(/does not listen/)
})

test('closing the broker says nothing about the gateways on it', async () => {
  const received = vi.fn(on.message)
  on.message = received
  const client = await gateway(one, { will: { topic: topic(one, 'up', 'state'), payload: Buffer.from('gone'), qos: 1, retain: true } })
  const gone = closed(client)
  await broker.close()
  await gone
  expect(received).not.toHaveBeenCalled()
})

const certificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tls-'))
  try {
    const out = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', ...out, ...subject],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const tls = certificate()

test.skipIf(!tls)('with a certificate the port speaks TLS 1.2 or newer and nothing else (skipped without openssl)', async () => {
  await start({}, tls)
  const url = `mqtts://127.0.0.1:${broker.port}`
  const login = { clientId: one, username: one, password: keys.get(one), reconnectPeriod: 0, connectTimeout: 3000 }
  const client = await mqtt.connectAsync(url, { ...login, ca: tls!.cert })
  closeAfterwards(client)
  await client.publishAsync(topic(one, 'up', 'data'), 'x', { qos: 1 })
  await expect(mqtt.connectAsync(url, login)).rejects.toThrow(/self.signed/i)
  await expect(
    mqtt.connectAsync(url, { ...login, ca: tls!.cert, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as IClientOptions),
  ).rejects.toThrow()
  const plain = await wire()
  const gone = closed(plain)
  plain.write(loginPacket(one))
  expect(await gone).toBe('closed')
})
