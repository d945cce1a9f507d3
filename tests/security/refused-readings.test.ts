// A gateway floods with readings that are refused, within all of its limits (finding N4). Work is asserted, not time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { until } from '../front-door.ts'
import { openRawGateway, type RawGateway } from '../raw-gateway.ts'

const own = ownServer()
let gateway: Awaited<ReturnType<typeof own.door.newGateway>>
let raw: RawGateway
beforeAll(async () => {
  gateway = await own.door.newGateway('JUNK0001', 1)
  raw = await openRawGateway(own.process.mqttPort, gateway)
  await raw.connack()
})
afterAll(() => raw?.close())

const rows = async () =>
  own.door.data<{ TotalCount: number; Items: { Detail: string }[] }>(
    'GET',
    `/Project/Gateway/RejectedList?GatewayId=${gateway.gateway}&PageSize=5`,
  )
const junk = (items: number) => `{"MsgId":"a","Ts":${Date.now()},"Data":{"Items":[${Array(items).fill('{}').join(',')}]}}`
const publish = async (payload: string) => raw.puback(raw.publish(`iot/v1/${gateway.SN}/up/data`, payload))

/** Readings that were refused, as /metrics counts them. */
const refused = async () => {
  const text = await (await fetch(`${own.process.origin}/metrics`)).text()
  return Number(/^penstock_\S*readings\S*rejected\S* (\d+)$/m.exec(text)?.[1] ?? 0)
}

test('a message of 85,000 empty items becomes few rows, and each of its readings counts', async () => {
  const before = [(await rows()).TotalCount, await refused()]
  await publish(junk(85_000))
  expect([(await rows()).TotalCount, await refused()]).toEqual([before[0]! + 21, before[1]! + 85_000])
  expect(JSON.stringify((await rows()).Items[0])).toContain('84980 more of this message')
})

test('seven more of them, and 5,000 items again and again, stay few rows, and others are answered', async () => {
  const before = (await rows()).TotalCount
  const messages = [...Array(7).fill(junk(85_000)), ...Array(24).fill(junk(5000))]
  const sent = Promise.all(messages.map(publish))
  const projects = await own.door.data<{ TotalCount: number }>('GET', '/Project/Project/List')
  expect(projects.TotalCount).toBeGreaterThan(0)
  await sent
  await until('all rows', async () => (await rows()).TotalCount === before + 31 * 21)
})
