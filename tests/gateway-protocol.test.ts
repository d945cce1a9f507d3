// docs/gateway-protocol.md is a promise to other people's engineers: each row of its tables is tried, with a client that is not ours.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultCodes } from '../areas/configuration/gateways/contract.ts'
import { readSettings } from '../main/settings.ts'
import { standardLimits } from '../server/mqtt/limits.ts'
import { tables } from './gateway-protocol-page.ts'
import {
  begin,
  card,
  controlPackets,
  down,
  end,
  event,
  events,
  gateway,
  house,
  largeMessages,
  lineTry,
  main,
  message,
  netTest,
  noReplied,
  oneAddress,
  online,
  other,
  points,
  protocolWords,
  quality,
  raw,
  reading,
  refusal,
  refusedWith,
  rejected,
  result,
  slowConnected,
  smallMessages,
  statesTry,
  stored,
  third,
  topic,
  up,
  wrongKeys,
} from './gateway-tries.ts'
import { until } from './house.ts'
import { openRawGateway } from './raw-gateway.ts'

const limit = (wanted: Partial<typeof standardLimits>) => async () => expect(standardLimits).toMatchObject(wanted)
const mib = 1024 * 1024

const tries: Record<string, Record<string, () => Promise<unknown>>> = {
  Connect: {
    Server: async () => {
      const shown = await house.data<{ Port: number }>('POST', '/Project/Gateway/ResetKey', { Id: third!.gateway })
      expect([shown.Port, readSettings({}).mqttPort]).toEqual([house.mqttPort, 8421])
      third!.Key = (shown as unknown as { Key: string }).Key
    },
    Protocol: async () => {
      const old = await gateway(other!, { protocolId: 'MQIsdp', protocolVersion: 3 })
      expect((await old.connack()).returnCode).toBe(0)
      await old.say('event', message({ Type: 1, Level: 0, Text: 'by MQTT 3.1' }))
      await refusedWith(1, other!, { protocolVersion: 5 })
    },
    'Client id': async () => {
      for (const clientId of ['lowercase1', other!.SN, `${main.SN}X`]) await refusedWith(2, main, { clientId })
    },
    User: () => refusedWith(4, main, { username: 'nobody' }),
    Password: async () => {
      const before = await gateway(third!)
      expect((await before.connack()).returnCode).toBe(0)
      const { Key } = await house.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: third!.gateway })
      await before.closed()
      await refusedWith(4, third!)
      third!.Key = Key
      expect((await (await gateway(third!)).connack()).returnCode).toBe(0)
    },
    Session: async () => {
      const first = await gateway(other!, { clean: false })
      await first.connack()
      await first.subscribe(topic('+', 'down', other!))
      first.close()
      await until('the end of it', async () => (await netTest(other!)).Code === 2)
      const again = await gateway(other!, { clean: false })
      expect(await again.connack()).toMatchObject({ returnCode: 0, sessionPresent: false })
      expect((await netTest(other!)).Code).toBe(2)
      expect(again.heard).toEqual([])
    },
    Will: async () => {
      const payload = Buffer.from(JSON.stringify(message({ Online: 0 })))
      const will = { topic: topic('state', 'up', other!), payload, qos: 1, retain: true }
      const made = await gateway(other!, { will })
      await made.connack()
      await made.say('state', message({ Online: 1 }), { retain: true })
      await until('it to be online', async () => (await online(other!)) === 1)
      made.close()
      await until('it to be offline', async () => (await online(other!)) === 0)
    },
    'Keep alive': async () => {
      const silent = await gateway(third!, { keepalive: 1 })
      await silent.connack()
      await silent.closed()
    },
  },
  'Connect: CONNACK': {
    1: () => refusedWith(1, other!, { protocolVersion: 5 }),
    2: () => refusedWith(2, main, { clientId: other!.SN }),
    3: wrongKeys,
    4: () => refusedWith(4, { ...main, Key: 'wrong' }),
    5: () => refusedWith(5, main, { will: { topic: topic('data'), payload: Buffer.from('x'), qos: 1, retain: false } }),
  },
  'Topics: up': {
    state: up('state', true),
    heartbeat: up('heartbeat'),
    data: up('data'),
    history: up('history'),
    event: up('event'),
    timesync: up('timesync'),
    trace: up('trace'),
    reply: up('reply'),
  },
  'Topics: down': {
    ack: down('ack', () => reading(1), {}),
    config: down('config', () => house.push(main.gateway), { Data: { ConfigVersion: 1, Part: 1, Parts: 1 } }),
    write: down('write', () => house.data('POST', '/Project/DevPara/Write', { ParaId: points[0], Value: 1 }), { Data: { CheckBack: 1 } }),
    read: down('read', () => house.data('POST', '/Project/DevPara/Read', { ParaIds: [points[0]] }), {
      Data: { ParaIds: [expect.any(Number)] },
    }),
    timesync: async () => {
      const T1 = Date.now() - 50
      const asked = message({ T1 })
      const times = { T1, T2: expect.any(Number), T3: expect.any(Number) }
      await down('timesync', () => raw.say('timesync', asked), { MsgId: asked.MsgId, Data: times })()
      const order = () => house.data('POST', '/Project/Gateway/TimeSync', { Id: main.gateway })
      await down('timesync', order, { Data: { Ts: expect.any(Number) } })()
    },
    nettest: down('nettest', () => netTest(), { Data: { Ip: '10.0.0.1', Port: 502 } }),
    browse: lineTry('browse', { Below: 'a' }),
    trace: lineTry('trace', { Seconds: 5 }),
    trust: lineTry('trust', { Thumbprint: 'AB'.repeat(20) }),
    channels: statesTry,
  },
  'Messages: field': {
    MsgId: async () => {
      for (const MsgId of ['', 'x'.repeat(65)]) await raw.say('event', message({ Type: 1, Level: 0, Text: 'nameless' }, MsgId))
      await until('two refusals', async () => (await rejected()).filter(({ payload }) => payload.includes('nameless')).length === 2)
      // Readings under one that came before are stored; an event is kept once.
      const [first, second] = [await reading(1.5, undefined, main.device, 'again'), await reading(2.5, undefined, main.device, 'again')]
      expect([await stored(first), await stored(second)]).toEqual([[1.5], [2.5]])
      for (let i = 0; i < 2; i++) await raw.say('event', message({ Type: 1, Level: 0, Text: 'twice' }, 'x'.repeat(64)))
      await until('both to be acknowledged', () => raw.heard.filter((h) => h.message.MsgId === 'x'.repeat(64)).length === 2)
      expect((await events()).filter(({ Text }) => Text === 'twice')).toHaveLength(1)
    },
    Ts: async () => {
      await raw.say('event', { MsgId: 'no-ts', Data: { Type: 1, Level: 0, Text: '' } })
      await raw.acked('no-ts')
      await refusal('Ts')
    },
    Ver: async () => {
      await raw.say('event', { ...message({ Type: 1, Level: 0, Text: 'with Ver' }), Ver: 1 })
      await until('it', async () => (await events()).some(({ Text }) => Text === 'with Ver'))
    },
    Data: async () => {
      await raw.say('data', { MsgId: 'no-data', Ts: 1 })
      await raw.acked('no-data')
      for (const kind of ['data', 'history', 'event']) {
        await raw.say(kind, { ...message({ Items: [], Backfill: 1, Type: 1, Level: 0, Text: '' }, `strange-${kind}`), Strange: 1 })
        await raw.acked(`strange-${kind}`)
      }
      await until('three refusals', async () => (await rejected()).filter(({ detail }) => detail.includes('Strange')).length === 3)
    },
  },
  'config: ProtocolType': protocolWords,
  'data: quality': {
    0: async () => {
      await quality(0, 4.5, undefined)
      // The point alone says where a value belongs.
      expect(await stored(await reading(5.5, undefined, main.device + 1000))).toEqual([5.5])
      expect(await stored(await reading(5.5, undefined, 'none'))).toEqual([])
    },
    1: () => quality(1, 4.5, undefined),
    2: () => quality(2, null, null),
    3: () => quality(3, null, null),
    4: async () => {
      await quality(4, null, null)
      await quality(5, undefined, undefined)
      expect(await stored(await reading(6.5, { 999999: 2 }))).toEqual([6.5])
      await refusal('Q without V')
    },
  },
  'event: type': {
    ...Object.fromEntries(Array.from({ length: 15 }, (_, i) => [i + 1, event(i + 1)])),
    20: card,
    '16 to 19': async () => {
      for (const type of [16, 19]) await event(type)()
      for (const Type of [0, 21]) {
        await raw.say('event', message({ Type, Level: 0, Text: 'no such type' }, `type-${Type}`))
        await raw.acked(`type-${Type}`)
      }
      expect((await events()).filter(({ Text }) => Text === 'no such type')).toEqual([])
    },
  },
  'Commands: code': {
    ...Object.fromEntries(resultCodes.map((code) => [code, result(code)])),
    2: async () => {
      const { Code, ms } = await noReplied!
      expect(Code).toBe(2)
      expect(ms).toBeGreaterThan(9000)
    },
    999: async () => expect(await house.push(third!.gateway)).toMatchObject({ Code: 999 }),
  },
  Limits: {
    Message: async () => {
      const text = (bytes: number) => {
        const empty = JSON.stringify(message({ Items: [] }, 'long'))
        return empty + ' '.repeat(bytes - empty.length)
      }
      const made = await gateway(other!)
      await made.connack()
      await made.puback(made.publish(topic('data', 'up', other!), text(262_144)))
      made.publish(topic('data', 'up', other!), text(262_145))
      await made.closed()
      expect(await rejected(other!)).toMatchObject([{ reason: 'tooLarge' }])
    },
    'state, event, timesync': smallMessages,
    'heartbeat, reply, trace': largeMessages,
    CONNECT: async () => {
      const login = { SN: other!.SN, Key: 'k'.repeat(16 * 1024) }
      const long = await openRawGateway(house.mqttPort, login)
      await long.closed()
      expect(long.of('connack')).toEqual([])
      expect(await slowConnected!).toBeGreaterThan(9500)
    },
    // tests/faults/flood.test.ts floods, and sees event 11.
    Messages: limit({ messagesPerSecond: 2500, burst: 10_000 }),
    Bytes: limit({ bytesPerSecond: 16 * mib }),
    Readings: limit({ readingsPerSecond: 1_000_000 }),
    'Messages of all gateways of an enterprise': async () =>
      expect([standardLimits.ofTenant, standardLimits.guaranteed]).toMatchObject([
        { messagesPerSecond: 50_000, burst: 200_000 },
        { messagesPerSecond: 25 },
      ]),
    'Bytes of all gateways of an enterprise': async () => expect(standardLimits.ofTenant.bytesPerSecond).toBe(64 * mib),
    'Readings of all gateways of an enterprise': async () => expect(standardLimits.ofTenant.readingsPerSecond).toBe(4_000_000),
    ...controlPackets,
    'Messages without PUBACK': limit({ inFlight: 256, inFlightBytes: mib }),
    'Sent and not read by the gateway': limit({ unsentPauseBytes: 64 * 1024 }),
    'Sent and not read by the gateway, in all': limit({ unsentBytes: 4 * mib, unsentTimeoutMs: 60_000 }),
    Subscriptions: async () => {
      const made = await gateway(third!)
      await made.connack()
      const kinds = Array.from({ length: 33 }, (_, i) =>
        topic(`kind${String.fromCharCode(97 + (i % 26))}${i < 26 ? '' : 'x'}`, 'down', third!),
      )
      expect(await made.subscribe(...kinds)).toEqual([...Array(32).fill(1), 128])
      expect(await made.subscribe(topic('ack', 'down', other!))).toEqual([128])
    },
    'Connections of one address': oneAddress,
    'Wrong keys of one address': wrongKeys,
    'Events kept': async () => {
      const { keptEvents } = await import('../areas/configuration/gateways/server/messages.ts')
      expect(keptEvents).toBe(10_000)
    },
  },
}

beforeAll(begin)
afterAll(end)

test('every row of the tables has a try, and every try a row', () => {
  const rows = Object.fromEntries(Object.entries(tables()).map(([name, cells]) => [name, cells.toSorted()]))
  const tried = Object.fromEntries(Object.entries(tries).map(([name, of]) => [name, Object.keys(of).toSorted()]))
  expect(tried).toEqual(rows)
})

for (const [table, rows] of Object.entries(tries))
  test.each(Object.entries(rows))(`${table} | %s`, async (_, attempt) => void (await attempt()))

test('a publish to any other topic, and a retained message that is no state, close the connection', async () => {
  for (const [name, retain] of [
    [topic('data'), false],
    [topic('unknown', 'up', other!), false],
    [topic('data', 'up', other!), true],
  ] as const) {
    const made = await gateway(other!)
    await made.connack()
    made.publish(name, JSON.stringify(message({ Items: [] })), { retain })
    await made.closed()
  }
})

test('after DISCONNECT without `Online` 0 a gateway counts as online; the will is not sent', async () => {
  const will = { topic: topic('state', 'up', third!), payload: Buffer.from(JSON.stringify(message({ Online: 0 }))), qos: 1, retain: true }
  const made = await gateway(third!, { will })
  await made.connack()
  await made.say('state', message({ Online: 1 }))
  await until('it to be online', async () => (await online(third!)) === 1)
  made.send({ cmd: 'disconnect' })
  await made.closed()
  await new Promise((done) => setTimeout(done, 1200))
  expect(await online(third!)).toBe(1)
})
