import mqtt from 'mqtt'
import { afterEach, describe, expect, test } from 'vitest'
import { certificate } from '../../main/testing/certificate.ts'
import { hasMosquitto, startMosquitto } from '../../main/testing/mosquitto.ts'
import { anywhere, heldTo, judged } from '../outbound.ts'
import { Channel } from '../poll/channel.ts'
import { readSettings } from '../settings.ts'
import { startBroker } from '../testing/mqtt-broker.ts'
import { channelRow, pointRow } from '../testing/rows.ts'
import { startWebService } from '../testing/web-service.ts'
import type { DeviceRow, Frame, OpenDriver, PointRow, Reading } from './driver.ts'
import { httpSource } from './http-source/driver.ts'
import { mqttSource } from './mqtt-source/driver.ts'
import { mostBytes } from './mqtt-source/frames.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
type Opened = { type: number; settings: Record<string, string | number>; devices?: DeviceRow[]; allowed?: typeof anywhere }
const open = (openDriver: OpenDriver, { type, settings, devices = [], allowed = anywhere }: Opened) => {
  const channel = channelRow(0, { ProtocolType: type, Settings: settings })
  const driver = openDriver({ channel, devices, now: Date.now, changed: () => {}, outbound: allowed })
  closing.push(() => driver.close())
  return { channel, driver }
}
const readOf = async (driver: ReturnType<OpenDriver>, points: PointRow[]): Promise<Reading[]> => {
  await driver.connect()
  const read = new Map<PointRow, Reading>()
  for (const block of driver.plan(points)) (await driver.read(block)).forEach((reading, i) => void read.set(block.points[i]!, reading))
  return points.map((point) => read.get(point)!)
}

describe('web service', () => {
  const start = async (answers: Record<string, string>, status = 200, options = {}) => {
    const service = await startWebService(({ url }, response) => {
      const body = answers[url]
      response.writeHead(body === undefined ? 404 : status, { location: 'http://169.254.169.254/' }).end(body)
    }, options)
    closing.push(() => service.close())
    return service
  }
  const device = (Id: number, Path: string) => ({ Id, DeviceName: `d${Id}`, CommType: 0, ChannelId: 1, SlaveNumber: 1, Settings: { Path } })

  test('each device is a part of the service, values have the times beside them, and odd ones their quality', async () => {
    const measured = Date.now() - 5000
    const a = {
      at: new Date(measured).toISOString(),
      list: [{ v: '21.5 °C', at: 'never' }, { v: 1.2345678901234567e19 }],
      on: true,
      gone: null,
    }
    const service = await start({ '/a?x=1': JSON.stringify(a), '/b': '17' })
    const settings = { Url: `http://127.0.0.1:${service.port}`, TimePath: 'at', TimeUnit: 'text' }
    const { driver } = open(httpSource, { type: 110, settings, devices: [device(1, '/a?x=1'), device(2, '/b'), device(3, '/none')] })
    const places: [string, number][] = [
      ['list[0].v', 1],
      ['list[1].v', 1],
      ['on', 1],
      ['gone', 1],
      ['list[7].v', 1],
      ['$', 2],
      ['v', 3],
    ]
    const readings = await readOf(
      driver,
      places.map(([address, DeviceId], i) => pointRow(i + 1, address, { DeviceId })),
    )
    expect(readings).toEqual([
      { value: 21.5, quality: 0, time: Number.NaN },
      { value: 1.2345678901234567e19, quality: 1, time: measured },
      { value: 1, quality: 0, time: measured },
      { value: null, quality: 3 },
      { value: null, quality: 4 },
      { value: 17, quality: 0, time: Number.NaN },
      { value: null, quality: 4 },
    ])
  })

  test('a POST with headers and a token by TLS; the token is in no trace', async () => {
    const tls = await certificate()
    const service = await start({ '/q': '{"v":1,"echo":"hush-hush"}' }, 200, { tls })
    const settings = {
      Url: `https://127.0.0.1:${service.port}/q`,
      Method: 'POST',
      Body: '{"ask":1}',
      Headers: 'X-Plant: north\nAccept: text/json',
      HttpSignIn: 'bearer',
      Token: 'hush-hush',
      CaCertificate: tls.cert,
    }
    const { driver } = open(httpSource, { type: 110, settings })
    const frames: Frame[] = []
    driver.trace!((frame) => void frames.push(frame))
    expect(await readOf(driver, [pointRow(1, 'v')])).toEqual([{ value: 1, quality: 0 }])
    const [{ method, headers, body }] = service.asked as [(typeof service.asked)[0]]
    expect([method, body, headers['x-plant'], headers.accept, headers.authorization]).toEqual([
      'POST',
      '{"ask":1}',
      'north',
      'text/json',
      'Bearer hush-hush',
    ])
    expect(frames.map(({ bytes }) => bytes.toString()).join()).toMatch(/x-plant: north[\s\S]*\*{9}/)
    expect(frames.map(({ bytes, meaning }) => bytes.toString() + meaning).join()).not.toContain('hush')
    const stranger = open(httpSource, { type: 110, settings: { ...settings, CaCertificate: '' } })
    await expect(readOf(stranger.driver, [pointRow(1, 'v')])).rejects.toMatchObject({
      kind: 'silent',
      message: expect.stringMatching(/certificate/i),
    })
  })

  test('a redirect is not followed, an endless answer is cut, and a path leads to no other host', async () => {
    const service = await start({ '/away': '{}', '/long': 'x'.repeat(1024 * 1024 + 1) }, 302)
    const Url = `http://127.0.0.1:${service.port}`
    const ask = (path: string) =>
      readOf(open(httpSource, { type: 110, settings: { Url }, devices: [device(1, path)] }).driver, [pointRow(1, 'v')])
    await expect(ask('/away')).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('not followed') })
    await expect(ask('/long')).rejects.toMatchObject({ kind: 'garbled' })
    await expect(ask('@169.254.169.254/')).rejects.toMatchObject({ kind: 'address' })
    expect(service.asked.map(({ url }) => url)).toEqual(['/away', '/long'])
  })
})

describe('broker', () => {
  const settingsOf = (port: number, more = {}) => ({ Url: `mqtt://127.0.0.1:${port}`, MqttVersion: '3.1.1', ...more })
  const start = async (options: Parameters<typeof startBroker>[0] = {}) => {
    const broker = await startBroker(options)
    closing.push(() => broker.close())
    return broker
  }

  test('values have the times of their messages, a refused or silent topic spoils no other, and plain numbers are values', async () => {
    const broker = await start()
    broker.forbidden.add('secret/a')
    const T = Date.now() - 2000
    await broker.publish('plant/a', JSON.stringify({ ts: T, rows: [{ v: 4, ts: T + 1000 }, { v: 5 }] }))
    await broker.publish('plant/plain', '21.5 °C')
    const { channel } = open(mqttSource, { type: 80, settings: settingsOf(broker.port, { TimePath: 'ts', SilentAfter: 0.3 }) })
    const points = ['plant/a#rows[0].v', 'plant/a#rows[1].v', 'plant/plain', 'secret/a', 'plant/never'].map((address, i) =>
      pointRow(i + 1, address, { DeviceId: i + 1 }),
    )
    const items: { T: number; V: Record<string, number | null>; Q?: Record<string, number> }[] = []
    const running = new Channel({
      ...{ channel, points, now: Date.now, emit: (item) => void items.push(item) },
      open: (changed) => mqttSource({ channel, devices: [], now: Date.now, changed }),
      ...{ onChannel: () => {}, onDevice: () => {}, onFirst: () => {} },
    })
    closing.push(() => running.close())
    running.start()
    const first = (n: number) => items.find(({ V }) => n in V)
    await expect.poll(() => first(5), { timeout: 60_000 }).toMatchObject({ V: { 5: null }, Q: { 5: 2 } })
    expect([first(1), first(2)]).toMatchObject([
      { T: T + 1000, V: { 1: 4 } },
      { T, V: { 2: 5 } },
    ])
    expect(first(3)).toMatchObject({ V: { 3: 21.5 } })
    expect(first(4)).toMatchObject({ V: { 4: null }, Q: { 4: 3 } })
    await expect.poll(() => items.findLast(({ V }) => 1 in V)?.Q, { timeout: 60_000 }).toEqual({ 1: 2 })
    // Three timeouts: the device does not answer.
    await expect.poll(() => running.health.rows.find(({ DeviceId }) => DeviceId === 5)?.Status, { timeout: 60_000 }).toBe(2)
  })

  test('TLS with an authority of its own and a password, which no trace shows; a wrong one is a reason', async () => {
    const tls = await certificate()
    const broker = await start({ tls, password: 'hush-hush' })
    await broker.publish('a', '{"v":7}')
    const settings = {
      ...settingsOf(broker.port),
      Url: `mqtts://127.0.0.1:${broker.port}`,
      User: 'u',
      UserPassword: 'hush-hush',
      CaCertificate: tls.cert,
    }
    const { driver } = open(mqttSource, { type: 80, settings })
    const frames: Frame[] = []
    driver.trace!((frame) => void frames.push(frame))
    expect(await readOf(driver, [pointRow(1, 'a#v')])).toEqual([{ value: 7, quality: 0 }])
    expect(frames.map(({ meaning }) => meaning).join()).toMatch(/CONNECT,.*CONNACK,.*SUBSCRIBE,.*PUBLISH, \d+ bytes, topic a/)
    expect(frames.map(({ bytes }) => bytes.toString('latin1')).join()).not.toContain('hush')
    const connectWith = (change: object) => open(mqttSource, { type: 80, settings: { ...settings, ...change } }).driver.connect()
    await expect(connectWith({ UserPassword: 'wrong' })).rejects.toMatchObject({
      kind: 'down',
      message: expect.stringMatching(/not authorized/i),
    })
    await expect(connectWith({ CaCertificate: '' })).rejects.toMatchObject({ kind: 'down', message: expect.stringMatching(/certificate/i) })
  })

  test('a message that is too long ends the connection, with its reason', async () => {
    const broker = await start()
    const { driver } = open(mqttSource, { type: 80, settings: settingsOf(broker.port) })
    await broker.publish('a', `"${'x'.repeat(mostBytes)}"`)
    await expect(readOf(driver, [pointRow(1, 'a', { Timeout: 2000 })])).rejects.toMatchObject({
      kind: expect.stringMatching(/silent|down/),
    })
    expect(driver.connected).toBe(false)
  })

  test.skipIf(!hasMosquitto)('a broker of MQTT 5 (skipped without mosquitto)', async () => {
    const broker = await startMosquitto({ us: 'hush', them: 'hush' }, 'them')
    closing.push(() => broker.remove())
    const other = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { username: 'them', password: 'hush' })
    await other.publishAsync('iot/v1/us/down/a', '{"v":8}', { retain: true, qos: 1 })
    await other.endAsync()
    const { driver } = open(mqttSource, {
      type: 80,
      settings: settingsOf(broker.port, { MqttVersion: '5', User: 'us', UserPassword: 'hush' }),
    })
    expect(await readOf(driver, [pointRow(1, 'iot/v1/us/down/a#v', { Timeout: 3000 })])).toEqual([{ value: 8, quality: 0 }])
  })
})

describe('where sources may lie', () => {
  test('nobody reaches link-local addresses; on the machine of the server, nothing inside that is not named', async () => {
    expect([anywhere('10.1.2.3', 80), anywhere('127.0.0.1', 80), anywhere('169.254.169.254', 80), anywhere('fe80::1', 80)]).toEqual([
      true,
      true,
      false,
      false,
    ])
    const held = heldTo(['10.1.0.0/16', '127.0.0.1/32:8080'])
    expect([
      held('10.1.2.3', 80),
      held('127.0.0.1', 8080),
      held('127.0.0.1', 80),
      held('192.168.1.1', 80),
      held('1.1.1.1', 443),
      held('::ffff:127.0.0.1', 80),
    ]).toEqual([true, true, false, false, true, false])
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1'])
      await expect(judged(new URL(`http://${host}`).hostname, 81, held)).rejects.toMatchObject({
        kind: 'down',
        message: expect.stringContaining('may reach'),
      })
  })

  test('a gateway beside its server is held to EDGE_OUTBOUND, even to an empty one; the driver keeps to it', async () => {
    const env = { EDGE_SN: 'SOFT0001', EDGE_KEY: 'k' }
    const on = (more: Record<string, string>) => readSettings({ ...env, ...more }).outbound!('192.168.1.1', 80)
    expect([
      on({ EDGE_SERVER: 'mqtt://10.0.0.1:1' }),
      on({}),
      on({ EDGE_SERVER: 'mqtt://10.0.0.1:1', EDGE_OUTBOUND: '' }),
      on({ EDGE_OUTBOUND: '192.168.0.0/16' }),
    ]).toEqual([true, false, false, true])
    expect(() => readSettings({ ...env, EDGE_OUTBOUND: 'here' })).toThrow(/EDGE_OUTBOUND holds "here"/)
    const service = await startWebService((_asked, response) => response.end('{}'))
    closing.push(() => service.close())
    const allowed = heldTo([])
    const web = open(httpSource, { type: 110, settings: { Url: `http://127.0.0.1:${service.port}` }, allowed })
    const broker = open(mqttSource, { type: 80, settings: { Url: `mqtt://localhost:${service.port}` }, allowed })
    for (const { driver } of [web, broker])
      await expect(driver.connect()).rejects.toMatchObject({ kind: 'down', message: expect.stringContaining('may reach') })
    expect(service.connections()).toBe(0)
  })
})
