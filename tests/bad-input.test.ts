// Bad input is refused with a reason that the sender can see, is counted, and affects nothing else.
import { sql } from 'kysely'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { topic } from '../contract/gateway-protocol.ts'
import { type House, startHouse, until } from './house.ts'

type Rejected = { reason: string; detail: string; payload: string; SN: string }

let house: House
let gateway: Awaited<ReturnType<House['newGateway']>>
let other: Awaited<ReturnType<House['newGateway']>>
let point: number
let foreign: number
let client: mqtt.MqttClient

const connect = (SN: string, password: string) =>
  new Promise<mqtt.MqttClient>((resolve, reject) => {
    const made = mqtt.connect(`mqtt://127.0.0.1:${house.mqttPort}`, { clientId: SN, username: SN, password, reconnectPeriod: 0 })
    made.once('connect', () => resolve(made)).once('error', reject)
  })
const send = (value: unknown, kind = 'data') =>
  client.publishAsync(topic(gateway.SN, 'up', kind), typeof value === 'string' ? value : JSON.stringify(value), { qos: 1 })
const reading = (V: object, T: number = Date.now(), MsgId = crypto.randomUUID()) => ({
  MsgId,
  Ts: Date.now(),
  Data: { Items: [{ D: gateway.device, T, V }] },
})
const rejected = async () =>
  (await house.data<Page<Rejected>>('GET', `/Project/Gateway/RejectedList?GatewayId=${gateway.gateway}&PageSize=1000`)).Items
const newest = async (reason: string) => until(`a rejection: ${reason}`, async () => (await rejected()).find((r) => r.reason === reason))
const last = async () =>
  (await house.data<{ Value: number }[]>('POST', '/DataCenter/ReportData/LastDataFromCache_APP_Common', { ParaIds: [point] }))[0]?.Value

beforeAll(async () => {
  house = await startHouse()
  gateway = await house.newGateway('BADINPUT0001', 1)
  other = await house.newGateway('BADINPUT0002', 1)
  const make = async (DeviceId: number) => (await house.data('POST', '/Project/DevPara', { DeviceId, ParaName: 'P', Address: '0' })).Id
  point = await make(gateway.device)
  foreign = await make(other.device)
  client = await connect(gateway.SN, gateway.Key)
  await send(reading({ [point]: 7 }))
})
afterAll(async () => {
  await client?.endAsync(true)
  await house?.close()
})

describe('a gateway', () => {
  it('with a wrong key is not let in', async () => {
    await expect(connect(other.SN, `${other.Key.slice(0, -1)}_`)).rejects.toThrow(/Bad username or password|Not authorized/i)
  })

  it('that writes to a foreign topic is cut off, and the neighbour hears nothing of it', async () => {
    const intruder = await connect(other.SN, other.Key)
    const closed = new Promise<void>((resolve) => intruder.once('close', () => resolve()))
    intruder.publish(topic(gateway.SN, 'up', 'data'), JSON.stringify(reading({ [point]: 666 })), { qos: 1 }, () => {})
    await closed
    expect(await last()).toBe(7)
    const metrics = await (await fetch(`${house.origin}/metrics`)).text()
    expect(metrics).toMatch(/penstock_mqtt_refused_total\{[^}]*reason="foreignPublish"[^}]*\} 1/)
  })

  it('that sends ten megabytes is cut off alone', async () => {
    const large = await connect(other.SN, other.Key)
    const closed = new Promise<void>((resolve) => large.once('close', () => resolve()))
    large.on('error', () => {})
    large.publish(topic(other.SN, 'up', 'data'), Buffer.alloc(10_000_000, 32), { qos: 1 }, () => {})
    await closed
    expect(client.connected).toBe(true)
  })
})

describe('a point that was made a moment ago', () => {
  it('is known to the first reading that names it, whatever the server has heard of it', async () => {
    const made = point + 1_000_000
    // As if just created: the row exists, and no message was sent.
    await house.database.system.rows(sql`
      insert into point overriding system value select * from jsonb_populate_record(null::public.point,
        (select to_jsonb(p) || ${JSON.stringify({ Id: made, ParaName: 'New', Address: '500' })}::jsonb from point p where "Id" = ${point}))`)
    await send(reading({ [made]: 12, [point]: 7 }))
    const answer = await house.data<{ Value: number }[]>('POST', '/DataCenter/ReportData/LastDataFromCache_APP_Common', { ParaIds: [made] })
    expect(answer).toMatchObject([{ Value: 12 }])
    expect(await rejected()).toEqual([])
  })
})

describe('a reading is rejected alone, with its reason, and its message is still acknowledged', () => {
  it.each([
    ['unknownPoint', () => ({ 999999999: 1 })],
    ['foreignPoint', () => ({ [foreign]: 1 })],
    ['notANumber', () => ({ [point]: 'NaN' })],
  ] as const)('%s', async (reason, V) => {
    const good = Math.random()
    await send({
      MsgId: crypto.randomUUID(),
      Ts: Date.now(),
      Data: {
        Items: [
          { D: gateway.device, T: Date.now(), V: V() },
          { D: gateway.device, T: Date.now(), V: { [point]: good } },
        ],
      },
    })
    expect(await newest(reason)).toMatchObject({ SN: gateway.SN, reason })
    expect(await last()).toBe(good)
  })

  it.each([
    ['tooOld', Date.UTC(1970, 0, 2)],
    ['tooFarAhead', Date.UTC(2099, 0, 1)],
  ] as const)('%s', async (reason, time) => {
    await send(reading({ [point]: 1e6 }, time))
    await newest(reason)
    expect(await last()).not.toBe(1e6)
  })

  it.each([
    ['malformed', 'half a message', '{"MsgId":"x","Data":{'],
    ['malformed', 'a list', '[1,2,3]'],
    ['malformed', 'depth without end', '['.repeat(50_000)],
    ['unknownField', 'an unknown field', JSON.stringify({ MsgId: 'u', Ts: 1, Data: { Items: [], Surprise: 1 } })],
  ])('%s: %s', async (reason, _what, payload) => {
    await send(payload)
    expect((await newest(reason)).detail).toBeTruthy()
    expect(client.connected).toBe(true)
  })

  it('received is stored, replaced, rejected and live-only together, after all of this', async () => {
    for (const counts of house.telemetry.counters.values())
      expect(counts.received).toBe(counts.stored + counts.replaced + counts.rejected + counts.liveOnly)
  })
})

describe('a person', () => {
  it('sets the type of up to 500 points by one address, and is told when there are more', async () => {
    const typed = (count: number) => {
      const ids = Array.from({ length: count }, (_, i) => 9_000_000_000_000 + i)
      return house.call(house.admin, 'POST', `/DataCenter/ReportData/CalDataType/${ids}/1`, {})
    }
    expect(await typed(500)).toMatchObject({ StatusCode: 404 })
    expect(await typed(501)).toMatchObject({ StatusCode: 400, Details: { Fields: { ParaIds: [expect.any(String)] } } })
  })

  it('refuses minutes over a hundred years with a reason, and answers the same range in buckets', async () => {
    const range = { ParaIds: [point], Start: 0, End: 100 * 365 * 86_400_000 }
    expect(await house.call(house.admin, 'POST', '/DataCenter/ReportData/MinData', range)).toMatchObject({
      Succeeded: false,
      Details: { Fault: 'rangeTooLong' },
    })
    expect((await house.call(house.admin, 'POST', '/DataCenter/ReportData/Data', { ...range, Buckets: 100 })).Succeeded).toBe(true)
  })

  it('two points with one address are refused by name before anything is sent', async () => {
    await house.data('POST', '/Project/DevPara', { DeviceId: gateway.device, ParaName: 'Twin', Address: '0' })
    expect(await house.push(gateway.gateway)).toMatchObject({
      Code: 10,
      Detail: [expect.objectContaining({ Field: 'Address', Reason: expect.any(String) })],
    })
  })

  it.each([
    ['POST', '/Project/Project', { ProjectName: 'x'.repeat(51) }, 'ProjectName'],
    ['POST', '/Project/Project', { ProjectName: 'nul\0byte' }, undefined],
    ['POST', '/Project/DevPara', { DeviceId: 2 ** 53, ParaName: 'x', Address: '0' }, 'DeviceId'],
    ['POST', '/Project/DevPara', { DeviceId: 1, ParaName: 'x', Address: '70000' }, 'Address'],
    ['GET', '/Project/Gateway/List?PageSize=999999999999999999999', undefined, undefined],
    ['GET', '/Project/Gateway/List?GatewayName=%27%3B%20drop%20table%20gateway%3B--', undefined, undefined],
    ['GET', '/Project/Gateway?Id=%00', undefined, 'Id'],
  ] as const)('%s %s gets an answer that is no failure of ours', async (method, path, body, field) => {
    const answer = await house.call(house.admin, method, path, body)
    expect(answer.StatusCode).toBeLessThan(500)
    if (field) expect(Object.keys(answer.Details!.Fields!)).toContain(field)
    expect(JSON.stringify(answer)).not.toMatch(/select |insert |node_modules|at \w+ \(/)
  })
})
