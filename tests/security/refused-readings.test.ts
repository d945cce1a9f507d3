// A gateway floods with readings that are refused, within all of its limits (finding N4). Work is asserted, not time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  await raw.subscribe(`iot/v1/${gateway.SN}/down/+`)
})
afterAll(() => raw?.close())

const rows = async () =>
  own.door.data<{ TotalCount: number; Items: { reason: string; detail: string; payload: string }[] }>(
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

describe('junk of 256 KiB that is no reading', () => {
  const full = 255 * 1024
  const fields = (bytes: number) => {
    const found: string[] = []
    for (let length = 0; length < bytes; length += found.at(-1)!.length + 1) found.push(`"k${found.length}":1`)
    return found.join()
  }
  const junkOf: [kind: string, what: string, payload: string, reason: string, detail: string][] = [
    ['event', 'fields', `{"MsgId":"e1","Ts":1,${fields(full)},"Data":{}}`, 'malformed', 'more than 65536 bytes'],
    ['event', 'a text', `{"MsgId":"e2","Ts":1,"Data":{"Text":"${'x'.repeat(full)}"}}`, 'malformed', 'more than 65536 bytes'],
    ['event', 'empty items', `{"MsgId":"e3","Ts":1,"Data":[${'[],'.repeat(20_000)}1]}`, 'malformed', 'more than 1000 values'],
    ['reply', 'fields', `{"MsgId":"r1","Ts":1,${fields(full)}}`, 'unknownField', 'k0, k1, k2, k3, k4'],
    ['heartbeat', 'devices', `{"MsgId":"h1","Ts":1,"Data":{"Devices":[${'{},'.repeat(80_000)}{}]}}`, 'malformed', 'more than 25000 values'],
    ['heartbeat', 'fields', `{"MsgId":"h2","Ts":1,"Data":{"Devices":[{${fields(full)}}]}}`, 'unknownField', 'k0, k1, k2, k3, k4'],
  ]

  test.each(junkOf)('%s of %s is refused in a few words', async (kind, _what, payload, reason, detail) => {
    const before = (await rows()).TotalCount
    await raw.puback(raw.publish(`iot/v1/${gateway.SN}/up/${kind}`, payload))
    await until('its row', async () => (await rows()).TotalCount > before)
    const [row] = (await rows()).Items
    expect([(await rows()).TotalCount, row!.reason, row!.detail]).toEqual([before + 1, reason, expect.stringContaining(detail)])
    expect([row!.detail.length <= 200, row!.payload.length <= 4096]).toEqual([true, true])
  })

  test('of events, each is acknowledged, so that the gateway does not send it again', async () => {
    await until('ACKs', () => ['e1', 'e2', 'e3'].every((id) => raw.heard.some((h) => h.kind === 'ack' && h.message.MsgId === id)))
  })
})

test('what one gateway says of itself costs no other its presence', async () => {
  const other = await own.door.newGateway('OTHER0001', 1)
  const line = await openRawGateway(own.process.mqttPort, other)
  await line.connack()
  const said = (id: string, text: string) => JSON.stringify({ MsgId: id, Ts: Date.now(), Data: { Online: 1, FirmwareVer: text } })
  // The fiftieth character is one of two UTF-16 units: cut there, it was half a character, which PostgreSQL refuses in JSON.
  const flood = setInterval(
    () => void raw.publish(`iot/v1/${gateway.SN}/up/state`, said(`f${Math.random()}`, `${'x'.repeat(49)}\u{1F600}`)),
    20,
  )
  try {
    await line.puback(line.publish(`iot/v1/${other.SN}/up/state`, said('s1', 'fine')))
    const find = (id: number) => own.door.data<{ OnlineStatus: number; FirmwareVer: string }>('GET', `/Project/Gateway?Id=${id}`)
    await until('the other one to be online', async () => {
      const { OnlineStatus, FirmwareVer } = await find(other.gateway)
      return OnlineStatus === 1 && FirmwareVer === 'fine'
    })
    await until('its own word, cut before the half', async () => (await find(gateway.gateway)).FirmwareVer === 'x'.repeat(49))
  } finally {
    clearInterval(flood)
    line.close()
  }
})
