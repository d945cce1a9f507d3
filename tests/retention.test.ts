// How long readings and roll-ups are kept, from the tenant's form to the charts, under a clock of the test.
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topic } from '../contract/gateway-protocol.ts'
import { type House, startHouse, until } from './house.ts'

const [minute, day] = [60_000, 86_400_000]
const start = Date.UTC(2026, 5, 20, 12)
let now = start
let house: House
beforeAll(async () => {
  house = await startHouse({}, () => now)
})
afterAll(() => house?.close())

type Series = { Raw: boolean; Time: number[]; Avg: number[]; Count: number[] }

it('readings go after their days, minutes and hours of them after their months', async () => {
  const gateway = await house.newGateway('RETENTION001', 15_998)
  const point = (
    await house.data('POST', '/Project/DevPara', { DeviceId: gateway.device, ParaName: 'Level', Address: '1', ReadWriteType: 1 })
  ).Id
  const own = await house.data<{ EnterpriseId: number }>('GET', `/Project/Gateway?Id=${gateway.gateway}`)
  const Id = own.EnterpriseId
  for (const wrong of [0, 1201, 1.5])
    expect(await house.call(house.admin, 'PUT', '/System/Enterprise', { Id, RetentionMonths: wrong })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { RetentionMonths: [expect.any(String)] } },
    })
  await house.data('PUT', '/System/Enterprise', { Id, RetentionDays: 30, RetentionMonths: 12 })
  expect(await house.data('GET', `/System/Enterprise?Id=${Id}`)).toMatchObject({ RetentionDays: 30, RetentionMonths: 12 })

  await until('the point to be known to ingest', () => house.registry.get(point))
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, {
    clientId: gateway.SN,
    username: gateway.SN,
    password: gateway.Key,
  })
  const old = Date.UTC(2026, 0, 5, 10)
  const readings: [number, number][] = [
    [old, 1],
    [old + 1000, 3],
    [old + minute, 5],
    [start - 1000, 7],
  ]
  const Items = readings.map(([T, v]) => ({ D: gateway.device, T, V: { [point]: v } }))
  const body = JSON.stringify({ MsgId: 'm1', Ts: now, Data: { Items, Backfill: 1 } })
  await client.publishAsync(topic(gateway.SN, 'up', 'history'), body, { qos: 1 })
  await client.endAsync()

  const asked = async (name: string, Start = old, End = old + 10 * minute) => {
    const token = await house.login()
    const range = { ParaIds: [point], Start, End }
    const {
      Series: [series],
    } = await house.data<{ Series: [Series] }>('POST', `/DataCenter/ReportData/${name}`, range, token)
    return { Raw: series.Raw, Avg: series.Avg, Count: series.Count }
  }
  /** As the timer does it: once a day. */
  const later = async (days: number) => {
    now += days * day
    await house.telemetry.keep()
  }
  expect(await asked('Data')).toEqual({ Raw: true, Avg: [1, 3, 5], Count: [1, 1, 1] })
  const spreadSince = async (Start = old) => {
    type Spread = { Points: { ReadingsSince: number | null }[] }
    const range = { ParaIds: [point], Start, End: Start + 10 * minute }
    const { Points } = await house.data<Spread>('POST', '/DataCenter/ReportData/Distribution', range, await house.login())
    return Points[0]!.ReadingsSince
  }

  await later(1)
  const minutes = { Raw: false, Avg: [2, 5], Count: [2, 1] }
  expect(await asked('Data')).toEqual(minutes)
  expect([await spreadSince(), await spreadSince(start - minute)]).toEqual([expect.any(Number), null])
  expect(await asked('MinData')).toEqual(minutes)
  expect(await asked('HourData')).toEqual({ Raw: false, Avg: [3], Count: [3] })
  expect(await asked('Data', start - minute, start)).toEqual({ Raw: true, Avg: [7], Count: [1] })
  const stored = await house.telemetry.read([point], 0, now)
  expect(stored.map((reading) => reading.value)).toEqual([7])

  // Minutes of a month go together, and quarter-hours of a year.
  await later(180)
  expect(await asked('MinData')).toEqual(minutes)
  await later(90)
  expect(await asked('MinData')).toMatchObject({ Count: [] })
  expect(await asked('HourData')).toMatchObject({ Count: [3] })
  await later(365)
  for (const name of ['Data', 'MinData', 'HourData', 'DayData']) expect(await asked(name), name).toMatchObject({ Count: [] })
})
