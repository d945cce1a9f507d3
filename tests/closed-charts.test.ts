// Charts of closed days through the front door: the same text from the cache as from files, and never without a late reading.
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topic } from '../contract/gateway-protocol.ts'
import { type House, startHouse, until } from './house.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const start = Date.UTC(2026, 5, 20)
let now = start + 10 * day
let house: House
beforeAll(async () => {
  house = await startHouse({}, () => now)
})
afterAll(() => house?.close())

it('asked again, a chart of closed days is the same text, and a late reading is in the next', async () => {
  const gateway = await house.newGateway('CLOSEDCHART1', 15_997)
  const points: number[] = []
  for (const ParaName of ['Level', 'Flow', 'Silent']) {
    const draft = { DeviceId: gateway.device, ParaName, Address: `${points.length}`, ReadWriteType: 1 }
    points.push((await house.data('POST', '/Project/DevPara', draft)).Id)
  }
  const [level, flow, silent] = points as [number, number, number]
  await until('the points to be known to ingest', () => points.every((id) => house.registry.get(id)))
  const send = async (readings: (readonly [number, Record<number, number>])[]) => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, {
      ...{ clientId: gateway.SN, username: gateway.SN, password: gateway.Key },
    })
    const Items = readings.map(([T, V]) => ({ D: gateway.device, T, V }))
    const body = JSON.stringify({ MsgId: `m${readings[0]![0]}`, Ts: now, Data: { Items, Backfill: 1 } })
    await client.publishAsync(topic(gateway.SN, 'up', 'history'), body, { qos: 1 })
    await client.endAsync()
  }
  // Eighths, so that sums are exact in any order.
  await send(Array.from({ length: 500 }, (_, i) => [start + i * 5 * minute, { [level]: i / 8, [flow]: ((i * i) % 97) / 8 }]))
  now += day
  await house.telemetry.keep()
  await house.telemetry.keep()

  const ask = async (name: string, ParaIds: number[], more: object = {}) => {
    const answer = await fetch(`${house.origin}/api/DataCenter/ReportData/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${house.admin}` },
      body: JSON.stringify({ ParaIds, Start: start, End: start + 2 * day, ...more }),
    })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return answer.text()
  }
  const again = async (...[name, ids, more]: Parameters<typeof ask>) => {
    const texts = [await ask(name, ids, more), await ask(name, ids, more), await ask(name, ids, more)]
    expect(new Set(texts).size, `${name} of ${ids}`).toBe(1)
    expect(texts[0]).toBe(JSON.stringify(JSON.parse(texts[0]!)))
    return JSON.parse(texts[0]!).Data.Series as { ParaId: number; Time: number[]; Max: number[]; Count: number[] }[]
  }
  const hours = await again('HourData', [level, silent, flow])
  expect(hours.map(({ ParaId }) => ParaId)).toEqual([level, silent, flow])
  const expected = Array.from({ length: 42 }, (_, i) => start + i * hour)
  expect(hours.map(({ Time }) => Time)).toEqual([expected, [], expected])
  expect(hours[0]!.Max[1]).toBe(23 / 8)
  expect(hours[2]!.Max[1]).toBe(12)
  // A cached answer is used for its own point and step only.
  expect(await again('HourData', [flow])).toEqual([hours[2]])
  expect((await again('MinData', [level]))[0]!.Time.length).toBe(500)
  expect((await again('DayData', [level]))[0]!.Count.reduce((a, b) => a + b)).toBe(500)
  expect((await again('Data', [level, flow], { Buckets: 40 })).map(({ ParaId }) => ParaId)).toEqual([level, flow])

  await send([[start + hour + 1000, { [level]: 777 }]])
  expect((await again('HourData', [level]))[0]!.Max[1]).toBe(777)
  now += day
  await house.telemetry.keep()
  await house.telemetry.keep()
  expect((await again('HourData', [level, flow])).map(({ Max }) => Max[1])).toEqual([777, 12])
})
