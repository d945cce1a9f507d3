// The server's clock jumps an hour forward and back under it.
import { sql } from 'kysely'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/base/call.ts'
import { connectHub, type House, startHouse, until } from '../house.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { byApi, enter, flawless, perfect, tally } from './tally.ts'
import { isLong, pause } from './tiers.ts'

let offset = 0
let house: House
beforeAll(async () => {
  house = await startHouse({}, () => Date.now() + offset)
})
afterAll(() => house?.close())

const hour = 3_600_000
const jumps = isLong ? [hour, 0, -hour, 0, 24 * hour, 0] : [hour, 0]

test('readings keep their order, gateways and consoles stay, a session that ended stays ended, alarms come and go once', {
  timeout: 60_000,
}, async ({ task }) => {
  const [watched, ...sources] = await makePlant(house, 3, 10, 'CLOCKS', { AlarmHigh: 16 * 10_000 })
  const sending = startSenders(sources, { port: house.mqttPort, messagesPerSecond: 50 })
  // A gateway whose values cross their limits, and go back, once between two jumps.
  const base = Date.now()
  let seq = 0
  const hub = await connectHub(house.origin, house.admin)
  await hub.connection.invoke('Subscribe', watched!.points)
  let closed = 0
  hub.connection.onclose(() => closed++)
  const login = { clientId: watched!.SN, username: watched!.SN, password: watched!.Key }
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, login)
  const say = (value: number) => {
    const Items = [{ D: watched!.device, T: base + ++seq, V: { [watched!.points[0]!]: value } }]
    const payload = JSON.stringify({ MsgId: `${seq}`, Ts: Date.now(), Data: { Items } })
    return client.publishAsync(`iot/v1/${watched!.SN}/up/data`, payload, { qos: 1 })
  }
  const offline = async () => {
    const { Items } = await house.data<Page<{ SN: string; OnlineStatus: number }>>('GET', '/Project/Gateway/List')
    return Items.filter((g) => g.OnlineStatus !== 1).map((g) => g.SN)
  }
  const alarms = async () =>
    (await house.data<Page<{ IsActive: number }>>('GET', `/Alarm/AlarmInfo/List?ParaId=${watched!.points[0]}`)).Items.map((a) => a.IsActive)

  await say(1)
  await until('the gateways to be online', async () => (await offline()).length === 0)
  const expected: number[] = []
  for (const to of jumps) {
    const other = await house.login()
    expect(await house.call(other, 'GET', '/System/User/UserInfo')).toMatchObject({ Succeeded: true })
    offset = to
    await say(16 * 10_000 + 1)
    await until('the alarm', async () => (await alarms()).filter((is) => is).length === 1)
    await say(1)
    expected.push(0)
    await until('its recovery', async () => (await alarms()).every((is) => !is))
    expect(await alarms()).toEqual(expected)
    // Longer than presence and the hub take to look again.
    await pause(2500)
    expect(await offline()).toEqual([])
    // A session that is ended in the database is not believed for an hour longer.
    await house.database.system.rows(sql`update session set "EndTime" = now(), "EndReason" = 'logout' where "Id" = ${other.split('.')[0]}`)
    await until(
      'the end of a session that was ended elsewhere',
      async () => !(await house.call(other, 'GET', '/System/User/UserInfo')).Succeeded,
      8000,
    )
    expect(await house.call(house.admin, 'GET', '/System/User/UserInfo')).toMatchObject({ Succeeded: true })
  }
  expect(closed).toBe(0)
  expect(hub.alarms.filter((a) => a.ParaId === watched!.points[0]).map((a) => a.Event)).toEqual(
    expected.flatMap(() => ['raised', 'recovered']),
  )
  await sending.finish()
  const counts = await tally(sending, byApi(house))
  await Promise.all([sending.stop(), client.endAsync(true), hub.connection.stop()])
  enter(task, {
    fault: 'clock jumps an hour',
    rounds: jumps.length,
    ...counts,
    note: `${expected.length} alarms raised and recovered once each`,
  })
  expect(flawless(counts)).toEqual(perfect)
})
